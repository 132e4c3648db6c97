import type { StartedProgram } from '../../shell/effects/context';
import { readsOtherSettings } from '../../shell/programs/git/givenLines';
import { socatChoosesProgram } from '../../shell/programs/services/socat';
import { quoteForShell } from '../../text/shellText';
import { folderAfterCd, type WorkspaceFolders } from '../../shell/syntax/place';
import { placeFrom } from './placeFrom';
import type { Value } from '../../shell/syntax/value';
import type { FurtherLine } from './declaredBy';
import { folderOfScript } from './pins';

/** What one program runs, according to its words alone. */
interface ScriptArguments {
  readonly scripts: readonly string[];
  readonly named: readonly string[];
  /** Command lines that run the text of files. */
  readonly lines: readonly FurtherLine[];
  /** Folders that its words are relative to. */
  readonly from: readonly string[];
  readonly undetermined: boolean;
  /** Files whose absence also makes the result undetermined. */
  readonly unless: readonly string[];
}

/** Programs that run a file named by their words. */
const runners =
  /^(?:(?:ba|z|da|k|a)?sh|source|\.|node|deno|bun|tsx|ts-node|python[\d.]*|py|uv|ruby|perl|php|lua|luajit|pwsh|powershell|Rscript|java)$/;
/** Programs whose `-f` option names a program file. */
const filters = /^(?:[gm]?awk|g?sed|jq)$/;

/** Programs whose words may contain code or command lines. */
const readers = /^(?:env|trap|parallel|watch|npx|npm|pnpm|pnpx|yarn|bunx)$/;

/** Programs that run what a project declares or builds. Their words are not files. */
const builders =
  /^(?:cargo|go|dotnet|gradlew?|poetry|pipenv|pdm|hatch|rye|uv|uvx|pipx|rake|bundle|mix|sbt|swift|zig|task|deno)$/;

/** Like `builders`, but whatever their words are, a file of the project decides what runs. */
const projectRunners =
  /^(?:mvnw?|mage|electron|composer|pixi|devbox|mise|direnv|conda|micromamba|turbo|nx|nix|nix-shell|tox|nox|invoke)$/;

/** Programs that run the command line after an option, and that option. */
const commandOptions: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(?:npx|npm|pnpx)$/, /^(?:-c|--call)(?:=|$)/],
  [/^script$/, /^(?:-[a-z]*c$|--command(?:=|$))/],
];

/** Files of the project that choose what these programs load first, or what the names in it mean. */
const obeyed: readonly (readonly [program: RegExp, files: readonly string[]])[] = [
  [/^deno$/, ['deno.json', 'deno.jsonc']],
  [/^uv$/, ['pyproject.toml', 'uv.toml']],
  [/^bundle$/, ['Gemfile', '.bundle/config']],
  [/^pipenv$/, ['Pipfile', '.env']],
  [/^flask$/, ['.flaskenv', '.env']],
];

/** Programs that load extensions from folders that their options name. Their extension tests run, too. */
const editors = /^(?:code|code-insiders|codium|vscodium|code-oss|cursor|windsurf|positron)$/;

/** Servers of Python applications, which they name as `module:object`. */
const moduleServers = /^(?:uvicorn|gunicorn|hypercorn|flask)$/;

/** Returns what the words of a started program say about what it runs. `readPaths`: files that were read to judge the command. */
export function scriptArguments(
  { words: [name, ...words], folders: startFolders, data }: StartedProgram,
  readPaths: readonly string[],
  folders: WorkspaceFolders,
): ScriptArguments {
  const program = name?.text.replace(/^.*\//, '') ?? '';
  // If the folder is known only at run time, the folders of its scripts are as likely as any.
  const anywhere = ['.', ...readPaths.map(folderOfScript)];
  const from = chosenFolders(program, words, startFolders ?? anywhere);
  const pathsOf = (texts: readonly string[], starts: readonly string[]): string[] =>
    pathsInside(texts, starts, folders);
  const runs = runners.test(program);
  const all = [...(name?.kind === 'unknown' || name?.text.includes('/') ? [name] : []), ...words].filter(
    ({ text }) => text.length < 10_000,
  );
  const texts = textsOf(all);
  const code = runs || filters.test(program) || readers.test(program) ? texts.flatMap(pathsIn) : [];
  const mayBeFolders = runs || editors.test(program) ? [...texts, ...code].flatMap(entryFiles) : [];
  const read = pathsOf(filesPrinted(program, words), from);
  const merely = new Set(runs ? [] : data);
  const named = [
    ...pathsOf([...texts, ...code, ...mayBeFolders], from),
    ...pathsOf(
      all.flatMap(({ kind, source }) => (kind === 'unknown' ? nameAfterVariable(source) : [])),
      anywhere,
    ),
  ];
  return {
    scripts: [
      ...pathsOf(filesLoaded(program, words), from),
      ...(program === 'eval' || isShell.test(program) ? read : []),
    ],
    named: [...named.filter((path) => !merely.has(path)), ...read],
    from,
    lines: [
      ...(runsText(program, words)
        ? read.map(
            (path) =>
              `. ${quoteForShell(path.startsWith('/') || !folders.workspace ? path : `${folders.workspace}/${path}`)}`,
          )
        : []),
      ...commandOptions.flatMap(([runner, option]) => (runner.test(program) ? behindOption(words, option) : [])),
    ].map((command) => ({ command, folder: from[0] ?? '.' })),
    undetermined: isUndetermined(name, words, program, read.length > 0),
    unless: read,
  };
}

const isShell = /^(?:(?:ba|z|da|k|a)?sh|source|\.)$/;

/** Returns whether a program runs a text that is one of its words. */
const runsText = (program: string, words: readonly Value[]): boolean =>
  program === 'eval' || (isShell.test(program) && words.some(({ text }) => /^-\w*c$/.test(text)));

/** Returns the paths inside the workspace that texts name in any of the folders `starts`. */
const pathsInside = (texts: readonly string[], starts: readonly string[], folders: WorkspaceFolders): string[] => [
  ...new Set(
    texts.flatMap((text) =>
      starts
        .map((folder) => placeFrom(text, folder, folders))
        .filter(({ where }) => where === 'inside')
        .map(({ path }) => path),
    ),
  ),
];

/** Returns the texts of the words that are known, and the values of `name=value`. */
const textsOf = (words: readonly Value[]): string[] =>
  words
    .filter(({ kind, text }) => kind === 'literal' && text !== '')
    .flatMap(({ text }) => [text, ...(/^[^/]*=(.+)/s.exec(text)?.slice(1) ?? [])])
    .map((text) => text.replace(/^file:\/\/(?:\/?(?=[A-Za-z]:\/)|(?=\/))/, ''));

/** Returns the files that a program loads besides those that its words are. */
const filesLoaded = (program: string, words: readonly Value[]): string[] => [
  ...(/^(?:npx|bunx|pnpx)$/.test(program) ? ['package.json'] : []),
  ...obeyed.flatMap(([reader, files]) => (reader.test(program) ? files : [])),
  ...(filters.test(program) || program === 'make' ? behindOption(words, /^-f|^--(?:from-)?file=?/) : []),
  ...(runners.test(program) ? behindOption(words, /^-m/).flatMap(moduleFiles) : []),
  ...modulesNamed(program, words).flatMap(moduleFiles),
];

/** `eval "$(cat FILE)"` runs the file. So does a shell that receives such a text with -c. */
function filesPrinted(program: string, words: readonly Value[]): string[] {
  if (program !== 'eval' && !runners.test(program)) return [];
  return words
    .filter(({ kind, computed, source }) => kind === 'unknown' || computed || source.includes('<('))
    .flatMap(({ source }) => source.match(/\$\([^()]*\)|`[^`]*`|<\([^()]*\)/g) ?? [])
    .flatMap((inside) => pathsIn(inside).slice(/^\$\(\s*</.test(inside) ? 0 : 1));
}

/** `read`: whether files are known that it reads when it starts. */
function isUndetermined(name: Value | undefined, words: readonly Value[], program: string, read: boolean): boolean {
  if (name?.kind === 'unknown') return nameAfterVariable(name.source).length === 0;
  // A pattern runs what exists when the program starts.
  const ran = runners.test(program) ? words.find(({ text }) => !text.startsWith('-')) : name;
  if (ran?.kind === 'glob') return true;
  if (!read && runsUnknown(program, words)) return true;
  return choosesOtherCode(program, words) ?? runsProject(program, words);
}

/** Returns whether what a program runs is only known when it starts. */
function runsUnknown(program: string, words: readonly Value[]): boolean {
  if (program !== 'eval' && !runners.test(program)) return false;
  // The first word that is not an option names what runs.
  const first = words.find(({ kind, text }) => kind === 'unknown' || (program !== 'eval' && !text.startsWith('-')));
  return (
    first?.kind === 'unknown' &&
    nameAfterVariable(first.source).length === 0 &&
    !pathsIn(first.source).some((path) => /[./]/.test(path))
  );
}

/** Returns whether the words of certain programs choose what else they load; undefined for other programs. */
function choosesOtherCode(program: string, words: readonly Value[]): boolean | undefined {
  const some = (pattern: RegExp): boolean => words.some(({ text }) => pattern.test(text));
  if (program === 'java' && behindOption(words, /^(?:-cp$|--?class-?path(?:=|$))/).some(hasFolder)) return true;
  if (program === 'git' && readsOtherSettings(words)) return true;
  if (program === 'socat' && words.some(({ text }) => socatChoosesProgram(text))) return true;
  if (editors.test(program) && some(/^--(?:extensions-dir|user-data-dir)/)) return true;
  if (!/^(?:docker|podman)/.test(program)) return undefined;
  return /-compose$/.test(program) || some(/^(?:compose|build|-v.*|--volume.*|--mount.*)$/);
}

/** Returns whether a program runs what the project declares or builds. */
function runsProject(program: string, words: readonly Value[]): boolean {
  const operands = words.filter(({ text }) => !text.startsWith('-'));
  const some = (pattern: RegExp): boolean => operands.some(({ text }) => pattern.test(text));
  if (some(/^(?:npm|jsr|https?):/)) return false;
  if (!builders.test(program) && !projectRunners.test(program)) return false;
  // "." is the folder here, not the program of this name.
  if (operands.some(({ text }) => runners.test(text) && text !== '.') || some(/\.(?:[cm]?[jt]s|py)$/)) return false;
  if (/^(?:uvx|pipx)$/.test(program)) return words.some(({ text }) => /^(?:--[\w-]+=)?[./]/.test(text));
  return some(/^(?:run|exec|start|up|task|x)$/) || /^(?:rake|task)$/.test(program) || projectRunners.test(program);
}

/** Returns the Python modules that a program runs or imports by name. */
function modulesNamed(program: string, words: readonly Value[]): string[] {
  if (/^(?:python[\d.]*|py)$/.test(program))
    return behindOption(words, /^-[A-Za-z]*c/).flatMap((text) =>
      [...text.matchAll(/\b(?:import|from)\s+([\w.]+)|\brun_module\(\s*["']([\w.]+)/g)].map(
        ([, imported, run]) => imported ?? run!,
      ),
    );
  if (!moduleServers.test(program)) return [];
  return words.flatMap(({ text }) => /^(?:--app=)?([A-Za-z_][\w.]*)(?::[\w.()]*)?$/.exec(text)?.slice(1) ?? []);
}

/** True if a class path of Java contains more than archives. */
const hasFolder = (classPath: string): boolean => classPath.split(/[:;]/).some((part) => !/\.jar$/.test(part));

const folderOption = /^(?:--cwd|--dir|--directory|--chdir|--prefix|--project)(?:=(.*))?$/s;
const shortFolderOption: Readonly<Record<string, RegExp>> = { env: /^-[i0v]*C(.*)$/s, pnpm: /^-C(.*)$/s };
const takesFolder = /^(?:env|npm|pnpm|yarn|bun|uv)$/;

/** Returns the folders chosen by its options. `--project` adds a folder without leaving the current one. */
function chosenFolders(program: string, words: readonly Value[], from: readonly string[]): readonly string[] {
  if (!takesFolder.test(program)) return from;
  return words.reduce((folders, { text }, index) => {
    const [, value] = folderOption.exec(text) ?? shortFolderOption[program]?.exec(text) ?? [undefined, undefined];
    if (value === undefined && !folderOption.test(text)) return folders;
    const spelled = value || words[index + 1]?.text || '.';
    const chosen = folders.map((folder) => (spelled.startsWith('/') ? spelled : folderAfterCd(folder, spelled)));
    return text.startsWith('--project') ? [...folders, ...chosen] : chosen;
  }, from);
}

/** Returns the words that look like paths in a text that may be code. */
const pathsIn = (text: string): string[] =>
  /[\s'"`();]/.test(text) ? text.split(/[^\w./@+-]+/).filter((part) => /\w/.test(part)) : [];

/** `"$HERE/lib.sh"` names a file in a folder that is known only at run time. Returns its name. */
const nameAfterVariable = (source: string): string[] => {
  const end = source.replace(/^.*(?:\$\w+|[})`])"?\//s, '').replace(/["']$/, '');
  return end === source || end.includes('$') ? [] : [end];
};

/** Returns the values of an option: `-f FILE` and `-fFILE`. */
const behindOption = (words: readonly Value[], option: RegExp): string[] =>
  words.flatMap(({ text }, index) => {
    const [optionText] = option.exec(text) ?? [];
    return optionText === undefined
      ? []
      : [text.slice(optionText.length) || words[index + 1]?.text || ''].filter(Boolean);
  });

const moduleFiles = (name: string): string[] => {
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
};

/** Returns the files that `node .` or `node ./server` may run. */
const entryFiles = (text: string): string[] =>
  /^-|\.\w+$/.test(text)
    ? []
    : [
        ...['.js', '.mjs', '.cjs', '.ts'].map((ending) => text + ending),
        ...['package.json', 'index.js', 'index.mjs', '__main__.py'].map((file) => `${text}/${file}`),
      ];
