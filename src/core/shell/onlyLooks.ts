import { namesIn } from './syntax/namesIn';
import { examineCommand } from './assessCommand';
import type { CommandContext, StartedProgram } from './effects/context';
import { mayCross } from './syntax/environmentNames';
import { joined } from './syntax/place';
import type { Value } from './syntax/value';

/** The words that may follow a program that only reads. */
type Words = (words: readonly Value[], folders?: readonly string[]) => boolean;

const any: Words = () => true;

/** Where a name of the folder could be taken for an option, nothing may come out of a pattern that such a name fits. */
const noNameAsOption: Words = (words) =>
  words.every(({ kind, text }) => kind === 'literal' || (kind === 'glob' && /^[^*?[\]{}-]/.test(text)));

const onlyVersion: Words = ([word, ...more]) =>
  more.length === 0 && word?.kind === 'literal' && /^(--version|-[vV])$/.test(word.text);

/** A program may stand in a file of the repository. */
const noProgramFile: Words = (words) =>
  noNameAsOption(words) && !words.some(({ text }) => /^-[a-zA-Z]*[fEil]|^--(file|exec|include|load)/.test(text));

const noSedFile: Words = (words) =>
  noNameAsOption(words) && !words.some(({ text }) => /^-[nErsuz]*f|^--file/.test(text));

/** Variables before a command: their values are judged separately. */
const variables: Words = (words) => {
  const set = words.filter(
    ({ text }, at) => /^\w+=/.test(text) && words.slice(0, at).every((before) => /^\w+=/.test(before.text)),
  );
  const areHarmless = set.every(
    ({ kind, text }) =>
      kind === 'literal' && mayCross(text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)),
  );
  return areHarmless && set.length > 0;
};

/** Verbs of Git that read, run no hooks, and never gave way to an alias. */
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

/** Folders of packages that others wrote; nobody looks through the repositories there for what they would start. */
const ofOthers = /(^|\/)(node_modules|\.?venv|site-packages|\.git)(\/|$)/;

interface GitCall {
  readonly verb: string;
  /** Where it works, seen from the workspace. */ readonly folder: string;
}

/** What Git is to do and where; undefined if that is not plain. */
function gitCall(words: readonly Value[], start: string): GitCall | undefined {
  let folder = start;
  for (let at = 0; at < words.length; at++) {
    const { text, kind } = words[at]!;
    if (!text.startsWith('-')) return { verb: text, folder };
    if (text === '-C') {
      const next = words[++at];
      if (next?.kind !== 'literal') return undefined;
      folder = joined(folder, next.text);
    } else if (kind !== 'literal' || !/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(text))
      return undefined;
  }
  return undefined;
}

const git: Words = (words, folders) => {
  if (onlyVersion(words)) return true;
  // Help is shown by a program that the settings of the repository name.
  if (!folders || !noNameAsOption(words) || words.some(({ text }) => /^--he?l?p?$/.test(text))) return false;
  return folders
    .map((folder) => gitCall(words, folder))
    .every((call) => call !== undefined && gitVerbs.has(call.verb) && !ofOthers.test(call.folder));
};

/**
 * ★ Programs that plan mode runs: they read, and start nothing but what is listed here too. What they are given is
 * judged by the tables as well.
 */
const lookers: ReadonlyMap<string, Words> = new Map([
  ...named(
    any,
    `
      ls dir vdir cat tac nl rev head tail cut tr wc fold expand unexpand fmt paste comm join column od hexdump
      strings base64 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum
    `,
  ),
  ...named(
    any,
    `
      grep egrep fgrep diff cmp file stat du df pwd echo printf true false : test [ basename dirname realpath
      readlink date cal whoami id groups uname arch nproc uptime free ps
    `,
  ),
  ...named(any, 'which type cd jq seq expr sleep locale getconf jobs wait exit return break continue shift'),
  // Each of these can be told by an option to write a file or to start a program.
  ...named(noNameAsOption, 'rg find fd fdfind sort uniq xxd tree iconv'),
  ...named(noProgramFile, 'awk gawk mawk nawk'),
  ...named(noSedFile, 'sed gsed'),
  // What these start is judged separately.
  ...named(any, 'xargs command builtin time timeout nice'),
  ...named(variables, 'env'),
  ...named(git, 'git'),
  ...named(onlyVersion, 'node python python3'),
]);

function named(words: Words, names: string): [string, Words][] {
  return namesIn(names).map((name) => [name, words]);
}

const systemFolder = /^\/(usr\/)?s?bin\/(?=[^/]+$)/;
const nameOf = ({ words: [program] }: StartedProgram): string | undefined =>
  program?.kind === 'literal' ? program.text.replace(systemFolder, '') : undefined;

function isLooker(program: StartedProgram): boolean {
  const isFit = lookers.get(nameOf(program) ?? '');
  return isFit?.(program.words.slice(1), program.folders) ?? false;
}

function startedBy(command: string, context: CommandContext): StartedProgram[] {
  const started: StartedProgram[] = [];
  examineCommand(command, { ...context, started: (program) => void started.push(program) });
  return started;
}

/**
 * The part of a command because of which plan mode does not run it, as written; undefined if every program that it
 * starts only reads and loads nothing of the project.
 */
export function whatDoesMore(command: string, context: CommandContext): string | undefined {
  const other = startedBy(command, context).find((program) => !isLooker(program));
  if (other) return other.words.map(({ source }) => source).join(' ');
  return examineCommand(command, context).assessment.level === 'low' ? undefined : command;
}

/** The folders in which a command that only looks has Git look. */
export function gitFolders(command: string, context: CommandContext): string[] {
  const calls = startedBy(command, context).filter((program) => nameOf(program) === 'git');
  const folders = calls.flatMap(({ words, folders: starts = [] }) =>
    starts.map((start) => gitCall(words.slice(1), start)?.folder),
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}
