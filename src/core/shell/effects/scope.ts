import { anyOf, sequence, exactlyOneOf } from '../../text/alternatives';
import type { ConsentKind } from '../../../protocol/events/risk';
import type { DeleteEffect, Effect, Level, SimpleCommand } from './effect';
import type { Harm } from '../../risk/finding';
import { protectedWrites, matchingRules, secretReads } from '../../risk/pathRules';
import type { CommandContext } from './context';
import { temporaryFileAt } from './temporaryFiles';
import { folderAfterCd, resolvePlace, type Place } from '../syntax/place';
import { literal, type Value } from '../syntax/value';
import type { Script, Statement } from 'unbash';

/** The text is too long or too nested to judge. It is rejected as a whole. */
export class TooMuch extends Error {}

/** How much of a text may still be judged before it is rejected as too much. */
interface Budget {
  /** Number of parts left. */
  left: number;
  /** Number of characters left for the expansion of variables and braces. */
  expanded: number;
}

/** Text that the line writes to a file. What was recorded in `effects` from `since` on may have changed the file again. */
interface WrittenText {
  readonly text: string;
  readonly effects: readonly Effect[];
  readonly since: number;
}

/** State of the walk at one point of the line, and where it records effects. A subshell works on a copy. */
export interface Scope {
  cwd: string | undefined;
  /** Folders where the line may still be if a `cd` failed. */
  formerly: readonly string[];
  readonly variables: Map<string, Value>;
  readonly depth: number;
  readonly context: CommandContext;
  readonly effects: Effect[];
  /** Files that the line writes, by path, with their text as far as the line contains it. */
  readonly written: Map<string, WrittenText | undefined>;
  readonly budget: Budget;
  readonly parse: (text: string) => Script;
  readonly analyser: Analyser;
  /** The text being read. Positions of syntax nodes refer to it. */
  readonly text: string;
  /** Functions defined in the line, with their statements. */
  readonly functions: Map<string, readonly Statement[]>;
  /** Files passed down a PowerShell pipeline. */
  readonly listed?: readonly Value[];
  /** Like `listed`, but only what the previous command of the same pipeline passes. */
  readonly passed?: readonly Value[] | undefined;
  /** In PowerShell: the command gets the output of another one. */
  readonly piped?: boolean;
  /** What a group, a function or a nested shell gets as input, and with it each of its commands. */
  input: Flow;
  /** Collects words that the tables allow to be replaced by others without more risk. */
  readonly free?: Set<Value>;
}

/** What one program may know about another. */
interface KnownProgram {
  /** Projects declare it as a dependency, so `npx NAME` runs an installed copy. */
  readonly declared?: true;
}

/**
 * What programs and the shell grammar need from each other: `bash -c` reads shell text, and shell text starts programs.
 * Passed in the scope to avoid circular imports.
 */
export interface Analyser {
  /** Returns what is known about a program, or undefined if no family describes it. */
  readonly programNamed: (name: string) => KnownProgram | undefined;
  /** Judges a program called with these words. The first word is its name. */
  readonly judgeCall: (words: readonly Value[], scope: Scope, flow: Flow) => Flow;
  /** Judges text that a nested shell runs. */
  readonly judgeText: (text: string, scope: Scope) => void;
  /** Judges the statements of `text`, which was parsed. */
  readonly judgeScript: (script: Script, scope: Scope, text: string) => void;
  readonly judgeStatements: (statements: readonly Statement[], scope: Scope) => void;
  /** Returns whether a file named by an option of the program is data, and never settings or code. */
  readonly takesData: (program: string) => boolean;
  /** Returns the paths that a program prints, if its words determine them. */
  readonly pathsPrinted: (
    name: string,
    words: readonly Value[],
    before: Flow,
    scope: Scope,
  ) => readonly Value[] | undefined;
}

/** What one stage of a pipeline passes to the next. */
export interface Flow {
  readonly paths?: readonly Value[] | undefined;
  readonly network?: boolean;
  /** Workspace files whose content it receives. */
  readonly input?: readonly string[] | undefined;
  /** Input text that is written in the line itself. */
  readonly inputText?: readonly string[] | undefined;
  /** Its input comes from the previous command. */
  readonly piped?: boolean;
  /** Commands before it may have read a part of the input. */
  readonly shared?: boolean;
  /** The previous command is Git and prints changes that it knows, as a patch. */
  readonly changes?: 'alone' | 'after a message' | undefined;
  /** The here-document used as input. */
  readonly written?: Value;
  /** Later stages of the pipeline show little of its output. */
  readonly narrowed?: boolean;
  /** File that a loop reads line by line. */
  readonly lines?: string;
  /** Origin of the text: the position of that stage in the line, and its address or program. */
  readonly source?: FlowSource;
}

/** The stage of a pipeline whose output the text is. `index`: its position in the line, from 0. */
export interface FlowSource {
  readonly index: number;
  readonly address?: string;
  readonly program?: string;
}

/** Returns what each command gets of the input of its group, of its function or of its nested shell. */
export const sharedInput = ({ input, inputText, piped = false }: Flow): Flow => ({
  input,
  inputText,
  piped,
  shared: true,
});

/** Judges a group, a function or a nested shell that gets this input. */
export function withInput<Result>(scope: Scope, flow: Flow, judge: () => Result): Result {
  const before = scope.input;
  const given = sharedInput(flow);
  scope.input = given;
  const result = judge();
  // `exec < file` inside changes the input of the commands after it.
  if (scope.input === given) scope.input = before;
  return result;
}

export function inner(scope: Scope): Scope {
  if (scope.depth >= 8) throw new TooMuch('Is nested too deeply to judge.');
  return { ...scope, depth: scope.depth + 1, variables: new Map(scope.variables), functions: new Map(scope.functions) };
}

/** Deducts work from the budget. Throws `TooMuch` if it is exhausted. */
export function spend(scope: Scope, amount = 1): void {
  scope.budget.left -= amount;
  if (scope.budget.left < 0) throw new TooMuch('Has too many parts to judge.');
}

/**
 * Deducts expanded characters from the budget. Without a limit, a line of ten variables that each repeat the previous
 * one eight times would expand to gigabytes. Throws `TooMuch` if it is exhausted.
 */
export function spendExpanded(scope: Scope, characters: number): void {
  scope.budget.expanded -= characters;
  if (scope.budget.expanded < 0) throw new TooMuch('Uses variables that expand to too much text to judge.');
}

export function note(scope: Scope, level: Level, culprit: string, reason?: string): void {
  scope.effects.push({ kind: 'other', level, culprit, ...(reason !== undefined && { reason }) });
}

/** Records an effect with the kind of harm, where its reason does not tell. */
export function noteHarm(
  scope: Scope,
  {
    reason,
    ...effect
  }: { readonly level: Level; readonly culprit: string; readonly reason?: string | undefined; readonly harm?: Harm },
): void {
  scope.effects.push({ kind: 'other', ...effect, ...(reason !== undefined && { reason }) });
}

/** Records what a table says about a program in general. A more specific finding replaces it. */
export function noteGenerally(scope: Scope, level: Level, culprit: string, reason: string | undefined): void {
  scope.effects.push({ kind: 'other', level, culprit, general: true, ...(reason !== undefined && { reason }) });
}

/** Records an effect that requires approval. If `harm` is absent, it is derived from the reason. */
export const refuse = (scope: Scope, culprit: string, reason: string, harm?: Harm): void =>
  noteHarm(scope, { level: 'high', culprit, reason, ...(harm && { harm }) });

/** Records an effect that no mode and no rule allows without approval. See floor.ts. */
export function refuseFloor(scope: Scope, culprit: string, reason: string): void {
  scope.effects.push({ kind: 'other', level: 'high', floor: true, reason, culprit });
}

/** Records an effect that requires approval, unless a person consented to this kind beforehand. */
export function refuseKind(scope: Scope, consent: ConsentKind, culprit: string, reason: string): void {
  scope.effects.push({ kind: 'other', level: 'high', culprit, reason, consent });
}

/**
 * Records something that requires approval only because it is not understood. `consent` is the kind that covers it. In
 * a script that is unchanged since the session began it counts less; see `scriptText.ts`.
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

/**
 * Attributes the effects recorded since `before` to a command. Effects that have a command already get this one as
 * `startedBy`.
 */
export function attribute({ effects }: Scope, before: number, by: SimpleCommand): void {
  for (let at = before; at < effects.length; at++) {
    const effect = effects[at]!;
    effects[at] = effect.by ? { ...effect, startedBy: by.whole } : { ...effect, by };
  }
}

/**
 * Records a program that the tables do not know. In a sandbox it can only change the workspace, so it may run, unless
 * an argument is secret, protected, or known only at run time.
 */
export function unknownProgram(scope: Scope, words: readonly Value[], culprit: string, reason: string): void {
  if (!scope.context.confined || words.some(({ kind }) => kind === 'unknown')) {
    const isPlain = words.every(isPlainArgument);
    return doubt(scope, culprit, reason, isPlain ? 'unknown-programs' : undefined);
  }
  note(
    scope,
    'medium',
    culprit,
    `${reason} It runs in the sandbox, without network, and can write only the workspace.`,
  );
  const paths = words
    .map((value) => ({ ...value, text: value.text.replace(/^--?[\w-]+=|^-[a-zA-Z](?=\.\w)/, '') }))
    .filter(({ text }) => /[./~\\]/.test(text));
  for (const path of paths) for (const kind of ['reads', 'writes'] as const) touch(scope, kind, path);
}

/**
 * Returns whether a word may be passed to an unknown program if a person consented to such programs. It must be literal
 * and name nothing outside the workspace, nothing protected or secret, and no address.
 */
function isPlainArgument({ kind, text }: Value): boolean {
  if (kind !== 'literal') return false;
  const path = text.replace(/^--?[\w-]+=/, '');
  if (/^[/~]|\\|:|(^|\/)\.\.(\/|$)|(^|\/)\.[^/]/.test(path)) return false;
  return matchingRules(path, [...protectedWrites, ...secretReads]).length === 0;
}

/** Reports a started program to `context.started`. `data` are the files that it is known to read or write. */
export const reportStarted = (
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
  const place = resolvePlace(value, scope.cwd, scope.context);
  for (const one of [place, ...escapes(value, place, scope), ...linkedPlaces(value, scope)]) {
    if (kind === 'writes') markWritten(scope, one);
    scope.effects.push({ kind, place: one, culprit });
  }
}

/** Records that a place is written, with text that is not known. Forgets the texts of all files that it may name. */
function markWritten({ written }: Scope, { where, path, glob, behindLink }: Place): void {
  if (where === 'stream') return void written.set(path, undefined);
  const isOneFile = where === 'inside' && !glob && !behindLink;
  for (const known of written.keys()) if (!isOneFile || known.startsWith(`${path}/`)) written.set(known, undefined);
  written.set(path, undefined);
}

/**
 * Records the text that a command wrote to a file and that the line contains. `before` is the number of effects before
 * the command.
 */
export function recordText(scope: Scope, { file, text, before }: { file: Value; text: string; before: number }): void {
  const { effects, written } = scope;
  const { where, path } = resolvePlace(file, scope.cwd, scope.context);
  const isMadeFolder = (folder: string): boolean =>
    effects.every((effect) => effect.kind !== 'writes' || effect.place.path !== folder || effect.by?.name === 'mkdir');
  const isElsewhere = effects.slice(before).some((effect) => effect.kind === 'writes' && effect.place.path !== path);
  const earlier = effects.slice(0, before);
  const isChangedBefore = earlier.some((effect) => effect.kind === 'writes' && effect.place.path === path);
  const folders = path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'));
  const areKnownFolders = folders.every((folder) => !written.has(folder) || isMadeFolder(folder));
  if (where !== 'inside' && !isPrivateTemporary({ where, path }, scope)) return;
  if (isElsewhere || isChangedBefore || !areKnownFolders) return;
  written.set(path, { text, effects, since: effects.length });
}

/** Returns whether a path is a temporary file that only this session can change: the sandbox has its own `/tmp`. */
const isPrivateTemporary = (place: Pick<Place, 'where' | 'path'>, { context }: Scope): boolean =>
  context.confined === true && ['none', 'ours'].includes(temporaryFileAt(place, context) ?? 'others');

/** Returns whether an argument is a temporary file of this session, alone or after `--option=`. */
export function isOwnTemporary({ kind, text }: Value, scope: Scope): boolean {
  const path = text.replace(/^--?[\w-]+=/, '');
  const place = resolvePlace(literal(path), scope.cwd, scope.context);
  return kind === 'literal' && /^\/[\w./+-]+$/.test(path) && isPrivateTemporary(place, scope);
}

/**
 * Returns the text of a temporary script that the line wrote, or undefined if its text is not known. It counts as
 * changed from now on, because the script may change itself.
 */
export function temporaryScript(scope: Scope, place: Place): string | undefined {
  const text = isPrivateTemporary(place, scope) ? textWritten(scope, place.path) : undefined;
  if (text !== undefined) scope.written.set(place.path, undefined);
  return text;
}

/** Commands that change no file but those that their effects name. */
const changesNothingElse = exactlyOneOf(['cat cd chmod echo mkdir printf']);

/** Returns the text that the line wrote to a file, or undefined if anything else may have changed it since. */
export function textWritten(scope: Scope, path: string): string | undefined {
  const found = scope.written.get(path);
  if (!found || found.effects !== scope.effects) return undefined;
  const isUnchanged = scope.effects.slice(found.since).every(
    (effect) =>
      ['reads', 'searches', 'lists', 'writes'].includes(effect.kind) ||
      // Without a command, it belongs to the one that is being judged.
      effect.by === undefined ||
      changesNothingElse.test(effect.by.name),
  );
  return isUnchanged ? found.text : undefined;
}

/** Judges what runs or reads files as if the line had not written them: their text was judged, or is only data. */
export function withoutWritten(scope: Scope, paths: readonly string[], judgeRun: () => void): void {
  for (const path of paths) scope.written.delete(path);
  judgeRun();
  for (const path of paths) scope.written.set(path, undefined);
}

/** Returns where a path leads out of the workspace if a `cd` failed. */
const escapes = (value: Value, { where }: Place, { formerly, context }: Scope): Place[] =>
  where === 'inside'
    ? formerly
        .map((cwd) => resolvePlace(value, cwd, context))
        .filter((place) => place.where === 'outside')
        .slice(0, 1)
    : [];

/** Returns what `cd dist; rm -rf *` deletes if the `cd` fails. */
const withoutCd = (value: Value, { where }: Place, { formerly, context }: Scope): Place[] =>
  where === 'inside' && (value.kind === 'glob' || value.text === '.')
    ? formerly
        .map((cwd) => resolvePlace(value, cwd, context))
        .filter((place) => place.where === 'inside')
        .slice(0, 2)
    : [];

/** Records what `cd dist; del *` deletes if the `cd` fails, for shells whose earlier folders are not known. */
export function dropWithoutCd(
  scope: Scope,
  value: Value,
  { recursive }: { readonly recursive: boolean },
  culprit: string,
): void {
  const start = scope.context.folder ?? '.';
  const isWide = value.kind === 'glob' || value.text === '.';
  if (isWide && scope.cwd !== start && !scope.text.includes('&&'))
    drop({ ...scope, cwd: start }, value, { recursive }, culprit);
}

/** Sets the sentence for people on the writes and deletions recorded since `before`. */
export function describeWrites(
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

/** `$X/*`, `"${X}/"*` */
const rootIfEmpty = /^"?\$\{?([a-z_]\w*)\}?"?\/+"?(?:\.?\*)?"?$/i;
/** `${X[0]}/`, `${!X}/*`, `${X:1}/`: a part of a variable, which may be empty. */
const rootIfPartEmpty =
  /^"?\$\{(?:[!#]?\w*\[[^\]{}]*\]|![^{}]{1,40}|\w+(?:[:%#/^,@][^?=+{}-][^{}]{0,40}))\}"?\/+"?(?:\.?\*)?"?$/;
/** `$(x)/*` */
const rootIfSilent = /^"?\$\([^]*\)"?\/+"?(?:\.?\*)?"?$/;
/** `/$X`, `/${1}/*`, `/{}` of xargs, `/!(tmp)` */
const belowRoot = /^"?\/+"?(?:\$\{?(?!TMPDIR\b)\w+\}?|\{\}|[@!?*+]\([^()]*\))"?(?:\/\*?)?"?$/;

/**
 * Returns whether a word names the root if the variable in it is empty and the line does not set it, or if a command in
 * it prints nothing, or else a folder in the root, whatever the variable is.
 */
function mayNameRoot({ kind, source }: Value, { variables, context }: Scope): DeleteEffect['mayBeRoot'] {
  if (kind !== 'unknown') return undefined;
  if (belowRoot.test(source)) return 'or a folder in it';
  if (rootIfSilent.test(source)) return 'if a command prints nothing';
  if (rootIfPartEmpty.test(source)) return 'if a variable is empty';
  const name = rootIfEmpty.exec(source)?.[1];
  const isUnset = name !== undefined && name !== 'TMPDIR' && !variables.has(name) && !context.variables?.[name];
  return isUnset ? 'if a variable is empty' : undefined;
}

export function drop(
  scope: Scope,
  value: Value,
  { recursive, isMadeHere = false }: { readonly recursive: boolean; readonly isMadeHere?: boolean },
  culprit = value.source,
): void {
  const place = resolvePlace(value, scope.cwd, scope.context);
  const mayBeRoot = recursive ? mayNameRoot(value, scope) : undefined;
  for (const one of [place, ...escapes(value, place, scope), ...withoutCd(value, place, scope)])
    scope.effects.push({
      kind: 'deletes',
      place: one,
      recursive,
      culprit,
      ...(mayBeRoot && { mayBeRoot }),
      ...(isMadeHere && one === place && { isMadeHere }),
    });
  // A link itself is deleted, not its target. Only the folders above it are resolved.
  const name = /(?<![^/])[^/]+$/.exec(value.text)?.[0];
  const above =
    name === undefined || name === '..' ? value : { ...value, text: value.text.slice(0, -name.length) || '.' };
  const pattern = { glob: value.kind === 'glob', ...(value.hidden && { hidden: true }) };
  for (const place of linkedPlaces(above, scope))
    scope.effects.push({
      kind: 'deletes',
      place: above === value ? place : { ...place, ...pattern, path: folderAfterCd(place.path, name!) },
      recursive,
      culprit,
    });
}

/** Returns the real places behind links in a path, as far as the disk was consulted. */
export function linkedPlaces(value: Value, { cwd, context }: Scope): Place[] {
  const { linkTargets } = context;
  if (!linkTargets || value.kind === 'unknown' || resolvePlace(value, cwd, context).where !== 'inside') return [];
  const spelled = value.text.startsWith('/') || cwd === undefined || cwd === '.' ? value.text : `${cwd}/${value.text}`;
  return linkTargets(spelled, value.kind === 'glob').map((path) => ({
    ...resolvePlace(literal(path), '.', context),
    behindLink: true,
  }));
}

/** Returns the folder that a line runs in, as the base for relative paths. */
export function runFolder({ cwd, context: { workspace } }: Scope): string | undefined {
  if (cwd === undefined || cwd === '.' || /^[~/]/.test(cwd)) return cwd === '.' && workspace ? workspace : cwd;
  return workspace && `${workspace}/${cwd}`;
}

/** Files that decide which commands run when a project is built, tested or started. */
const holdsScripts = anyOf(
  [
    /\.(sh|bash|zsh|fish|mk|gradle|kts|toml|cfg|ini|ya?ml|cmake|bzl|sbt|gemspec|cabal|rake|tf|(cs|fs|vb)proj|props|targets)$/,
    sequence([
      /(^|\/)/,
      anyOf([
        'package.json makefile gnumakefile justfile rakefile dockerfile conftest.py setup.py build.rs gemfile',
        'pom.xml cmakelists.txt meson.build build.ninja noxfile.py gulpfile.js gruntfile.js vagrantfile procfile',
        'fastfile podfile package.swift mix.exs project.clj deps.edn build.zig build.bazel snakefile',
        'module.bazel composer.json deno.json deno.jsonc nx.json turbo.json angular.json sconstruct',
        'cmakepresets.json',
      ]),
      /$/,
    ]),
    /(\.config|\.rc|(^|\/)\.\w+rc)\.[a-z]+$/,
  ],
  'i',
);

/** Likewise, but only in this case: `build` is usually a folder. */
const holdsRules = /(?:^|\/)(?:BUILD|WORKSPACE|dune)$/;

const builders = exactlyOneOf([
  /(?:[a-z0-9_]+-)*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|rustc|javac|kotlinc|ghc|nim|ld)/,
  'go cargo make cmake ninja meson zig tsc',
  /npx tsc/,
  'esbuild swiftc dotnet mkdir',
]);

/**
 * Returns whether all files written by this line were written by commands that satisfy `by`. False if the writer of a
 * file is unknown.
 */
export function writtenOnlyBy({ effects, written }: Scope, by: (command: SimpleCommand) => boolean): boolean {
  const writes = effects.filter((effect) => effect.kind === 'writes');
  const places = new Set(writes.map(({ place }) => place.path));
  return (
    writes.every((effect) => effect.by !== undefined && by(effect.by)) &&
    [...written.keys()].every((path) => places.has(path))
  );
}

/**
 * Describes a file that is concerned and that the line changed before this point, unless only commands that satisfy `by`
 * wrote files. Undefined if there is none.
 */
export function changedBefore(
  scope: Scope,
  concerns: (path: string) => boolean,
  by: (command: SimpleCommand) => boolean,
): string | undefined {
  const changed = [...scope.written.keys()].find(concerns);
  return changed === undefined || writtenOnlyBy(scope, by) ? undefined : whatChanged(changed, scope);
}

/**
 * Describes what changed a file that is run: this line, or another line of the same command; or that only its mode
 * changed.
 */
function whatChanged(path: string, { effects, text }: Scope): string {
  const writes = effects.filter((effect) => effect.kind === 'writes').filter(({ place }) => place.path === path);
  const isOneLine = !text.trim().includes('\n') && writes.some(({ script }) => script === undefined);
  const isMode = writes.length > 0 && writes.every(({ says }) => says === modeChanged(path));
  const what = isMode ? `the permissions of ${path}` : path;
  // The writer is unknown inside a script that runs afterwards.
  return `the same ${isOneLine ? 'line' : 'command'} changed ${what}${writes.length > 0 ? '' : ' or its permissions'}`;
}

export const modeChanged = (path: string): string => `Changes the permissions of ${path}.`;

/**
 * Records that a script of the project runs, by name or path. Refuses it if the same line wrote something that it may
 * run. `unseen` is what to call it if it could not be read.
 */
export function recordScriptRun(scope: Scope, name: string, culprit: string, unseen?: string): void {
  const words = name
    .split(' ')
    .map((word) => word.replace(/^(\.\/)+/, ''))
    .filter(Boolean);
  // Some callers name files from the current folder, others from the workspace.
  const paths = words.flatMap((word) =>
    [scope.cwd ?? '.', '.'].map((folder) => resolvePlace(literal(word), folder, scope.context).path),
  );
  const isInside = (path: string): boolean =>
    !path.startsWith('/') || resolvePlace(literal(path), '.', scope.context).where === 'inside';
  const changed = changedBefore(
    scope,
    (path) => paths.includes(path) || ((holdsScripts.test(path) || holdsRules.test(path)) && isInside(path)),
    ({ name: program }) => builders.test(program),
  );
  if (changed !== undefined) refuse(scope, culprit, `Runs code after ${changed}.`);
  const folder = scope.context.otherFolders?.find((other) => name.startsWith(`${other}/`));
  const ownName = folder === undefined ? name : name.slice(folder.length + 1);
  scope.effects.push({ kind: 'runs', name: ownName, culprit, ...(unseen !== undefined && { unseen }) });
}
