import type { ActionEffect, AddedTool, Assessment, ToolOrigin } from '../../protocol/events/event';
import { withoutInvisible } from '../text/spotlight';
import type { Outputs } from '../ports/documents';
import type { Tool, ToolContext, ToolResult } from '../ports/tool';
import { acceptedNames } from './argumentNames';
import { InputProblem, missingIn } from './calls/inputFaults';
import { isRecord } from '../text/parseJson';
import { secrets } from '../secrets/secrets';
import { withCommas } from '../text/withCommas';
import { truncate } from '../../protocol/plain/truncate';

/** Maximum length of a tool description, in characters. Longer descriptions are truncated. */
const maxDescriptionLength = 4000;

/**
 * A tool from an MCP server, an extension or VS Code. Its self-description is treated as data and changes no decision
 * about its calls.
 */
export interface AddedToolSpec {
  /** Name that the model calls: one of the prefixes below, then letters, digits, "_" and "-"; at most 64 characters. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly parameters: Record<string, unknown>;
  readonly from: ToolOrigin;
  readonly effect: Extract<ActionEffect, 'reads' | 'writes' | 'executes'>;
  /**
   * Risk of every call before the analyzers run. `reach` describes the data flow: list the author of the results in
   * `untrusted` so that they are shown to the model as data and counted by the taint meter.
   */
  readonly risk: Assessment;
  /** Returns a one-line summary for people. Default: "Call search of the MCP server github". */
  summarize?(input: Record<string, unknown>): string;
  /** Key shared by calls that one permanent permission may cover. If absent, every call needs its own approval. */
  readonly allowKey?: string;
  /**
   * Runs the tool. `input` is an object with every argument that `parameters` requires; the tool validates the rest.
   * Throws an `Error` with a message for the model.
   */
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolResult>;
}

/** Creates a tool from its spec. Throws an `Error` if the name is not valid for an added tool. */
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
      `"${name}" is not a valid name for an added tool. Use at most 64 letters, digits, "_" and "-", and begin with ${prefixes.map((prefix) => `"${prefix}_"`).join(', ')}.`,
    );
  const { $schema: _dialect, ...meaning } = parameters;
  const { schema, toModel, toTool } = acceptedNames(plainWords(meaning) as Record<string, unknown>);
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
        throw new Error(`Invalid input for ${name}: it must be an object.`);
      const complete = withDefaults(toModel(input as Record<string, unknown>), schema);
      const missing = missingIn(complete, schema);
      if (missing.length > 0) throw new InputProblem({ name, parameters: schema }, missing);
      return {
        summary: summarize?.(complete) ?? `Call ${from.tool} of ${from.source}`,
        touches: {},
        risk,
        allowKey,
        question: undefined,
        run: async (context) =>
          wholeResult(
            await run(toTool(complete), context),
            context.environment.outputs,
            context.words?.tool('read_file'),
          ),
      };
    },
  };
}

/** Maximum length of a result, in characters. Of longer results, the model gets the beginning and the end. */
const maxResultLength = 50_000;

/**
 * Truncates a result that is too long for the model. If `outputs` is available, the full text is saved where
 * `read_file` can read it. `reader` is the model's name for that tool.
 */
export async function wholeResult(
  result: ToolResult,
  outputs: Outputs | undefined,
  reader = 'read_file',
): Promise<ToolResult> {
  if (result.content.length <= maxResultLength) return result;
  // Mask before truncating: a secret cut in half is not recognized.
  const content = secrets.maskKnown(result.content);
  const place = await outputs?.keep(content, 'txt').catch(() => undefined);
  const [head, tail] = [content.slice(0, maxResultLength * 0.7), content.slice(-maxResultLength * 0.2)];
  const left = withCommas(content.length - head.length - tail.length);
  return {
    ...result,
    content: `${head}\n[${left} characters are omitted here. ${place === undefined ? 'Request less at a time.' : `The full text is in ${place}; read it in parts with ${reader}.`}]\n${tail}`,
  };
}

/** Fills in the schema default of each required argument that is missing, including in nested objects. */
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
 * ★ Name prefixes of added tools: MCP servers, extensions that use the API, and language model tools of VS Code. No
 * other tool uses them.
 */
const prefixes = ['mcp', 'ext', 'lm'];

/** True if the name, or name prefix, belongs to added tools. */
export const isAddedName = (name: string): boolean =>
  prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}_`));

/**
 * True if one of `names` selects the tool: its full name, a prefix of it up to a "_", or `added`, which selects every
 * added tool.
 */
export const isSelectedBy = (names: readonly string[], tool: string): boolean =>
  names.some((name) => name === 'added' || name === tool || (isAddedName(name) && tool.startsWith(`${name}_`)));

/** Recreates a tool from its description in a log. It can be displayed but not run. */
export const toolFromLog = (recorded: AddedTool): Tool =>
  addedTool({
    ...recorded,
    effect: recorded.effect ?? 'executes',
    risk: { level: 'unknown', reasons: [] },
    run: () => Promise.reject(new Error(`${recorded.name} is no longer available.`)),
  });

export const isToolName = (name: string): boolean => /^[\w-]{1,64}$/.test(name);

const cut = (text: string): string => truncate(text, maxDescriptionLength);

/** Returns the value with invisible characters removed from all its strings and keys. */
function plainWords(value: unknown): unknown {
  if (typeof value === 'string') return withoutInvisible(value);
  if (Array.isArray(value)) return value.map(plainWords);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [withoutInvisible(key), plainWords(each)]));
}
