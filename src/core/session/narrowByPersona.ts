import type { ConfirmationMode, Limits, Mode, ActionEffect } from '../../protocol/events/event';
import type { Persona, Skill } from '../ports/skill';
import { isSelectedBy } from '../tools/addedTool';
import type { Need, Tool } from '../ports/tool';

/** Names of tools in other products, in lower case, with the effects of the matching Waymark tools. */
const kinds: Readonly<Record<string, readonly Tool['effect'][]>> = Object.fromEntries([
  ...[
    'read',
    'view',
    'grep',
    'glob',
    'ls',
    'search',
    'codebase',
    'usages',
    'readonly',
    'file_search',
    'text_search',
    'list',
    'problems',
    'changes',
  ].map((name) => [name, ['reads']] as const),
  ...[
    'edit',
    'write',
    'multiedit',
    'notebookedit',
    'editfiles',
    'str_replace_editor',
    'file_editor',
    'create',
    'new',
  ].map((name) => [name, ['reads', 'writes']] as const),
  ...[
    'bash',
    'terminal',
    'shell',
    'execute',
    'execute_bash',
    'runcommands',
    'runincommandline',
    'runtests',
    'runtasks',
    'runinterminal',
  ].map((name) => [name, ['executes']] as const),
  ...['task', 'agent', 'runsubagent'].map((name) => [name, ['delegates']] as const),
]);

/** Names in other products of tools that need a port, in lower case. */
const namesByNeed: Readonly<Partial<Record<Need, readonly string[]>>> = {
  web: ['web', 'webfetch', 'web_fetch', 'fetch', 'fetch_webpage'],
};

/**
 * Possible prefixes of a tool name. A kind of tools may also be a prefix, as in "search/codebase", and then limits the
 * match. Any other prefix names a server.
 */
const products = ['waymark', 'vscode', 'functions'];

/** Effects of tools that every persona may use: notes, questions and ending change nothing. */
const harmless: readonly Tool['effect'][] = ['notes', 'asks', 'ends'];

/** What a run may do, as far as a persona can restrict it. */
export interface Powers {
  readonly mode: Mode;
  readonly confirmation: ConfirmationMode;
  readonly limits: Limits;
  readonly disabledToolsets?: readonly string[];
}

/** Restricts the powers of a run to those of a persona. Never grants more than `choices`. */
export function narrowByPersona<Given extends Powers>(
  { persona = {} }: Skill,
  choices: Given,
  tools: readonly Tool[],
): Given & { readonly disabledToolsets: readonly string[] } {
  const { confirmation } = persona;
  const asksMore =
    confirmation !== undefined &&
    strictness[confirmation] > strictness[choices.mode === 'auto' ? 'never' : choices.confirmation];
  return {
    ...choices,
    ...(asksMore && { confirmation, ...(choices.mode === 'auto' && { mode: 'confirm' }) }),
    // In human mode, the model does nothing at all.
    ...(persona.mode && choices.mode !== 'human' && { mode: persona.mode }),
    limits: {
      steps: smallerLimit(choices.limits.steps, persona.steps),
      cost: smallerLimit(choices.limits.cost, persona.cost),
      seconds: smallerLimit(choices.limits.seconds, persona.seconds),
    },
    disabledToolsets: [
      ...new Set([
        ...(choices.disabledToolsets ?? []),
        ...tools.filter((tool) => !allows(persona, tool)).map(({ name }) => name),
      ]),
    ],
  };
}

const strictness: Record<ConfirmationMode, number> = { never: 0, risky: 1, always: 2 };

/** Returns the smaller limit. 0 means no limit. */
export function smallerLimit(one: number, other = 0): number {
  if (one === 0 || other === 0) return one + other;
  return Math.min(one, other);
}

function allows({ tools, without = [] }: Persona, tool: Tool): boolean {
  const { name, effect, from } = tool;
  if (without.some((written) => takesAway(written, tool))) return false;
  if (!tools || harmless.includes(effect)) return true;
  if (from) return tools.some((written) => meansAdded(written.toLowerCase(), name.toLowerCase()));
  return tools.some((written) => {
    if (/^mcp_|\/\*$/i.test(written)) return false;
    const [, prefix, plain = ''] =
      /^(?:([^/.]*)[/.])?(.*)$/s.exec(written.toLowerCase().replace(/^([^(]*)\(.*\)$/s, '$1')) ?? [];
    if (prefix !== undefined && !products.includes(prefix) && !isKind(prefix, effect)) return false;
    const isAll = plain === '*' || plain === 'all' || plain === 'default';
    // Permission to read the folder does not include the web. Web tools must be named, with Waymark's or another
    // product's name.
    return isAll || plain === name || (otherNamesOf(tool)?.includes(plain) ?? isKind(plain, effect));
  });
}

/**
 * Returns whether an entry removes a tool. Entries are interpreted broadly: "Bash(rm:*)" removes everything that "Bash"
 * is. The tools that end a run are never removed.
 */
function takesAway(written: string, tool: Tool): boolean {
  const { name, effect, from } = tool;
  const plain = written
    .toLowerCase()
    .replace(/^([^(]*)\(.*\)$/s, '$1')
    .trim();
  if (effect === 'ends') return false;
  if (from) return meansAdded(plain, name.toLowerCase());
  const word = products.reduce(
    (rest, product) =>
      rest.startsWith(`${product}/`) || rest.startsWith(`${product}.`) ? rest.slice(product.length + 1) : rest,
    plain,
  );
  if (word === '*' || word === 'all') return !harmless.includes(effect);
  // Editing includes reading, but removing edit tools does not remove reading.
  return (
    word === name ||
    otherNamesOf(tool)?.includes(word) === true ||
    (Object.hasOwn(kinds, word) && kinds[word]!.at(-1) === effect)
  );
}

/** Returns the names in other products of a tool that needs a port, or undefined for all others. */
const otherNamesOf = ({ needs }: Tool): readonly string[] | undefined => needs && namesByNeed[needs];

const isKind = (word: string, effect: Tool['effect']): boolean =>
  Object.hasOwn(kinds, word) && kinds[word]!.includes(effect);

/**
 * Returns whether an entry names an external tool: "mcp_github", "mcp__github__search", "github/search", "github/*" or
 * "*".
 */
function meansAdded(written: string, name: string): boolean {
  if (written === '*' || written === 'all') return true;
  const plain = written.replace(/\/\*$/, '').replace(/[/.]/, '_').replace(/_+/g, '_');
  return isSelectedBy([plain, `mcp_${plain}`], name);
}

/** Which effects include an effect. For example, a tool that runs commands can also read. */
const covered: Readonly<Partial<Record<ActionEffect, readonly ActionEffect[]>>> = {
  reads: ['reads', 'writes', 'executes'],
  writes: ['writes'],
  executes: ['executes'],
  delegates: ['delegates'],
};

/**
 * Returns the names of wanted tools that can do more than those in `own`: another kind of effect, external tools, or
 * effects that outlast the session.
 */
export function toolsExceeding(wanted: readonly Tool[], own: readonly Tool[]): string[] {
  return wanted
    .filter(({ name, effect, from, lasting }) => {
      if (own.some((tool) => tool.name === name && tool.effect === effect)) return false;
      if (from || lasting) return true;
      const kinds = covered[effect];
      return kinds !== undefined && !own.some((tool) => !tool.from && !tool.lasting && kinds.includes(tool.effect));
    })
    .map(({ name }) => name);
}
