import type { Tool, DialectNames } from '../../ports/tool';
import type { ToolSchema } from '../../ports/model';

/**
 * How the everyday tools are presented to a family of models. Internally, a call always uses Waymark's own tool and
 * that tool's input.
 */
export interface Dialect {
  readonly name: DialectName;
  /** One-sentence description for the settings. */
  readonly description: string;
  /** Matches the models that were trained on this dialect. */
  readonly models: RegExp;
  readonly forms: readonly Form[];
  /** Tools that are not offered because another available tool does their work: `[tool, replacement]`. */
  readonly replaced: readonly (readonly [Tool, Tool])[];
}

const dialectNames = ['waymark', 'claude', 'codex', 'gemini'] as const;
type DialectName = (typeof dialectNames)[number];

/**
 * One tool as a dialect presents it. Its arguments are parsed in `vocabulary/`, which covers the words of all dialects.
 */
export interface Form {
  /** Tool that runs the call. */
  readonly tool: Tool;
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Record<string, unknown>;
  readonly example?: Readonly<Record<string, unknown>>;
  /** Converts the tool's input to the arguments of this form, for examples. */
  write(input: Record<string, unknown>): Record<string, unknown>;
  /** The form's names for the tool's arguments, for messages: `{ old_text: 'old_string' }`. */
  readonly words: Readonly<Record<string, string>>;
}

/** Dialect setting of a session: a name, or `auto` to choose by model. */
export type DialectChoice = 'auto' | DialectName;

const stringSchema = (description?: string): Record<string, unknown> => ({
  type: 'string',
  ...(description !== undefined && { description }),
});
const integerSchema = (description?: string): Record<string, unknown> => ({
  type: 'integer',
  ...(description !== undefined && { description }),
});
const flag = (description?: string): Record<string, unknown> => ({
  type: 'boolean',
  ...(description !== undefined && { description }),
});

/** Argument schemas, kept as short as possible because every request pays for them. */
export const argument = { text: stringSchema, whole: integerSchema, flag };

/** Returns the schema of an object. A name that ends with "?" is optional. */
export function object(properties: Readonly<Record<string, Record<string, unknown>>>): Record<string, unknown> {
  const names = Object.keys(properties);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), properties[name]])),
    ...(required.length > 0 && { required }),
  };
}

/** Renames the properties of an input. Properties without a new name keep theirs. */
export function renamed(
  input: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [words[name] ?? name, value]));
}

/**
 * Returns the names that a dialect uses. A tool that the dialect does not offer is called by the name of its
 * replacement.
 */
export function namesOfDialect({ forms, replaced }: Dialect): DialectNames {
  const formNamed = (name: string): Form | undefined => forms.find(({ tool }) => tool.name === name);
  const offered = (name: string): string => replaced.find(([tool]) => tool.name === name)?.[1].name ?? name;
  return {
    tool: (name) => formNamed(offered(name))?.name ?? offered(name),
    argument: (tool, argument) => formNamed(tool)?.words[argument] ?? argument,
  };
}

/**
 * Returns the form in which a tool is offered, or the tool itself if the dialect has no form for it. Returns undefined
 * if another tool replaces it.
 */
export function offeredForm(tool: Tool, dialect: Dialect, tools: readonly Tool[]): Tool | Form | undefined {
  const replaced = dialect.replaced.some(([one, by]) => one === tool && tools.includes(by));
  return replaced ? undefined : (formOf(tool, dialect) ?? tool);
}

export const formOf = (tool: Tool, dialect: Dialect): Form | undefined =>
  dialect.forms.find((form) => form.tool === tool);

/** Returns the schemas of the tools that the model is offered. */
export function offeredTools(tools: readonly Tool[], dialect: Dialect): ToolSchema[] {
  const forms = tools.flatMap((tool) => offeredForm(tool, dialect, tools) ?? []);
  return forms.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
