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

/** What Anthropic accepts as names of arguments. Names deeper in the schema are free. */
export const isArgumentName = (name: string): boolean => /^[a-zA-Z0-9_.-]{1,64}$/.test(name);
