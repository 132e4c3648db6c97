import { Ajv2020 } from 'ajv/dist/2020.js';

const judge = new Ajv2020({ strict: false });

/** Returns where a schema violates JSON Schema 2020-12, with the reason. */
export function draftFault(schema: object): string | undefined {
  if (judge.validateSchema(schema) === true) return undefined;
  const [fault] = judge.errors ?? [];
  return `${fault?.instancePath} ${fault?.message}`;
}

/** Whether OpenAI refuses a regular expression: Python cannot compile it, or it has an assertion. */
export const isRefusedPattern = (pattern: string): boolean =>
  /\\[pP]\{|\\u\{|\\[a-zA-Z](?<![aAbBdDfnrsStuUvwWxZ])|\(\?<[A-Za-z]|\(\?<?[=!]/.test(pattern);

/**
 * Returns why Anthropic refuses the schema of a tool, over its own protocol or OpenAI's; `place`: such as "tools.0". Only
 * names at the root are judged.
 */
export function anthropicSchemaFault(schema: any, place: string): string | undefined {
  const whole = `${place}.custom.input_schema`;
  if (schema?.type !== 'object') return `${whole}.type: Input should be 'object'`;
  if (['oneOf', 'anyOf', 'allOf'].some((key) => key in schema))
    return `${whole}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  if (!Object.keys(schema.properties ?? {}).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name)))
    return `${whole}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
  return draftFault(schema) === undefined
    ? undefined
    : `${whole}: JSON schema is invalid. It must match JSON Schema draft 2020-12`;
}

/** Formats of texts that OpenAI accepts. */
const knownFormats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);

/** Whether OpenAI refuses the format of a text, as it does for GPT-5 models. */
export const isRefusedFormat = (format: unknown): boolean => format !== undefined && !knownFormats.has(String(format));
