import { isAddedName, isSelectedBy } from './addedTool';
import { allNeeds, type Need, type Tool } from '../ports/tool';
import { findTools } from './native/findTools';
import { knownToolsets, type Toolset } from './toolsets';

/** Names that select every tool. */
const everything = ['all', '*'];

/**
 * Selection of tools for a run. Each name is a toolset, a custom set or a single tool; `all` and `*` select every tool.
 */
export interface ToolChoice {
  readonly toolsets: readonly string[];
  readonly disabled?: readonly string[];
  /** Custom sets: names of tools and of other sets. */
  readonly custom?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the selected tools in the order of their sets. If two have the same name, the first wins. Throws an `Error`
 * with a message for people that lists the unknown and the known names.
 */
export function toolsFor({ toolsets, disabled = [], custom = {} }: ToolChoice): Tool[] {
  const builtInName = Object.keys(custom).find(
    (name) => everything.includes(name) || knownToolsets.some((set) => set.name === name),
  );
  if (builtInName !== undefined)
    throw new Error(`The custom toolset "${builtInName}" has the name of a built-in one. Rename it.`);
  refuseUnknown([...toolsets, ...disabled, ...Object.values(custom).flat()], custom);

  const disabledNames = new Set(disabled.flatMap((name) => namesDisabledBy(name, custom)));
  const chosen = toolsets.flatMap((name) => toolsNamed(name, custom)).filter(({ name }) => !disabledNames.has(name));
  return firstOfEachName(chosen);
}

/** Throws an `Error` with a message for people if a selected name only contains tools whose port is missing. */
export function refuseUnavailable(
  names: readonly string[],
  custom: NonNullable<ToolChoice['custom']>,
  has: readonly Need[],
): void {
  const missingNeed = (name: string): Need | undefined => {
    const needs = toolsNamed(name, custom).map((tool) => tool.needs);
    const isUsable = needs.length === 0 || needs.some((need) => need === undefined || has.includes(need));
    return isUsable ? undefined : needs[0];
  };
  for (const need of allNeeds) {
    const listed = names.filter((name) => missingNeed(name) === need).map((name) => `"${name}"`);
    if (listed.length > 0) throw new Error(`${listed.join(', ')} needs ${needWords[need]}`);
  }
}

/** What is missing if a tool is unavailable, and what to do. */
const needWords: Readonly<Record<Need, string>> = {
  code: 'the language services of VS Code, which only its window has. Remove it here, or open the folder in VS Code.',
  web: 'the web, which this session may not reach. Remove it here.',
};

/** Returns every selectable name, built-in sets before custom sets. */
export function toolsetNames(custom: ToolChoice['custom'] = {}): string[] {
  return [...knownToolsets.map(({ name }) => name), 'all', ...Object.keys(custom)];
}

/** Returns the selected added tools in their order. */
export function addedFor({ toolsets, disabled = [], custom = {} }: ToolChoice, added: readonly Tool[]): Tool[] {
  if (added.length === 0) return [];
  const selecting = toolsets.flatMap((name) => expanded(name, custom));
  const disabling = disabled.flatMap((name) => expanded(name, custom));
  return added.filter(({ name }) => isSelectedBy(selecting, name) && !isSelectedBy(disabling, name));
}

/**
 * Returns the tool with which the model finds added tools, unless there are none, `own` has it, it is disabled, or the
 * profile sends no schemas.
 */
export function finderFor(
  added: readonly Tool[],
  { format }: { readonly format: { readonly kind: string } },
  { own, disabled = [] }: { readonly own: readonly Tool[]; readonly disabled?: readonly string[] | undefined },
): Tool[] {
  const isDisabled = disabled.some((name) => name === 'tool_search' || name === findTools.name);
  const isNeeded = added.length > 0 && format.kind === 'tool_calls';
  return isNeeded && !isDisabled && !own.includes(findTools) ? [findTools] : [];
}

/** Expands a name to itself and the names in its sets; `added` for a name that selects everything. */
function expanded(name: string, custom: NonNullable<ToolChoice['custom']>, within: readonly string[] = []): string[] {
  if (everything.includes(name)) return ['added'];
  const set = within.includes(name) ? undefined : setNamed(name, custom);
  return [name, ...(set?.includes ?? []).flatMap((other) => expanded(other, custom, [...within, name]))];
}

/** Returns every Waymark tool of all toolsets. */
export const allTools = (): Tool[] => firstOfEachName(knownToolsets.flatMap(({ tools }) => tools));

function firstOfEachName(tools: readonly Tool[]): Tool[] {
  const byName = new Map<string, Tool>();
  for (const tool of tools) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  return [...byName.values()];
}

function refuseUnknown(names: readonly string[], custom: NonNullable<ToolChoice['custom']>): void {
  const tools = allTools().map(({ name }) => name);
  const known = new Set([...toolsetNames(custom), ...everything, ...tools]);
  const unknown = [...new Set(names)].filter((name) => !known.has(name) && !isAddedName(name));
  if (unknown.length === 0) return;
  const listed = unknown.map((name) => `"${name}"`).join(', ');
  const available = [
    `Toolsets: ${toolsetNames(custom).join(', ')}.`,
    `Tools: ${tools.sort().join(', ')}.`,
    `Only in VS Code: ${windowOnlyNames().join(', ')}.`,
  ];
  throw new Error(`There is no toolset or tool named ${listed}.${insteadOf(unknown)} ${available.join(' ')}`);
}

/** Toolsets of other agents that Waymark does not have, and their replacements. */
const replacements: Readonly<Record<string, string>> = {
  web_search: 'use an MCP server to search the web (--mcp), and fetch_url to read a page by its address',
  vision:
    'models that accept images read them directly, from your messages and from results of tools and MCP servers; there is no tool for it',
};

/** Names the replacements for toolsets of other agents, for people; empty if there are none. */
function insteadOf(names: readonly string[]): string {
  return names
    .flatMap((name) => (Object.hasOwn(replacements, name) ? [` Instead of ${name}: ${replacements[name]!}.`] : []))
    .join('');
}

const windowOnlyNames = (): string[] => allTools().flatMap(({ name, needs }) => (needs === 'code' ? [name] : []));

/**
 * Returns all tools of a name. `within` lists the enclosing sets; inside a set of its own name, a name means the tool.
 */
function toolsNamed(
  name: string,
  custom: NonNullable<ToolChoice['custom']>,
  within: readonly string[] = [],
): readonly Tool[] {
  if (everything.includes(name)) return allTools();
  const set = within.includes(name) ? undefined : setNamed(name, custom);
  if (!set) return allTools().filter((tool) => tool.name === name);
  return [...set.tools, ...set.includes.flatMap((other) => toolsNamed(other, custom, [...within, name]))];
}

/** Returns the names of the tools that are removed if `name` is disabled. */
function namesDisabledBy(
  name: string,
  custom: NonNullable<ToolChoice['custom']>,
  within: readonly string[] = [],
): string[] {
  if (within.includes(name)) return [];
  const set = setNamed(name, custom);
  return [
    ...toolsNamed(name, custom).map((tool) => tool.name),
    ...(set?.alsoDisables ?? []),
    ...(set?.includes ?? []).flatMap((other) => namesDisabledBy(other, custom, [...within, name])),
  ];
}

function setNamed(
  name: string,
  custom: NonNullable<ToolChoice['custom']>,
): Required<Pick<Toolset, 'tools' | 'includes' | 'alsoDisables'>> | undefined {
  if (Object.hasOwn(custom, name)) return { tools: [], includes: custom[name]!, alsoDisables: [] };
  const set = knownToolsets.find((each) => each.name === name);
  return set && { tools: set.tools, includes: set.includes ?? [], alsoDisables: set.alsoDisables ?? [] };
}
