import { anyOf, sequence, wholly } from '../../text/alternatives';
import type { ConsentKind } from '../../../protocol/events/risk';
import type { Effect, Level, SimpleCommand } from './effect';
import type { Harm } from '../../risk/finding';
import { protectedWrites, rulesFor, secretReads } from '../../risk/pathRules';
import type { CommandContext } from './context';
import { joined, placeOf, type Place } from '../syntax/place';
import { literal, type Value } from '../syntax/value';
import type { Script, Statement } from 'unbash';

export class TooMuch extends Error {}

/** How much of a text may still be judged before it counts as too much. */
export interface Budget {
  /** Parts of it. */
  left: number;
  /** Characters that its variables and braces stand for. */
  expanded: number;
}

/** What the walk knows at one point of the line, and where it leaves what it finds. A subshell works on a copy. */
export interface Scope {
  cwd: string | undefined;
  /** Folders where the line still is if a `cd` failed. */
  formerly: readonly string[];
  readonly variables: Map<string, Value>;
  readonly depth: number;
  readonly context: CommandContext;
  readonly effects: Effect[];
  readonly written: Set<string>;
  readonly budget: Budget;
  readonly parse: (text: string) => Script;
  readonly analyser: Analyser;
  /** The text that is being read, in which the nodes of the syntax tree have their places. */
  readonly text: string;
  /** The functions that the line has defined, with what is in them. */
  readonly functions: Map<string, readonly Statement[]>;
  /** The files that come down a pipeline of PowerShell. */
  readonly listed?: readonly Value[];
  /** Collects the words of the line of which the tables say that others in their place would be no more dangerous. */
  readonly free?: Set<Value>;
}

/** What a program may know of another one. */
interface KnownProgram {
  /** Projects declare it, so that `npx NAME` runs what is installed already. */
  readonly declared?: true;
}

/**
 * What programs and the grammar of a shell need of each other: `bash -c` reads shell text, and shell text starts
 * programs.
 * It travels in the scope, so that neither of them imports the other.
 */
export interface Analyser {
  /** What is known of a program; undefined for one that no family describes. */
  readonly programNamed: (name: string) => KnownProgram | undefined;
  /** Judges a program that is called with these words; the first names it. */
  readonly judgeCall: (words: readonly Value[], scope: Scope, flow: Flow) => Flow;
  /** Judges text that a nested shell runs. */
  readonly judgeText: (text: string, scope: Scope) => void;
  readonly judgeScript: (script: Script, scope: Scope) => void;
  readonly judgeStatements: (statements: readonly Statement[], scope: Scope) => void;
  /** Whether a file that an option names is data to a program, and never settings or code. */
  readonly takesData: (program: string) => boolean;
  /** The paths that a program prints, where its words tell. */
  readonly pathsPrinted: (
    name: string,
    words: readonly Value[],
    before: Flow,
    scope: Scope,
  ) => readonly Value[] | undefined;
}

/** What a command hands to the next one of a pipeline. */
export interface Flow {
  readonly paths?: readonly Value[] | undefined;
  readonly network?: boolean;
  /** The files of the workspace whose text it gets. */
  readonly input?: readonly string[];
  /** Text of its input that stands in the line itself. */
  readonly given?: readonly string[];
  /** Its input comes from the command before it. */
  readonly piped?: boolean;
  /** That command is Git, so that its output is of the repository. */
  readonly fromGit?: boolean;
  /** The here-document that is its input. */
  readonly written?: Value;
  /** Later programs of the pipeline show little of its output. */
  readonly narrowed?: boolean;
  /** The file that a loop reads line by line. */
  readonly lines?: string;
  /** Where the text comes from: the place of that stage in the line, and its address or its program. */
  readonly source?: FlowSource;
}

export interface FlowSource {
  readonly at: number;
  readonly address?: string;
  readonly program?: string;
}

export function inner(scope: Scope): Scope {
  if (scope.depth >= 8) throw new TooMuch('It is nested too deeply to judge.');
  return { ...scope, depth: scope.depth + 1, variables: new Map(scope.variables), functions: new Map(scope.functions) };
}

/** Counts work; a line that needs too much of it is not judged further. */
export function spend(scope: Scope, amount = 1): void {
  scope.budget.left -= amount;
  if (scope.budget.left < 0) throw new TooMuch('It has too many parts to judge.');
}

/**
 * Counts what variables and braces stand for: each variable may hold the one before it eight times, so that a line of
 * ten comes to gigabytes.
 */
export function spendExpanded(scope: Scope, characters: number): void {
  scope.budget.expanded -= characters;
  if (scope.budget.expanded < 0) throw new TooMuch('Its variables stand for too much text to judge.');
}

export function note(scope: Scope, level: Level, culprit: string, reason?: string, harm?: Harm): void {
  scope.effects.push({ kind: 'other', level, culprit, ...(reason !== undefined && { reason }), ...(harm && { harm }) });
}

/** What a table says of a program in general. A special finding takes its place. */
export function noteGenerally(scope: Scope, level: Level, culprit: string, reason: string | undefined): void {
  scope.effects.push({ kind: 'other', level, culprit, general: true, ...(reason !== undefined && { reason }) });
}

/** Asks about it. `harm`: what it threatens; a known change of what others go by when absent. */
export const refuse = (scope: Scope, culprit: string, reason: string, harm?: Harm): void =>
  note(scope, 'high', culprit, reason, harm);

/** Asks about it, unless a person consented to such things beforehand. */
export function refuseKind(scope: Scope, consent: ConsentKind, culprit: string, reason: string): void {
  scope.effects.push({ kind: 'other', level: 'high', culprit, reason, consent });
}

/**
 * Refuses what is merely not understood. `consent`: the kind that covers it. In a script that is as it was when the
 * session began this weighs less; see `scriptText.ts`.
 */
export function doubt(scope: Scope, culprit: string, reason: string, consent?: ConsentKind): void {
  scope.effects.push({
    kind: 'other',
    level: 'high',
    culprit,
    reason,
    unsure: true,
    ...(consent && { consent }),
  });
}

/** Says of the effects found since `before` which command has them. What that command starts says so itself. */
export function attribute({ effects }: Scope, before: number, by: SimpleCommand): void {
  for (let at = before; at < effects.length; at++) {
    const effect = effects[at]!;
    effects[at] = effect.by ? { ...effect, startedBy: by.whole } : { ...effect, by };
  }
}

/**
 * A program that the tables do not know. In a sandbox it can do no more than change the workspace, so that it may
 * run, unless it is given
 * something that is secret, protected, or only known when it runs.
 */
export function unknownProgram(scope: Scope, given: readonly Value[], culprit: string, reason: string): void {
  if (!scope.context.confined || given.some(({ kind }) => kind === 'unknown')) {
    const isPlain = given.every(isPlainArgument);
    return doubt(scope, culprit, reason, isPlain ? 'unknown-programs' : undefined);
  }
  note(
    scope,
    'medium',
    culprit,
    `${reason} It runs in the sandbox: without network, and only the workspace can be written.`,
  );
  const paths = given
    .map((value) => ({ ...value, text: value.text.replace(/^--?[\w-]+=/, '') }))
    .filter(({ text }) => /[./~\\]/.test(text));
  for (const path of paths) for (const kind of ['reads', 'writes'] as const) touch(scope, kind, path);
}

/**
 * Whether a word can be given to a program that nobody knows, where a person consented to such programs: it is known
 * before it runs, and names nothing outside the workspace, nothing protected or secret, and no address.
 */
function isPlainArgument({ kind, text }: Value): boolean {
  if (kind !== 'literal') return false;
  const path = text.replace(/^--?[\w-]+=/, '');
  if (/^[/~]|\\|:|(^|\/)\.\.(\/|$)|(^|\/)\.[^/]/.test(path)) return false;
  return rulesFor(path, [...protectedWrites, ...secretReads]).length === 0;
}

/** Tells who listens of a program that is started. `data`: what it is known to read or write. */
export const tellOf = (
  words: readonly Value[],
  { cwd, formerly, context }: Pick<Scope, 'cwd' | 'formerly' | 'context'>,
  data: readonly string[] = [],
): void => context.started?.({ words, folders: cwd === undefined ? undefined : [cwd, ...formerly], data });

export function touch(
  scope: Scope,
  kind: 'reads' | 'searches' | 'lists' | 'writes',
  value: Value,
  culprit = value.source,
): void {
  const place = placeOf(value, scope.cwd, scope.context.workspace);
  for (const one of [place, ...escapes(value, place, scope), ...linkedPlaces(value, scope)]) {
    if (kind === 'writes') scope.written.add(one.path);
    scope.effects.push({ kind, place: one, culprit });
  }
}

/** Where a path leads out of the workspace if a `cd` failed. */
const escapes = (value: Value, { where }: Place, { formerly, context }: Scope): Place[] =>
  where === 'inside'
    ? formerly
        .map((cwd) => placeOf(value, cwd, context.workspace))
        .filter((place) => place.where === 'outside')
        .slice(0, 1)
    : [];

/** Says of the files that were found to be written since `before` what becomes of them. */
export function sayOfWrites(
  { effects }: Scope,
  before: number,
  says: (place: Place, culprit: string) => string | undefined,
): void {
  for (let at = before; at < effects.length; at++) {
    const effect = effects[at]!;
    if (effect.kind !== 'writes' && effect.kind !== 'deletes') continue;
    const sentence = says(effect.place, effect.culprit);
    if (sentence !== undefined) effects[at] = { ...effect, says: sentence };
  }
}

export function drop(scope: Scope, value: Value, recursive: boolean, culprit = value.source): void {
  const place = placeOf(value, scope.cwd, scope.context.workspace);
  for (const one of [place, ...escapes(value, place, scope)])
    scope.effects.push({ kind: 'deletes', place: one, recursive, culprit });
  // What goes is the link itself; only the folders on the way are followed.
  const name = /(?<![^/])[^/]+$/.exec(value.text)?.[0];
  const above =
    name === undefined || name === '..' ? value : { ...value, text: value.text.slice(0, -name.length) || '.' };
  for (const place of linkedPlaces(above, scope))
    scope.effects.push({
      kind: 'deletes',
      place: above === value ? place : { ...place, path: joined(place.path, name!) },
      recursive,
      culprit,
    });
}

/** Where links on the way really lead, as far as the disk was asked. */
export function linkedPlaces(value: Value, { cwd, context: { workspace, leadsTo } }: Scope): Place[] {
  if (!leadsTo || value.kind === 'unknown' || placeOf(value, cwd, workspace).where !== 'inside') return [];
  const spelled = value.text.startsWith('/') || cwd === undefined || cwd === '.' ? value.text : `${cwd}/${value.text}`;
  return leadsTo(spelled, value.kind === 'glob').map((path) => ({
    ...placeOf(literal(path), '.', workspace),
    behindLink: true,
  }));
}

/** The folder a line is in, so that what is written behind it counts from there. */
export function folderOf({ cwd, context: { workspace } }: Scope): string | undefined {
  if (cwd === undefined || cwd === '.' || /^[~/]/.test(cwd)) return cwd === '.' && workspace ? workspace : cwd;
  return workspace && `${workspace}/${cwd}`;
}

const holdsScripts = anyOf(
  [
    /\.(sh|bash|zsh|fish|mk|gradle|kts|toml|cfg|ini|ya?ml)$/,
    sequence([
      /(^|\/)/,
      anyOf(['package.json makefile justfile rakefile dockerfile conftest.py setup.py build.rs gemfile']),
      /$/,
    ]),
    /\.(config|rc)\.[a-z]+$/,
  ],
  'i',
);

const builders = wholly([
  /(?:[a-z0-9_]+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|rustc|javac|kotlinc|ghc|nim|ld)/,
  'go cargo make cmake ninja meson zig tsc',
  /npx tsc/,
  'esbuild swiftc dotnet mkdir',
]);

/**
 * Whether everything that this line has written was written by commands of which `by` is true. Who wrote it must be
 * known.
 */
export function writtenOnlyBy({ effects, written }: Scope, by: (command: SimpleCommand) => boolean): boolean {
  const writes = effects.filter((effect) => effect.kind === 'writes');
  const places = new Set(writes.map(({ place }) => place.path));
  return (
    writes.every((effect) => effect.by !== undefined && by(effect.by)) && [...written].every((path) => places.has(path))
  );
}

/** Whether running what was written runs code of the project, since only compilers wrote it. */
const onlyBuilt = (scope: Scope): boolean => writtenOnlyBy(scope, ({ name }) => builders.test(name));

/**
 * Says what wrote a file that is run now: this line, or another one of the same command; or that only its mode was
 * changed.
 */
function whatChanged(path: string, { effects, text }: Scope): string {
  const writes = effects.filter((effect) => effect.kind === 'writes').filter(({ place }) => place.path === path);
  const isOneLine = !text.trim().includes('\n') && writes.some(({ script }) => script === undefined);
  const isMode = writes.length > 0 && writes.every(({ says }) => says === modeChanged(path));
  const what = isMode ? `the permissions of ${path}` : path;
  // Who wrote it is not known inside a script that runs after it.
  return `the same ${isOneLine ? 'line' : 'command'} changed ${what}${writes.length > 0 ? '' : ' or its permissions'}`;
}

export const modeChanged = (path: string): string => `Changes the permissions of ${path}.`;

/**
 * Runs a script of the project by name or path. What the same line wrote into is no longer known. `unseen`: what
 * it is called, where nobody could read it.
 */
export function run(scope: Scope, name: string, culprit: string, unseen?: string): void {
  const words = name.split(' ').map((word) => word.replace(/^(\.\/)+/, ''));
  const changed = [...scope.written].find(
    (path) => words.includes(path) || (holdsScripts.test(path) && !path.startsWith('/')),
  );
  if (changed !== undefined && !onlyBuilt(scope))
    refuse(scope, culprit, `It runs code after ${whatChanged(changed, scope)}.`);
  scope.effects.push({ kind: 'runs', name, culprit, ...(unseen !== undefined && { unseen }) });
}
