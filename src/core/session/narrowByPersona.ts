import type { ConfirmationMode, Limits, Mode } from '../../protocol/events/event';
import type { Persona, Skill } from '../ports/skill';
import type { Skills } from '../ports/environment';
import { isNamedBy } from '../tools/addedTool';
import { shownToPeople } from '../text/shownName';
import type { Need, Tool } from '../ports/tool';

/** What other products call their tools, in lower case, by what ours do. */
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

/** What other products call tools that need a port, in lower case. */
const namesByNeed: Readonly<Partial<Record<Need, readonly string[]>>> = {
  web: ['web', 'webfetch', 'web_fetch', 'fetch', 'fetch_webpage'],
};

/**
 * What may come before a tool's name: one of these, or a kind of tools, as in "search/codebase", which then limits the
 * match. Any other prefix names a server.
 */
const products = ['waymark', 'vscode', 'functions'];

/** Talking, thinking and ending change nothing: every persona can. */
const harmless: readonly Tool['effect'][] = ['notes', 'asks', 'ends'];

/** The persona of that name. Throws an `Error` in words for people that lists those there are. */
export async function personaNamed(name: string, skills: Skills | undefined, model: string): Promise<Skill> {
  const all = ((await skills?.used(model)) ?? []).filter(({ kind }) => kind === 'persona');
  const isMeant = (each: Skill): boolean => each.name.toLowerCase() === name.trim().toLowerCase();
  const found = all.find(isMeant);
  const unused = found
    ? undefined
    : (await skills?.all?.(model))?.find(({ skill }) => skill.kind === 'persona' && isMeant(skill));
  if (unused?.unused !== undefined)
    throw new Error(
      `The persona "${unused.skill.name}" of ${shownToPeople(unused.skill.path)} cannot be chosen. ${unused.unused}`,
    );
  if (!found)
    throw new Error(
      all.length === 0
        ? `There is no persona "${name}": no file in .agent/agents, nor in another place for personas, describes one.`
        : `There is no persona "${name}". There are: ${all.map((each) => shownToPeople(each.name)).join(', ')}.`,
    );
  return found;
}

export interface Powers {
  readonly mode: Mode;
  readonly confirmation: ConfirmationMode;
  readonly limits: Limits;
  readonly disabledToolsets?: readonly string[];
}

/** What is left of the powers of a run for a persona: never more than there were, in anything. */
export function narrowByPersona<Given extends Powers>(
  { persona = {} }: Skill,
  given: Given,
  tools: readonly Tool[],
): Given & { readonly disabledToolsets: readonly string[] } {
  const { confirmation } = persona;
  const asksMore =
    confirmation !== undefined &&
    strictness[confirmation] > strictness[given.mode === 'auto' ? 'never' : given.confirmation];
  return {
    ...given,
    ...(asksMore && { confirmation, ...(given.mode === 'auto' && { mode: 'confirm' }) }),
    // Where a person types each action the model does nothing at all.
    ...(persona.mode && given.mode !== 'human' && { mode: persona.mode }),
    limits: {
      steps: smaller(given.limits.steps, persona.steps),
      cost: smaller(given.limits.cost, persona.cost),
      seconds: smaller(given.limits.seconds, persona.seconds),
    },
    disabledToolsets: [
      ...new Set([
        ...(given.disabledToolsets ?? []),
        ...tools.filter((tool) => !allows(persona, tool)).map(({ name }) => name),
      ]),
    ],
  };
}

const strictness: Record<ConfirmationMode, number> = { never: 0, risky: 1, always: 2 };

/** 0 is no limit. */
export const smaller = (given: number, wanted = 0): number =>
  given === 0 ? wanted : wanted === 0 ? given : Math.min(given, wanted);

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
    // Who may read the folder may not read the web by that: it is named, as here or by other products.
    return isAll || plain === name || (otherNamesOf(tool)?.includes(plain) ?? isKind(plain, effect));
  });
}

/**
 * What is written narrows as far as it can be read: "Bash(rm:*)" takes away
 * whatever "Bash" is. Nobody is kept from ending.
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
  // Who may edit may read as well, and who may not edit may still.
  return (
    word === name ||
    otherNamesOf(tool)?.includes(word) === true ||
    (Object.hasOwn(kinds, word) && kinds[word]!.at(-1) === effect)
  );
}

/** The names of a tool that is of no kind; undefined for all others. */
const otherNamesOf = ({ needs }: Tool): readonly string[] | undefined => needs && namesByNeed[needs];

const isKind = (word: string, effect: Tool['effect']): boolean =>
  Object.hasOwn(kinds, word) && kinds[word]!.includes(effect);

/**
 * Tools that others give are allowed by name only: "mcp_github",
 * "mcp__github__search", "github/search", "github/*", or by "*".
 */
function meansAdded(written: string, name: string): boolean {
  if (written === '*' || written === 'all') return true;
  const plain = written.replace(/\/\*$/, '').replace(/[/.]/, '_').replace(/_+/g, '_');
  return isNamedBy([plain, `mcp_${plain}`], name);
}
