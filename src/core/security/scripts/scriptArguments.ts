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

export function scriptArguments(
  { words: [name, ...words], folders: startFolders, data }: StartedProgram,
  asked: readonly string[],
  folders: WorkspaceFolders,
): ScriptArguments {
  const program = name?.text.replace(/^.*\//, '') ?? '';
  // If the folder is known only at run time, the folders of its scripts are as likely as any.
  const anywhere = ['.', ...asked.map(folderOfScript)];
  const from = chosenFolders(program, words, startFolders ?? anywhere);
  const pathsOf = (texts: readonly string[], starts: readonly string[]): string[] => [
    ...new Set(
      texts.flatMap((text) =>
        starts
          .map((folder) => placeFrom(text, folder, folders))
          .filter(({ where }) => where === 'inside')
          .map(({ path }) => path),
      ),
    ),
  ];
  const runs = runners.test(program);
  const all = [...(name?.kind === 'unknown' || name?.text.includes('/') ? [name] : []), ...words].filter(
    ({ text }) => text.length < 10_000,
  );
  const texts = all
    .filter(({ kind, text }) => kind === 'literal' && text !== '')
    .flatMap(({ text }) => [text, ...(/^[^/]*=(.+)/s.exec(text)?.slice(1) ?? [])])
    .map((text) => text.replace(/^file:\/\/(?=\/)/, ''));
  const scripts = pathsOf(
    [
      ...(/^(?:npx|bunx|pnpx)$/.test(program) ? ['package.json'] : []),
      ...obeyed.flatMap(([reader, files]) => (reader.test(program) ? files : [])),
      ...(filters.test(program) || program === 'make' ? behindOption(words, /^-f|^--(?:from-)?file=?/) : []),
      ...(runs ? behindOption(words, /^-m/).flatMap(moduleFiles) : []),
      ...modulesNamed(program, words).flatMap(moduleFiles),
    ],
    from,
  );
  const code = runs || filters.test(program) || readers.test(program) ? texts.flatMap(pathsIn) : [];
  // `eval "$(cat FILE)"` runs the file. So does a shell that receives such a text with -c.
  const computed =
    program === 'eval' || runs
      ? words.filter(({ kind, computed: made, source }) => kind === 'unknown' || made || source.includes('<('))
      : [];
  const read = pathsOf(
    computed.flatMap(({ source }) =>
      /[`(]/.test(source)
        ? [...source.matchAll(/\$\([^()]*\)|`[^`]*`|<\([^()]*\)/g)].flatMap(([inside]) =>
            pathsIn(inside).slice(/^\$\(\s*</.test(inside) ? 0 : 1),
          )
        : [],
    ),
    from,
  );
  const merely = new Set(runs ? [] : data);
  const named = [
    ...pathsOf(
      [...texts, ...code, ...(runs || editors.test(program) ? [...texts, ...code].flatMap(entryFiles) : [])],
      from,
    ),
    ...pathsOf(
      all.flatMap(({ kind, source }) => (kind === 'unknown' ? nameAfterVariable(source) : [])),
      anywhere,
    ),
  ];
  return {
    scripts: [...scripts, ...(program === 'eval' || isShell.test(program) ? read : [])],
    named: [...named.filter((path) => !merely.has(path)), ...read],
    from,
    lines: [
      ...(program === 'eval' || (isShell.test(program) && words.some(({ text }) => /^-\w*c$/.test(text)))
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

function isUndetermined(name: Value | undefined, words: readonly Value[], program: string, read: boolean): boolean {
  if (name?.kind === 'unknown') return nameAfterVariable(name.source).length === 0;
  // A pattern runs what exists when the program starts.
  const ran = runners.test(program) ? words.find(({ text }) => !text.startsWith('-')) : name;
  if (ran?.kind === 'glob') return true;
  if (program === 'eval' || runners.test(program)) {
    // The first word that is not an option names what runs.
    const first =
      program === 'eval'
        ? words.find(({ kind }) => kind === 'unknown')
        : words.find(({ kind, text }) => kind === 'unknown' || !text.startsWith('-'));
    if (
      first?.kind === 'unknown' &&
      !read &&
      nameAfterVariable(first.source).length === 0 &&
      pathsIn(first.source).filter((path) => /[./]/.test(path)).length === 0
    )
      return true;
  }
  const operands = words.filter(({ text }) => !text.startsWith('-'));
  if (program === 'java' && behindOption(words, /^(?:-cp$|--?class-?path(?:=|$))/).some(hasFolder)) return true;
  if (program === 'git' && readsOtherSettings(words)) return true;
  if (program === 'socat' && words.some(({ text }) => socatChoosesProgram(text))) return true;
  if (editors.test(program) && words.some(({ text }) => /^--(?:extensions-dir|user-data-dir)/.test(text))) return true;
  if (/^(?:docker|podman)/.test(program))
    return (
      /-compose$/.test(program) || words.some(({ text }) => /^(?:compose|build|-v.*|--volume.*|--mount.*)$/.test(text))
    );
  if (operands.some(({ text }) => /^(?:npm|jsr|https?):/.test(text))) return false;
  return (
    (builders.test(program) || projectRunners.test(program)) &&
    // "." is the folder here, not the program of this name.
    !operands.some(({ text }) => (runners.test(text) && text !== '.') || /\.(?:[cm]?[jt]s|py)$/.test(text)) &&
    (/^(?:uvx|pipx)$/.test(program)
      ? words.some(({ text }) => /^(?:--[\w-]+=)?[./]/.test(text))
      : operands.some(({ text }) => /^(?:run|exec|start|up|task|x)$/.test(text)) ||
        /^(?:rake|task)$/.test(program) ||
        projectRunners.test(program))
  );
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
