import { examineCommand } from './assessCommand';
import type { CommandContext, StartedProgram } from './effects/context';
import { isAllowedOutside } from './syntax/variablesOutside';
import { eachNamed } from './calls/manual';
import { folderAfterCd } from './syntax/place';
import type { Value } from './syntax/value';

/** Tests the words after a read-only program. */
type Words = (words: readonly Value[], folders?: readonly string[]) => boolean;

const any: Words = () => true;

/** If a file name could be taken for an option, no pattern may expand to such a name. */
const noNameAsOption: Words = (words) =>
  words.every(({ kind, text }) => kind === 'literal' || (kind === 'glob' && /^[^*?[\]{}-]/.test(text)));

const onlyVersion: Words = ([word, ...more]) =>
  more.length === 0 && word?.kind === 'literal' && /^(--version|-[vV])$/.test(word.text);

/** Options that read the program from a file, which may belong to the repository, are not allowed. */
const noProgramFile: Words = (words) =>
  noNameAsOption(words) && !words.some(({ text }) => /^-[a-zA-Z]*[fEil]|^--(file|exec|include|load)/.test(text));

const noSedFile: Words = (words) =>
  noNameAsOption(words) && !words.some(({ text }) => /^-[nErsuz]*f|^--file/.test(text));

/** Variables before a command. Their values are judged separately. */
const variables: Words = (words) => {
  const set = words.filter(
    ({ text }, at) => /^\w+=/.test(text) && words.slice(0, at).every((before) => /^\w+=/.test(before.text)),
  );
  const areHarmless = set.every(
    ({ kind, text }) =>
      kind === 'literal' && isAllowedOutside(text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)),
  );
  return areHarmless && set.length > 0;
};

/** Git verbs that only read, run no hooks, and cannot be overridden by an alias. */
const gitVerbs = new Set([
  'status',
  'log',
  'show',
  'diff',
  'blame',
  'annotate',
  'shortlog',
  'describe',
  'rev-parse',
  'rev-list',
  'ls-files',
  'ls-tree',
  'name-rev',
  'merge-base',
  'show-ref',
  'for-each-ref',
  'count-objects',
  'diff-tree',
  'diff-index',
  'diff-files',
  'check-ignore',
  'check-attr',
  'cat-file',
  'grep',
  'branch',
  'tag',
  'reflog',
  'stash',
  'remote',
  'config',
  'symbolic-ref',
  'worktree',
  'cherry',
]);

/** Folders of third-party packages. Repositories in them are not checked for programs that Git would start. */
const ofOthers = /(^|\/)(node_modules|\.?venv|site-packages|\.git)(\/|$)/;

interface GitCall {
  readonly verb: string;
  /** Folder that Git works in, relative to the workspace. */ readonly folder: string;
}

/** Returns the verb and folder of a Git call, or undefined if the call is not plain. */
function gitCall(words: readonly Value[], start: string): GitCall | undefined {
  let folder = start;
  for (let at = 0; at < words.length; at++) {
    const { text, kind } = words[at]!;
    if (!text.startsWith('-')) return { verb: text, folder };
    if (text === '-C') {
      const next = words[++at];
      if (next?.kind !== 'literal') return undefined;
      folder = folderAfterCd(folder, next.text);
    } else if (kind !== 'literal' || !/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(text))
      return undefined;
  }
  return undefined;
}

const git: Words = (words, folders) => {
  if (onlyVersion(words)) return true;
  // Git shows help with a program that the repository's settings may name.
  if (!folders || !noNameAsOption(words) || words.some(({ text }) => /^--he?l?p?$/.test(text))) return false;
  return folders
    .map((folder) => gitCall(words, folder))
    .every((call) => call !== undefined && gitVerbs.has(call.verb) && !ofOthers.test(call.folder));
};

/**
 * ★ Programs that plan mode runs. They read, and start nothing but programs listed here. Their arguments are judged by
 * the tables as well.
 */
const readOnlyPrograms: ReadonlyMap<string, Words> = new Map(
  Object.entries({
    ...eachNamed(
      `
      ls dir vdir cat tac nl rev head tail cut tr wc fold expand unexpand fmt paste comm join column od hexdump
      strings base64 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum
    `,
      any,
    ),
    ...eachNamed(
      `
      grep egrep fgrep diff cmp file stat du df pwd echo printf true false : test [ basename dirname realpath
      readlink date cal whoami id groups uname arch nproc uptime free ps
    `,
      any,
    ),
    ...eachNamed('which type cd jq seq expr sleep locale getconf jobs wait exit return break continue shift', any),
    // Each of these has an option that writes a file or starts a program.
    ...eachNamed('rg find fd fdfind sort uniq xxd tree iconv', noNameAsOption),
    ...eachNamed('awk gawk mawk nawk', noProgramFile),
    ...eachNamed('sed gsed', noSedFile),
    // What these start is judged separately.
    ...eachNamed('xargs command builtin time timeout nice', any),
    ...eachNamed('env', variables),
    ...eachNamed('git', git),
    ...eachNamed('node python python3', onlyVersion),
  }),
);

const systemFolder = /^\/(usr\/)?s?bin\/(?=[^/]+$)/;
const programName = ({ words: [program] }: StartedProgram): string | undefined =>
  program?.kind === 'literal' ? program.text.replace(systemFolder, '') : undefined;

function isLooker(program: StartedProgram): boolean {
  const isFit = readOnlyPrograms.get(programName(program) ?? '');
  return isFit?.(program.words.slice(1), program.folders) ?? false;
}

function examineStarted(command: string, context: CommandContext) {
  const started: StartedProgram[] = [];
  const { assessment } = examineCommand(command, { ...context, started: (program) => void started.push(program) });
  return { started, assessment };
}

/**
 * Returns the part of a command, as written, that plan mode does not run. Returns undefined if every program it starts
 * only reads and loads nothing from the project.
 */
export function partNotReadOnly(command: string, context: CommandContext): string | undefined {
  const { started, assessment } = examineStarted(command, context);
  const other = started.find((program) => !isLooker(program));
  if (other) return other.words.map(({ source }) => source).join(' ');
  return assessment.level === 'low' ? undefined : command;
}

/** Returns the folders in which Git runs for a read-only command. */
export function gitFolders(command: string, context: CommandContext): string[] {
  const calls = examineStarted(command, context).started.filter((program) => programName(program) === 'git');
  const folders = calls.flatMap(({ words, folders: starts = [] }) =>
    starts.map((start) => gitCall(words.slice(1), start)?.folder),
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

/** Options of "git" and "git init" whose value is the next word. */
const withValue = new Set([
  '-c',
  '--git-dir',
  '--work-tree',
  '-b',
  '--initial-branch',
  '--object-format',
  '--template',
]);

/** Returns the folders in which a command creates repositories with `git init`, relative to the workspace or absolute. */
export function newRepositories(command: string, context: CommandContext): string[] {
  const calls = examineStarted(command, context).started.filter((program) => programName(program) === 'git');
  return calls.flatMap(({ words, folders = [] }) => folders.flatMap((folder) => newRepository(words.slice(1), folder)));
}

function newRepository(words: readonly Value[], start: string): string[] {
  let folder = start;
  let isInit = false;
  for (let at = 0; at < words.length; at++) {
    const { text, kind } = words[at]!;
    if (kind !== 'literal') return [];
    if (text === '-C') folder = folderAfterCd(folder, words[++at]?.text ?? '.');
    else if (withValue.has(text)) at++;
    else if (text.startsWith('-')) continue;
    else if (isInit) return [folderAfterCd(folder, text)];
    else if (text === 'init') isInit = true;
    else return [];
  }
  return isInit ? [folder] : [];
}
