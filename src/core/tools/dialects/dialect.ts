import type { Tool, Words } from '../../ports/tool';

/**
 * How a family of models is offered the everyday tools. Inside Waymark a call is always one
 * of its own tool, with that tool's input.
 */
export interface Dialect {
  readonly name: DialectName;
  /** One sentence for a person who chooses. */
  readonly description: string;
  /** Models that were trained on it. */
  readonly models: RegExp;
  readonly forms: readonly Form[];
  /** Tools that are not offered because another available tool does their work: `[tool, by which]`. */
  readonly replaced: readonly (readonly [Tool, Tool])[];
}

const dialectNames = ['waymark', 'claude', 'codex', 'gemini'] as const;
export type DialectName = (typeof dialectNames)[number];

/**
 * One tool in the words of a dialect. How its arguments are read is in
 * `vocabulary/`, which knows the words of all dialects.
 */
export interface Form {
  /** The tool that does it. */
  readonly tool: Tool;
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Record<string, unknown>;
  readonly example?: Readonly<Record<string, unknown>>;
  /** The tool's input in the words of this form, for examples. */
  write(input: Record<string, unknown>): Record<string, unknown>;
  /** What the form calls arguments of the tool, for messages: `{ old_text: 'old_string' }`. */
  readonly words: Readonly<Record<string, string>>;
}

/** The dialect that is chosen for a session: a name, or by the model. */
export type DialectChoice = 'auto' | DialectName;

const text = (description?: string): Record<string, unknown> => ({
  type: 'string',
  ...(description !== undefined && { description }),
});
const whole = (description?: string): Record<string, unknown> => ({
  type: 'integer',
  minimum: 1,
  ...(description !== undefined && { description }),
});
const flag = (description?: string): Record<string, unknown> => ({
  type: 'boolean',
  ...(description !== undefined && { description }),
});

/** Schemas of arguments, as short as they can be: every request pays for them. */
export const argument = { text, whole, flag };

/** The schema of an object. A name that ends with "?" may be left out. */
export function object(properties: Readonly<Record<string, Record<string, unknown>>>): Record<string, unknown> {
  const names = Object.keys(properties);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), properties[name]])),
    ...(required.length > 0 && { required }),
  };
}

/** The input under other names; what has no other name keeps its own. */
export function renamed(
  input: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [words[name] ?? name, value]));
}

/** What takes the place of a tool that a dialect does not offer is named in its stead. */
export function wordsOf({ forms, replaced }: Dialect): Words {
  const formNamed = (name: string): Form | undefined => forms.find(({ tool }) => tool.name === name);
  const offered = (name: string): string => replaced.find(([tool]) => tool.name === name)?.[1].name ?? name;
  return {
    tool: (name) => formNamed(offered(name))?.name ?? offered(name),
    argument: (tool, argument) => formNamed(tool)?.words[argument] ?? argument,
  };
}
