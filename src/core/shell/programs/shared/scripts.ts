import { anyOf, repeated, sequence } from '../../../text/alternatives';
import { judgeForwardedArguments } from '../../calls/forwardedArguments';
import type { Call, Judge } from '../../calls/manual';
import {
  flags,
  type GivenOption,
  high,
  medium,
  optionalValues,
  optionTable,
  readArguments,
  readLeadingOptions,
  takes,
  values,
} from '../../calls/options';
import { judgeInlineCode } from '../../calls/inlineCode';
import { judgeScriptText, missingScriptName } from '../../calls/scriptText';
import { withVitalArguments } from '../../verdict/arguments';
import {
  doubt,
  inner,
  isOwnTemporary,
  note,
  refuse,
  recordScriptRun,
  type Scope,
  temporaryScript,
  textWritten,
  touch,
  unknownProgram,
  withoutWritten,
} from '../../effects/scope';
import { readsInput } from '../../posix/pipelines';
import { environmentProblem } from '../../syntax/environmentNames';
import { pathInFolder, resolvePlace } from '../../syntax/place';
import { literal, type Value } from '../../syntax/value';
import { onlyBelowFloor } from '../../verdict/floor';
import { judgeEffect } from '../../verdict/judgeEffect';
import { judgeDeclared, judgeInstall } from './installing';

const shellOptions = optionTable([
  flags('-c -l -e -u -x -v -n --login --noprofile --norc --posix --version --help'),
  values('-o'),
]);

/** Returns the scope for text that a shell of this name runs. ksh and zsh read some words differently. */
const insideShell = (name: string, scope: Scope): Scope =>
  name === 'ksh' || name === 'zsh' ? { ...scope, context: { ...scope.context, shell: name } } : scope;

/** Judges a nested shell by the text after `-c`, by the script file, or by its input. */
export const judgeShell: Judge = (call) => {
  const { name, words } = call;
  const scope = insideShell(name, call.scope);
  const { options, rest } = readLeadingOptions(words, shellOptions, 'letters');
  // `+x` turns an option off.
  const ownWords = words.slice(0, words.length - rest.length);
  if (rest[0]?.text.startsWith('+') && ownWords.at(-1)?.text !== '--') {
    if (!/^\+[efhuvx]+$/.test(rest[0].text)) doubt(scope, rest[0].source, 'Turns off an option of the shell.');
    return judgeShell({ ...call, words: [...ownWords, ...rest.slice(1)] });
  }
  judgeShellOptions(options, name, scope);
  const [first, ...more] = rest;
  const has = (wanted: string): boolean => options.some((option) => option.name === wanted);
  if (has('--version')) return 'done';
  if (!first) judgeShellInput(call, scope);
  else if (has('-c')) judgeShellText(first, more, scope);
  else if (has('-n')) touch(scope, first.kind === 'glob' ? 'searches' : 'reads', first);
  else scriptFile(first, more, scope, name);
  return 'done';
};

function judgeShellOptions(options: readonly GivenOption[], name: string, scope: Scope): void {
  for (const { option, culprit } of options)
    if (!option) doubt(scope, culprit, `Uses an option of "${name}" that is not known to be safe.`);
  for (const { value, culprit } of options)
    if (value && !/^(pipefail|errexit|nounset|xtrace)$/.test(value.text))
      refuse(scope, culprit, 'Uses an option that changes how the shell reads commands.');
}

/** Judges the text that a shell runs. Variables of the line are not those of the shell. */
const judgeInside = (text: string, scope: Scope): void =>
  scope.analyser.judgeText(text, { ...scope, variables: new Map() });

/** Judges a shell that reads its commands from its input. */
function judgeShellInput({ flow, whole }: Call, scope: Scope): void {
  if (flow.written?.kind === 'literal') return judgeInside(flow.written.text, scope);
  for (const path of flow.input ?? []) judgeScriptText({ kind: 'file', name: path }, scope, whole);
  // A script written in the line itself as input is also judged, so that the reason can name its effects.
  for (const text of flow.inputText ?? []) judgeInside(text, scope);
  const line = textPrinted(flow.source?.program ?? '');
  if (line !== undefined) onlyBelowFloor(scope, (inside) => judgeInside(line.replaceAll('\\n', '\n'), inside));
  refuse(scope, whole, readsInput);
}

/** Returns the text that `echo` or `printf` prints, if it is their only word or is not quoted. */
function textPrinted(command: string): string | undefined {
  const [, single, double, bare] =
    /^(?:echo|printf)\s+(?:-\w+\s+)?(?:'([^']*)'|"([^"]*)"|(\S[^'"]*))$/.exec(command) ?? [];
  return single ?? double ?? bare;
}

/** Judges the text after `-c`. */
function judgeShellText(text: Value, more: readonly Value[], scope: Scope): void {
  if (text.kind !== 'literal' || text.computed)
    return doubt(scope, text.source, 'Runs a nested shell with commands that are only known when it runs.');
  judgeInside(text.text, scope);
  // The first word is the name of the shell, `$0`.
  withVitalArguments(more.slice(1), scope, (given) => scope.analyser.judgeText(text.text, given));
}

/** Scripts, build output of the project, and scripts that configure a build. */
const ownProgram = anyOf([
  /\.(?:sh|bash|zsh)$/,
  /^(?:scripts?|bin|tools?|ci|hack|\.?ci)\/[\w-]+$/,
  /^(?:build|target|out|cmake-build-\w+|\.build|_build|zig-out|bazel-bin)\/(?:[\w.-]+\/)*[\w-]+$/,
  /^(?:configure|bootstrap|autogen)$/,
]);

/**
 * Judges a program or script given by its path. `shell`: the shell that is told to run it. Otherwise its first line names
 * the program that runs it.
 */
export function scriptFile(file: Value, more: readonly Value[], scope: Scope, shell?: string): void {
  const place = resolvePlace(file, scope.cwd, scope.context);
  const temporary = file.kind === 'literal' ? temporaryScript(scope, place) : undefined;
  const runBy = temporary === undefined ? undefined : (shell ?? interpreterOf(temporary));
  if (temporary !== undefined && runBy !== undefined) {
    judgeScriptArguments(file, more, scope);
    return judgeScriptOfLine(temporary, runBy, scope, file.source);
  }
  if (file.kind !== 'literal' || place.where !== 'inside')
    return refuse(scope, file.source, 'Runs a program outside the workspace.');
  touch(scope, 'reads', file);
  judgeScriptArguments(file, more, scope);
  const started = [place.path, ...more.map(({ text }) => text)].join(' ');
  const text = textWritten(scope, place.path);
  const interpreter = text === undefined ? undefined : (shell ?? interpreterOf(text));
  if (text !== undefined && interpreter !== undefined)
    return withoutWritten(scope, [place.path], () => {
      judgeScriptOfLine(text, interpreter, scope, file.source);
      recordScriptRun(scope, started, file.source);
    });
  const isOtherLanguage = shell !== undefined && isUnread(place.path, scope);
  if (judgeScriptText({ kind: isOtherLanguage ? 'text' : 'file', name: place.path }, scope, file.source)) return;
  // What the program itself may write did not exist before it started.
  recordScriptRun(scope, started, file.source);
  if (!ownProgram.test(pathInFolder(place))) unknownProgram(scope, more, file.source, 'Runs an unknown program.');
}

/** Returns whether a file does not look like a shell script. A shell that is told to run it ignores its first line. */
function isUnread(path: string, { context, cwd }: Scope): boolean {
  const found = cwd === undefined ? undefined : context.lookUp?.('file', path, cwd);
  return found !== undefined && found.text === undefined;
}

/** Judges what a script is given. */
function judgeScriptArguments(file: Value, more: readonly Value[], scope: Scope): void {
  judgeForwardedArguments(more, scope);
  if (more.some(({ kind }) => kind === 'unknown'))
    doubt(scope, file.source, 'Gets arguments that are only known when it runs.');
}

/** A first line that names an installed interpreter, without options. */
const firstLine = sequence([
  /^#![ \t]*\/(?:usr\/(?:local\/)?)?bin\/(?:env[ \t]+)?/,
  /((?:ba|da|z|k)?sh|python[\d.]*|node|ruby|perl|php)[ \t]*\n/,
]);

/** Returns the name of the program that runs a script, by its first line. Undefined if it is not a known one. */
const interpreterOf = (text: string): string | undefined => (text.startsWith('#!') ? firstLine.exec(text)?.[1] : 'sh');

/** Judges a script whose text the line itself writes. */
function judgeScriptOfLine(text: string, interpreter: string, scope: Scope, culprit: string): void {
  if (!/^(?:bash|sh|dash|zsh|ksh)$/.test(interpreter))
    return judgeInlineCode({ language: interpreter, code: literal(text), scope, whole: culprit });
  judgeInside(text, insideShell(interpreter, scope));
}

const knownScript = sequence(
  [
    /^(pre|post)?/,
    anyOf([
      'test tests spec build compile lint format fmt prettier',
      /type-?check/,
      'types tsc check start dev serve watch',
      /(dist|mr|real)?clean/,
      'generate gen codegen coverage cov bench',
      /docs?/,
      'storybook preview ci validate verify e2e unit integration',
      /examples?/,
      'run help all debug stats',
      /analy[sz]e/,
      'i18n assets css styles bundle prepare fix audit size snapshot schema proto graphql icons up',
      'down ps logs package seed html site dist',
    ]),
    /([:._-][\w:.-]+)?$/,
  ],
  'i',
);

/** Judges `npm run NAME`. Looks up the script if possible, else trusts well-known names. */
export const judgeNpmRun: Judge = ({ words, scope, whole, name }) => {
  const names = words.filter(({ text }) => !/^(-s|--silent|--if-present|--bun|--)$/.test(text));
  const verb =
    / (t|tst|test|start|stop|restart|dev|build|lint|format|check|typecheck|phpstan|phpcs|stan|analyse|analyze|psalm|pint|cs|unit|ci)$/.exec(
      name,
    )?.[1];
  const [chosen, ...more] = verb ? [literal(/^ts?t?$/.test(verb) ? 'test' : verb), ...names] : names;
  if (!chosen || (names.length === 1 && chosen.text === '--json')) {
    note(scope, 'low', whole);
    return 'done';
  }
  return runNamed({ kind: 'npm', chosen, more }, scope, whole);
};

const aroundInstall = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'dependencies',
];

/** Judges the lifecycle scripts that the project itself runs when its packages are installed. */
export const judgeNpmInstall: Judge = ({ name: program, words, scope, whole }) => {
  judgeDeclared(words, scope, whole);
  if (words.some(({ text }) => text === '--ignore-scripts')) return undefined;
  judgeInstall(program.split(' ')[0]!, scope, whole);
  for (const name of aroundInstall) judgeScriptText({ kind: 'npm', name, chosen: false }, scope, whole);
  return undefined;
};

/**
 * Options by tool, because the same letter differs between them. `-p` of make prints the environment; `-t` marks
 * targets as up to date.
 */
const taskOptions = {
  make: [
    flags(`
      -b -m -k -S -s -B -n -q -i -w -r -R -d -h -v -L --keep-going --no-keep-going --stop --silent
      --quiet --always-make --dry-run --just-print --recon --question --ignore-errors
      --print-directory --no-print-directory --no-builtin-rules --no-builtin-variables
      --check-symlink-times --trace --version --help --warn-undefined-variables
    `),
    values('-o -W --old-file --assume-old --what-if --assume-new --new-file'),
    optionalValues('-j -l -O --jobs --load-average --max-load --debug --output-sync'),
    takes('search', '-f -C -I --directory --file --makefile --include-dir'),
    medium(flags('-t --touch')),
    high(flags('-e -p --print-data-base --environment-overrides'), values('-E --eval')),
  ],
  just: [
    flags(`
      -l -n -q -v -u --list --dry-run --quiet --verbose --summary --unsorted --no-dotenv --yes
      --version --help --variables
    `),
    values('-s --show'),
    takes('search', '-f -d --justfile --working-directory'),
    high(
      flags('--command -c --edit -e --choose --init --fmt --evaluate'),
      values('--dotenv-path --dotenv-filename --set --shell --shell-arg'),
    ),
  ],
  task: [
    flags(`
      -l -a -n -s -v -x -p -y -f --list --list-all --dry --summary --silent --verbose --exit-code
      --parallel --yes --force --status --json --color --version --help
    `),
    values('-o -C --output --concurrency'),
    takes('search', '-t -d --taskfile --dir'),
    high(flags('-g --global -i --init -w --watch')),
  ],
} as const;

const otherFile = { make: /^(-f|--f|--m)/, just: /^(-f|--justf)/, task: /^(-t|--taskf)/ } as const;

const otherFolder = { make: /^(-C|--dir)/, just: /^(-d|--work)/, task: /^(-d|--dir)/ } as const;

/** Options with which nothing is built. Task also runs commands to find out what it would do. */
const onlyShows = {
  make: /^(-n|--dry-run|--just-print|--recon|--version|-v|--help|-h)$/,
  just: /^(-n|--dry-run|--version|--help|--list|-l|--summary|--show|-s|--variables)$/,
  task: /^(--version|--help|--list|-l|--list-all|-a)$/,
} as const;

/** Allows `make CFLAGS=-O2`: variables that may precede a command may also be given to make. */
function setsHarmlessly({ kind, text }: Value): boolean {
  const [, name, value] = /^([A-Z]\w*)=(.*)$/s.exec(text) ?? [];
  return kind === 'literal' && name !== undefined && environmentProblem(name, literal(value!)) === undefined;
}

/** Returns whether `make -n` runs something: code in the makefile itself, or lines that begin with a plus sign. */
function runsAnyway(options: readonly GivenOption[], targets: readonly Value[], { cwd, context }: Scope): boolean {
  const { lookUp } = context;
  const isDryRun = options.some(({ name }) => /^(?:-n|--dry-run|--just-print|--recon)$/.test(name));
  if (!isDryRun || !lookUp || cwd === undefined) return false;
  const isComputed = (targets.length > 0 ? targets : [literal('')]).some(({ text }) => {
    const found = lookUp('make', text, cwd);
    return found !== undefined && found.text === undefined;
  });
  const files = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => lookUp('text', name, cwd));
  return isComputed || files.some((file) => /^\t[ \t@-]*\+|\$[({]MAKE[)}]/m.test(file?.text ?? ''));
}

/** Judges `make`, `just` and `task`. */
export const judgeMake: Judge = ({ name: tool, words, scope, whole }) => {
  const kind = tool === 'just' || tool === 'task' ? tool : 'make';
  const { options, operands } = readArguments(words, optionTable(taskOptions[kind]), 'letters');
  for (const option of options) judgeMakeOption(option, scope);
  const targets = operands.filter(
    (word) => !/^(V|VERBOSE|DEBUG)=[01]$|^j?\d+$/.test(word.text) && !setsHarmlessly(word),
  );
  const namesFile = options.some(({ name }) => otherFile[kind].test(name));
  const onlyShown =
    options.some(({ option }) => option && onlyShows[kind].test(option.name)) &&
    !namesFile &&
    operands.every((word) => word.kind === 'literal' && /^[\w:.-]+$/.test(word.text)) &&
    !(kind === 'make' && runsAnyway(options, targets, scope));
  if (onlyShown) note(scope, 'low', whole);
  // The named file and folder determine the targets.
  else if (namesFile && scope.context.lookUp)
    doubt(scope, whole, 'Runs another makefile, whose effects are not known.');
  else if (namesFile && targets.length === 0) recordScriptRun(scope, 'all', whole);
  else
    runTargets(kind, targets, inFolder(options.find(({ name }) => otherFolder[kind].test(name))?.value, scope), whole);
  return 'done';
};

function judgeMakeOption({ option, culprit, value }: GivenOption, scope: Scope): void {
  if (!option || option.level === 'high') doubt(scope, culprit, 'Uses an option that is not known to be safe.');
  else if (value?.text === '-' || value?.text.startsWith('/dev/'))
    refuse(scope, culprit, 'Reads its build file from its input.');
  else if (value && option.role === 'search') {
    touch(scope, 'searches', value);
    if (value.kind !== 'unknown' && resolvePlace(value, scope.cwd, scope.context).where !== 'inside')
      refuse(scope, culprit, 'Runs code from outside the workspace.');
  }
  if (option?.level === 'medium') note(scope, 'medium', culprit, 'Changes files of the workspace.');
}

/** Returns the scope in another folder, if one is given. */
function inFolder(folder: Value | undefined, scope: Scope): Scope {
  if (!folder) return scope;
  const place = resolvePlace(folder, scope.cwd, scope.context);
  return { ...scope, cwd: place.where === 'inside' && !place.glob ? place.path : undefined };
}

/** Judges what the targets run; without a target, what the first one of the file runs. */
function runTargets(kind: keyof typeof taskOptions, targets: readonly Value[], scope: Scope, whole: string): void {
  for (const target of targets) runNamed({ kind, chosen: target, more: [] }, scope, whole);
  if (targets.length === 0 && !judgeScriptText({ kind, name: '' }, scope, whole))
    runNamed({ kind, chosen: literal('all'), more: [] }, scope, whole);
}

/** Names of scripts that test, check or build. The commands they typically run are rated the same without a script. */
const readOnlyScript = sequence(
  [
    /^(?!.*(fix|write|update|watch|serve|snapshot))/,
    anyOf([
      't test tests spec build all compile lint check',
      /type-?check/,
      'tsc verify unit integration coverage validate',
    ]),
    repeated([
      /[:._-]/,
      anyOf([
        'unit integration all ci type types js ts coverage dev css scss styles html md docs e2e',
        'src app api web core server client node browser eslint prettier tsc once changed fast quick',
      ]),
    ]),
    /$/,
  ],
  'i',
);

/** Formats the words that npm appends to a script, quoted as npm does. */
const addedTo = (more: readonly Value[]): string =>
  more
    .filter(({ text }) => text !== '--')
    .map(({ text }) => ` '${text.replaceAll("'", "'\\''")}'`)
    .join('');

function runNamed(
  {
    kind,
    chosen,
    more,
  }: { readonly kind: 'npm' | 'make' | 'just' | 'task'; readonly chosen: Value; readonly more: readonly Value[] },
  scope: Scope,
  whole: string,
): 'done' {
  if (chosen.kind !== 'literal' || more.some((one) => one.kind === 'unknown')) {
    doubt(scope, whole, 'Runs something that is only known when it runs.');
    return 'done';
  }
  if (
    more.some(({ text }) =>
      /^--?(script-shell|prefix|node-options|userconfig|globalconfig|registry|cwd|dir|C)/.test(text),
    ) ||
    !/^[\w][\w:./-]*$/.test(chosen.text)
  )
    refuse(scope, whole, 'Uses an option that can change what runs.');
  judgeForwardedArguments(more, scope);
  for (const one of more)
    if (/(^|=)[~/]|\.\.\//.test(one.text) && !isOwnTemporary(one, scope))
      refuse(scope, one.source, 'May reach a path outside the workspace.');
  if (scope.cwd === undefined || resolvePlace(literal('.'), scope.cwd, scope.context).where !== 'inside')
    refuse(scope, whole, 'Runs code of another folder.');
  if (judgeScriptText({ kind, name: chosen.text, added: kind === 'npm' ? addedTo(more) : '' }, scope, whole))
    return 'done';
  if (kind !== 'npm' && !knownScript.test(chosen.text)) doubt(scope, whole, 'Runs an unknown target.');
  const before = scope.effects.length;
  recordScriptRun(
    scope,
    [chosen.text, ...more.map(({ text }) => text)].join(' '),
    whole,
    missingScriptName(kind, scope),
  );
  if (
    readOnlyScript.test(chosen.text) &&
    !more.some(({ text }) => /^--?(fix|write|u$|update)/i.test(text)) &&
    scope.effects.slice(before).every((effect) => effect.kind === 'runs' && judgeEffect(effect).level === 'medium')
  )
    scope.effects.splice(before, Infinity, { kind: 'other', level: 'low', culprit: whole });
  return 'done';
}

/**
 * Judges `npx NAME`, `pnpm exec NAME`. Allows only programs that projects commonly declare; others would be downloaded
 * and run.
 */
export const judgeNpx: Judge = ({ name: through, words, scope, flow, whole, manual: own }) => {
  if (words.length === 1 && /^(--version|-v|--help)$/.test(words[0]!.text)) {
    note(scope, 'low', whole);
    return 'done';
  }
  if (words.length === 0 && /^(yarn|pnpm)$/.test(through)) {
    judgeNpmInstall({ name: through, words, scope, flow, whole, manual: own });
    note(scope, 'medium', whole, 'Installs dependencies that the project already declares.');
    return 'done';
  }
  const rest = words.slice(
    words.findIndex(({ text }) => !/^(--no-install|--no|--offline|--yes|-y|--quiet|-q|--)$/.test(text)),
  );
  const [name] = rest;
  const spec = name?.kind === 'literal' && words.length > 0 ? scope.analyser.programNamed(name.text) : undefined;
  if (!spec && /^(yarn|pnpm)$/.test(through) && name?.kind === 'literal' && knownScript.test(name.text))
    return runNamed({ kind: 'npm', chosen: name, more: rest.slice(1) }, scope, whole);
  if (!spec?.declared && name !== undefined && isDeclared(name, scope)) runDeclared(rest, scope, whole);
  else if (!spec?.declared) refuse(scope, whole, 'May download and run a package that the project does not declare.');
  else scope.analyser.judgeCall(rest, inner(scope), flow);
  return 'done';
};

/** Returns whether the manifest in the folder declares a package with the name of the program. */
function isDeclared({ kind, text }: Value, { context, cwd }: Scope): boolean {
  if (kind !== 'literal' || !/^[a-z][\w.-]*$/.test(text) || cwd === undefined) return false;
  const manifest = context.lookUp?.('text', 'package.json', cwd);
  if (manifest?.text === undefined || manifest.standing === 'changed') return false;
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(manifest.text) as Record<string, object | undefined>;
    return Object.hasOwn(dependencies, text) || Object.hasOwn(devDependencies, text);
  } catch {
    return false;
  }
}

/** Judges a program that no table knows but the project declares. It counts as code of the project. */
export function runDeclared(words: readonly Value[], scope: Scope, whole: string): void {
  judgeForwardedArguments(words, scope);
  for (const word of words) {
    if (word.kind === 'unknown') doubt(scope, word.source, 'Gets arguments that are only known when it runs.');
    else if (/(^|=)[~/]|(^|[/=])\.\.(\/|$)/.test(word.text) && !isOwnTemporary(word, scope))
      refuse(scope, word.source, 'May reach a path outside the workspace.');
  }
  recordScriptRun(scope, words.map(({ text }) => text).join(' '), whole);
}
