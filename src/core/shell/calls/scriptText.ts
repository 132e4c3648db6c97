import { judgeEffect } from '../verdict/judgeEffect';
import type { FoundScript, ScriptKind } from '../effects/context';
import type { Effect } from '../effects/effect';
import { folderAfterCd } from '../syntax/place';
import { inner, note, refuse, recordScriptRun, type Scope } from '../effects/scope';
import type { Value } from '../syntax/value';

/**
 * Judges a script by its content. A changed script is high risk, because consent and trust were given to another text,
 * unless it may run like an unknown program; see `mayRunChanged`. In an unchanged script, words that are not understood
 * are softened to medium. Returns false if no script was found. `chosen`: the script was named explicitly, so its name
 * is judged, too.
 */
export function judgeScriptText(
  {
    kind,
    name,
    added = '',
    chosen = true,
  }: {
    readonly kind: ScriptKind;
    readonly name: string;
    readonly added?: string;
    readonly chosen?: boolean;
  },
  scope: Scope,
  culprit: string,
): boolean {
  const script = findScript(kind, name, scope);
  if (!script) return false;
  judgeChange(script, { kind, name }, scope, culprit);
  const effects: Effect[] = [];
  const scriptScope = { ...inner(scope), effects, variables: new Map() };
  if (script.text === undefined) note(scriptScope, 'medium', culprit, 'Runs code of this project.');
  else
    for (const text of [
      ...npmScriptText(kind, `pre${name}`, scope),
      `${script.text}${added}`,
      ...npmScriptText(kind, `post${name}`, scope),
    ])
      scope.analyser.judgeText(text, scriptScope);
  const place = placesIn(kind, name, script.text ?? '');
  for (const effect of effects) {
    const placed: Effect = { ...effect, script: { ...(effect.script ?? place(effect)), part: culprit } };
    scope.effects.push(script.standing === 'same' && isUnclear(placed) ? unclearPart(culprit) : placed);
  }
  if (chosen) judgeName(name, scope, culprit, script.text === undefined ? scriptNames[kind] : undefined);
  return true;
}

/** Refuses a script that changed since the session began and may not run like an unknown program. */
function judgeChange(
  script: FoundScript,
  { kind, name }: { readonly kind: ScriptKind; readonly name: string },
  scope: Scope,
  culprit: string,
): void {
  const shown = name === '' ? `the first ${scriptNames[kind] ?? 'script'}` : `the script ${name}`;
  if (script.standing === 'changed' && !(isFile(kind) && mayRunChanged(script, scope)))
    refuse(scope, culprit, `Runs ${shown}, which changed since this session began.`, 'runs');
  else if (script.text === undefined && script.standing !== 'same')
    refuse(
      scope,
      culprit,
      `Runs ${shown}, which is new or changed since this session began and cannot be read as plain commands.`,
    );
}

/** Labels of scripts whose names are not file names. */
const scriptNames: Readonly<Partial<Record<ScriptKind, string>>> = {
  npm: 'script',
  make: 'make target',
  just: 'recipe',
  task: 'task',
};

/** Returns what to call a script that was looked for and not found, or undefined if nobody looked. */
export const missingScriptName = (kind: ScriptKind, scope: Scope): string | undefined =>
  scope.cwd !== undefined && scope.context.lookUp ? scriptNames[kind] : undefined;

type PlaceInScript = Omit<NonNullable<Effect['script']>, 'part'>;

/**
 * Returns a function that locates effects in a script. Scripts defined in another file, such as npm scripts and make
 * targets, have a name but no line numbers.
 */
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

/** Maximum number of different commands searched for in a script. Each costs a search of the whole text. */
const maxSearchedWords = 1000;

/**
 * Returns a function that finds the 1-based line of the first occurrence of a text. It returns undefined if there is
 * none, or if too many different texts were searched.
 */
function firstLines(text: string): (words: string) => number | undefined {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const known = new Map<string, number | undefined>();
  return (words) => {
    if (known.has(words) || known.size === maxSearchedWords) return known.get(words);
    const offset = text.indexOf(words);
    const line = offset < 0 ? undefined : countBelow(breaks, offset) + 1;
    known.set(words, line);
    return line;
  };
}

/** Returns how many of the sorted numbers are less than `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Judges a program in a language that is not analysed here. High risk if it contains something alarming in plain sight,
 * or changed since the session began and may not run like an unknown program. The caller judges its name and arguments.
 */
export function judgeProgram(path: string, scope: Scope, culprit: string): void {
  const found = findScript('program', path, scope);
  if (found?.standing === 'changed') {
    const reason = `Runs the program ${path}, which changed since this session began or since its last approval.`;
    if (mayRunChanged(found, scope)) note(scope, 'medium', culprit, reason);
    else refuse(scope, culprit, reason, 'runs');
  }
  if (found?.alarm !== undefined) refuse(scope, culprit, `${path}: ${found.alarm}`, 'leaks');
}

/**
 * Returns whether a changed file may run as an unknown program would: in a sandbox, it can only change the workspace.
 * Agents edit and run a program many times. A person who approved or refused a file decided about its content.
 */
const mayRunChanged = ({ otherWasDecided }: FoundScript, { context }: Scope): boolean =>
  context.confined === true && otherWasDecided !== true;

/** True for scripts that a path names. Others are what everyone in the project means by a name, such as a target. */
const isFile = (kind: ScriptKind): boolean => kind === 'file' || kind === 'text';

/** Python runs these at startup, from each folder that it loads code from. */
const runAtStart = ['sitecustomize.py', 'usercustomize.py'];

/**
 * Judges a program that is told to load code from a workspace folder. It may run code of the project, whatever else it
 * does.
 */
export function loadWorkspace(folder: Value, scope: Scope, culprit: string): void {
  const loadedFrom = folderAfterCd(scope.cwd ?? '.', folder.text);
  for (const name of runAtStart) judgeProgram(folderAfterCd(loadedFrom, name), scope, culprit);
  note(scope, 'medium', culprit, 'May load code of this project.');
}

const findScript = (kind: ScriptKind, name: string, scope: Scope): FoundScript | undefined =>
  scope.cwd === undefined ? undefined : scope.context.lookUp?.(kind, name, scope.cwd);

/** Returns the text of an npm script, if it exists. Empty for other kinds, which have no `pre…` and `post…` scripts. */
function npmScriptText(kind: ScriptKind, name: string, scope: Scope): string[] {
  const text = kind === 'npm' ? findScript(kind, name, scope)?.text : undefined;
  return text === undefined ? [] : [text];
}

/** Judges the name of a script: it may suggest publishing, and the same line may have changed the script. */
function judgeName(name: string, scope: Scope, culprit: string, unseen: string | undefined): void {
  const effects: Effect[] = [];
  recordScriptRun({ ...scope, effects }, name, culprit, unseen);
  scope.effects.push(...effects.filter((effect) => judgeEffect(effect).level === 'high'));
}

/** Returns whether an effect requires approval only because the script could not be understood. */
function isUnclear(effect: Effect): boolean {
  if (effect.kind === 'other') return effect.unsure === true;
  if (effect.kind === 'deletes' || effect.kind === 'fetches' || effect.kind === 'runs') return false;
  return effect.place.where === 'unknown';
}

/** What counts instead of an unclear effect in a script that has not changed. */
const unclearPart = (culprit: string): Effect => ({
  kind: 'other',
  level: 'medium',
  culprit,
  reason: 'Runs a script of this project that has not changed since the session began.',
});
