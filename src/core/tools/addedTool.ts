import type { AddedTool, Assessment, ToolOrigin } from '../../protocol/events/event';
import { withoutInvisible } from '../text/spotlight';
import type { Outputs } from '../ports/environment';
import type { Effect, Tool, ToolContext, ToolResult } from '../ports/tool';
import { InputProblem, missingIn } from './calls/inputFaults';
import { isRecord } from '../text/fields';
import { secrets } from '../secrets/secrets';
import { withCommas } from '../text/withCommas';

/** Longer descriptions are cut: a tool says what it does, it does not tell stories. */
const longestDescription = 4000;

/** A tool that somebody else gives. All that it says of itself is data: it changes no decision about its calls. */
export interface AddedToolSpec {
  /** As the model calls it: one of the prefixes below, then letters, digits, "_" and "-"; at most 64 characters. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Record<string, unknown>;
  readonly from: ToolOrigin;
  readonly effect: Extract<Effect, 'reads' | 'writes' | 'executes'>;
  /**
   * How every call is judged, before the analyzers judge it. `reach` says what it lets in and out: name in `untrusted`
   * whoever words its results, and they are shown to the model as data and counted by the taint meter.
   */
  readonly risk: Assessment;
  /** One line for a person; "Call search of the MCP server github" when absent. */
  summarize?(input: Record<string, unknown>): string;
  /** Equal for calls that one standing permission may cover. Absent: every call is asked about by itself. */
  readonly allowKey?: string;
  /**
   * `input` is an object with everything that `parameters` require; the rest is for the tool to check.
   * Throws an `Error` in words for the model.
   */
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolResult>;
}

/** Throws an `Error` where the name cannot be that of an added tool. */
export function addedTool({
  name,
  description,
  parameters,
  from,
  effect,
  risk,
  summarize,
  allowKey,
  run,
}: AddedToolSpec): Tool {
  if (!isToolName(name) || !isAddedName(name))
    throw new Error(
      `"${name}" cannot be the name of an added tool. It takes at most 64 letters, digits, "_" and "-", and begins with ${prefixes.map((prefix) => `"${prefix}_"`).join(', ')}.`,
    );
  const schema = plainWords(parameters) as Record<string, unknown>;
  return {
    name,
    effect,
    from,
    description: cut(withoutInvisible(description).trim()),
    parameters:
      schema['type'] === 'object' ? schema : { ...schema, type: 'object', properties: schema['properties'] ?? {} },
    bind(raw) {
      const input = raw === undefined || raw === null ? {} : raw;
      if (typeof input !== 'object' || Array.isArray(input))
        throw new Error(`The input of ${name} does not fit: it is an object.`);
      const given = withDefaults(input as Record<string, unknown>, schema);
      const missing = missingIn(given, schema);
      if (missing.length > 0) throw new InputProblem({ name, parameters: schema }, missing);
      return {
        summary: summarize?.(given) ?? `Call ${from.tool} of ${from.source}`,
        touches: {},
        risk,
        allowKey,
        question: undefined,
        run: async (context) =>
          wholeResult(await run(given, context), context.environment.outputs, context.words?.tool('read_file')),
      };
    },
  };
}

/** Characters of one result that the model reads; of more the beginning and the end. */
const longest = 50_000;

/**
 * A result that is not too long for the model. What is left out is kept where `read_file` finds it, where there is such
 * a place; `reader` is the name by which the model knows that tool.
 */
export async function wholeResult(
  result: ToolResult,
  outputs: Outputs | undefined,
  reader = 'read_file',
): Promise<ToolResult> {
  if (result.content.length <= longest) return result;
  // Half of a secret is not known any more: it is masked before it is cut.
  const content = secrets.maskKnown(result.content);
  const place = await outputs?.keep(content, 'txt').catch(() => undefined);
  const [head, tail] = [content.slice(0, longest * 0.7), content.slice(-longest * 0.2)];
  const left = withCommas(content.length - head.length - tail.length);
  return {
    ...result,
    content: `${head}\n[${left} characters are left out here. ${place === undefined ? 'Ask for less at a time.' : `All of it is in ${place}, which ${reader} reads in parts.`}]\n${tail}`,
  };
}

/**
 * The input with the default of each argument that a schema requires and that was not
 * given, also within objects that were given.
 */
function withDefaults(
  input: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const filled: Record<string, unknown> = { ...input };
  for (const [name, rule] of Object.entries(properties)) {
    if (!isRecord(rule)) continue;
    const value = filled[name];
    if (value === undefined && required.includes(name) && 'default' in rule) filled[name] = rule['default'];
    else if (isRecord(value)) filled[name] = withDefaults(value, rule);
  }
  return filled;
}

/**
 * ★ How the names of added tools begin: those of MCP servers, of extensions through the API, and of language model
 * tools of VS Code. No other tool's name does.
 */
const prefixes = ['mcp', 'ext', 'lm'];

/** Whether it is the name, or the beginning of names, of tools that others give. */
export const isAddedName = (name: string): boolean =>
  prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}_`));

/**
 * Whether one of the names means the tool: its own, the beginning of it up to a
 * "_", or `added`, which is every such tool.
 */
export const isNamedBy = (names: readonly string[], tool: string): boolean =>
  names.some((name) => name === 'added' || name === tool || (isAddedName(name) && tool.startsWith(`${name}_`)));

/** The tool as a log tells of it, which can be shown and not be run. */
export const toldTool = (told: AddedTool): Tool =>
  addedTool({
    ...told,
    effect: 'executes',
    risk: { level: 'unknown', reasons: [] },
    run: () => Promise.reject(new Error(`${told.name} is not there any more.`)),
  });

export const isToolName = (name: string): boolean => /^[\w-]{1,64}$/.test(name);

const cut = (text: string): string =>
  text.length > longestDescription ? `${text.slice(0, longestDescription)}…` : text;

/** The same value with no character in it that a person does not see. */
function plainWords(value: unknown): unknown {
  if (typeof value === 'string') return withoutInvisible(value);
  if (Array.isArray(value)) return value.map(plainWords);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [withoutInvisible(key), plainWords(each)]));
}
