import { judge } from '../verdict/policy';
import type { FoundScript, ScriptKind } from '../effects/context';
import type { Effect } from '../effects/effect';
import { joined } from '../syntax/place';
import { inner, note, refuse, run, type Scope } from '../effects/scope';
import type { Value } from '../syntax/value';

/**
 * Judges a script by its content. A script that changed is high risk whatever it contains: consent and trust were given
 * to another text. In an unchanged script, words that cannot be understood are the project's own business. Returns
 * false if nothing was found to judge. `chosen`: whether somebody named the script, so that its name says something.
 */
export function judgeFound(
  kind: ScriptKind,
  name: string,
  added: string,
  scope: Scope,
  culprit: string,
  chosen = true,
): boolean {
  const found = findScript(kind, name, scope);
  if (!found) return false;
  const effects: Effect[] = [];
  const own = { ...inner(scope), effects, variables: new Map() };
  if (found.standing === 'changed')
    refuse(scope, culprit, `The script ${name} changed since this session began.`, 'runs');
  if (found.text === undefined && found.standing === 'new')
    refuse(
      scope,
      culprit,
      `The script ${name} was not there when this session began, and cannot be read as plain commands.`,
    );
  if (found.text === undefined) note(own, 'medium', culprit, 'It runs code of this project.');
  else
    for (const text of [
      ...around(kind, `pre${name}`, scope),
      `${found.text}${added}`,
      ...around(kind, `post${name}`, scope),
    ])
      scope.analyser.judgeText(text, own);
  const place = placesIn(kind, name, found.text ?? '');
  const named = effects.map((effect): Effect => ({
    ...effect,
    script: { ...(effect.script ?? place(effect)), part: culprit },
  }));
  scope.effects.push(...(found.standing === 'same' ? named.map((effect) => softened(effect, culprit)) : named));
  if (chosen) nameAlone(name, scope, culprit, found.text === undefined ? scriptNames[kind] : undefined);
  return true;
}

/** What is called by a name that is not the name of a file. */
const scriptNames: Readonly<Partial<Record<ScriptKind, string>>> = {
  npm: 'script',
  make: 'make target',
  just: 'recipe',
  task: 'task',
};

/** What to call a script that was looked for and not found; undefined if nobody looked. */
export const unseenScript = (kind: ScriptKind, scope: Scope): string | undefined =>
  scope.cwd !== undefined && scope.context.lookUp ? scriptNames[kind] : undefined;

type PlaceInScript = Omit<NonNullable<Effect['script']>, 'part'>;

/** Where in a script its effects were found. What npm and make hold in another file has a name, but no line of its own. */
function placesIn(kind: ScriptKind, name: string, text: string): (effect: Effect) => PlaceInScript {
  const label = scriptNames[kind];
  if (label) {
    const place = { name: `The ${label}${name === '' ? '' : ` "${name}"`}` };
    return () => place;
  }
  if (!text.includes('\n')) return () => ({ name });
  const lineOf = firstLines(text);
  return ({ by, culprit }) => {
    const line = (by && lineOf(by.whole)) ?? lineOf(culprit);
    return { name, ...(line !== undefined && { line }) };
  };
}

/** Different commands of a script that are looked for in it; each costs a search of the whole text. */
const mostSought = 1000;

/** In which line of a text words stand first, from 1; undefined where they do not, and of too many different ones. */
function firstLines(text: string): (words: string) => number | undefined {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const known = new Map<string, number | undefined>();
  return (words) => {
    if (known.has(words) || known.size === mostSought) return known.get(words);
    const at = text.indexOf(words);
    const line = at < 0 ? undefined : countBelow(breaks, at) + 1;
    known.set(words, line);
    return line;
  };
}

/** How many of the sorted numbers are less than `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * A program in a language that is not analysed here. It is high risk if it changed since the session began, or if it
 * openly contains something alarming. The caller judges its name and its arguments.
 */
export function judgeProgram(path: string, scope: Scope, culprit: string): void {
  const found = findScript('program', path, scope);
  if (found?.standing === 'changed')
    refuse(
      scope,
      culprit,
      `The program ${path} changed since this session began or since it was last agreed to.`,
      'runs',
    );
  if (found?.alarm !== undefined) refuse(scope, culprit, `In ${path}: ${found.alarm}`, 'leaks');
}

/** Python runs these at its start, from each folder that it loads code from. */
const runAtStart = ['sitecustomize.py', 'usercustomize.py'];

/**
 * A program is told to load code from a folder of the workspace: it may run code of the project, whatever else it
 * does.
 */
export function loadWorkspace(folder: Value, scope: Scope, culprit: string): void {
  const loadedFrom = joined(scope.cwd ?? '.', folder.text);
  for (const name of runAtStart) judgeProgram(joined(loadedFrom, name), scope, culprit);
  note(scope, 'medium', culprit, 'It may load code of this project.');
}

const findScript = (kind: ScriptKind, name: string, scope: Scope): FoundScript | undefined =>
  scope.cwd === undefined ? undefined : scope.context.lookUp?.(kind, name, scope.cwd);

/** What npm runs before and after. */
function around(kind: ScriptKind, name: string, scope: Scope): string[] {
  const text = kind === 'npm' ? findScript(kind, name, scope)?.text : undefined;
  return text === undefined ? [] : [text];
}

/** The name may say that it publishes; the same line may have changed what it runs. */
function nameAlone(name: string, scope: Scope, culprit: string, unseen: string | undefined): void {
  const effects: Effect[] = [];
  run({ ...scope, effects }, name, culprit, unseen);
  scope.effects.push(...effects.filter((effect) => judge(effect).level === 'high'));
}

function softened(effect: Effect, culprit: string): Effect {
  const unclear =
    effect.kind === 'other'
      ? effect.unsure === true
      : effect.kind !== 'deletes' &&
        effect.kind !== 'fetches' &&
        effect.kind !== 'runs' &&
        effect.place.where === 'unknown';
  return unclear
    ? {
        kind: 'other',
        level: 'medium',
        culprit,
        reason: 'It runs a script of this project that is as it was when the session began.',
      }
    : effect;
}
