import { anyOf, sequence } from '../../text/alternatives';
import type { Harm } from '../../risk/finding';
import { isLocal } from '../verdict/address';
import { isQuery } from './isQuery';
import { judgeForwardedArguments, filesWrittenBy } from './forwardedArguments';
import { optionTable, splitArguments, type GivenOption, type Options, type Role } from './options';
import { folderAfterCd, resolvePlace } from '../syntax/place';
import {
  doubt,
  drop,
  isOwnTemporary,
  noteGenerally,
  note,
  noteHarm,
  refuse,
  recordScriptRun,
  type Scope,
  spend,
  temporaryScript,
  textWritten,
  touch,
  unknownProgram,
  withoutWritten,
} from '../effects/scope';
import { looksHarmless } from './unknownOption';
import { judgeInlineCode } from './inlineCode';
import { judgeProgram } from './scriptText';
import type { Call, Manual } from './manual';
import { temporaryFileAt } from '../effects/temporaryFiles';
import { literal, type Value } from '../syntax/value';

const aboutItself = /^(--?version|-v|-V|-vV|--?help|--list-(sdks|runtimes)|--info)$/;
/** The same after a verb, where `-v` means verbose. */
const aboutVerb = /^--(?:version|help)$/;
/** Returns whether `-h` means help. With a value it means something else, such as a host. */
const isShortHelp = ({ name, option }: GivenOption): boolean => name === '-h' && option?.takes === 'none';
/** Roles of words that change nothing. */
const rolesWithoutEffect: ReadonlySet<Role> = new Set<Role>(['text', 'read', 'search', 'list']);
/** Modules that test runners load to support other languages. */
const loaders = anyOf([
  /^no:[\w.-]+$/,
  sequence([
    /^/,
    anyOf([
      'ts-node tsx esbuild-register @swc-node @swc @babel sucrase source-map-support dotenv',
      'tsconfig-paths jsdom-global global-jsdom',
    ]),
    /(\/(register|config|cjs|esm)(\/transpile-only)?)?$/,
  ]),
]);

/** Judges a call by its manual. */
export function judgeByManual(call: Call): void {
  const { manual, name, words, scope, flow, whole } = call;
  spend(scope, 1 + words.length);
  if (manual.handsOnTo) {
    const separator = words.findIndex(({ text }) => text === '--');
    if (separator >= 0) {
      judgeByManual({ ...call, ...manual.handsOnTo, words: words.slice(separator + 1) });
      return judgeByManual({ ...call, words: words.slice(0, separator) });
    }
  }
  if (manual.judge?.(call) === 'done') return;
  const table = optionTable(manual.options ?? noOptions);
  const style = manual.style ?? 'letters';
  // Words after a script are arguments of the script.
  const takesScript = rolesOf(manual).first[0] === 'script';
  const split = splitArguments(words, table, style, manual.verbs || takesScript ? 'first operand' : 'all operands');
  const { options, rest } = split;
  const operands = takesScript ? rest : split.operands;
  const effectsBefore = scope.effects.length;
  for (const option of options) judgeOption(option, call);
  // Without a known verb, the options belong to `manual.bare`.
  const [first] = rest;
  const hasVerb = first !== undefined && verbNamed(manual, first.text) !== undefined;
  if (manual.verbs && manual.bare && !hasVerb && options.some(({ option }) => !option)) {
    scope.effects.length = effectsBefore;
    return judgeByManual({ ...call, manual: manual.bare });
  }
  if (manual.verbs) return judgeVerb({ ...call, words: rest }, options);
  if (operands.length === 0 && asksAboutItself(name, options)) return note(scope, 'low', whole);
  if (manual.ownShell) noteGeneralDoubt(scope, whole, manual.reason!, 'unusual');
  else noteGenerally(scope, manual.level, whole, reasonOf(manual, name));
  const runsInput = manual.needsOperand && flow.written !== undefined && operands.every(({ text }) => text === '-');
  if (runsInput) return judgeInlineCode({ language: name, code: flow.written, scope, whole });
  if (manual.needsOperand && operands.length === 0 && !options.some(({ name: optionName }) => optionName === '--test'))
    refuse(scope, whole, `Runs what "${name}" gets as input.`);
  judgeOperands({ ...call, words: operands }, options);
}

const noOptions: Options = [];

/** Returns whether the only option asks for the version or help. `name` includes the verbs. */
function asksAboutItself(name: string, options: readonly GivenOption[]): boolean {
  const [only, ...others] = options;
  if (!only?.option || others.length > 0) return false;
  return (name.includes(' ') ? aboutVerb : aboutItself).test(only.name) || isShortHelp(only);
}

/** Records that a program requires approval because its table does not cover this use of it. */
function noteGeneralDoubt(scope: Scope, culprit: string, reason: string, harm: Harm): void {
  scope.effects.push({ kind: 'other', level: 'high', culprit, reason, harm, general: true, unsure: true });
}

/** Returns the manual of a verb, or undefined if the verb is not listed. */
const verbNamed = ({ verbs = {} }: Manual, verb: string): Manual | undefined =>
  Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;

/** Roles of the first words and the role of all further ones. `rest` is undefined if no more words are allowed. */
interface Roles {
  readonly first: readonly Role[];
  readonly rest: Role | undefined;
}

function rolesOf({ operands = { rest: 'text' } }: Manual): Roles {
  return 'rest' in operands
    ? { first: operands.first ?? [], rest: operands.rest }
    : { first: operands, rest: undefined };
}

/** Roles that remain after an option supplied the first word. */
const withoutFirst = ({ first, rest }: Roles): Roles =>
  first.length > 0 ? { first: first.slice(1), rest } : { first: [], rest: undefined };

/** Judges a call whose first word is a verb. `options` are those before it. */
function judgeVerb(call: Call, options: readonly GivenOption[]): void {
  const { manual, name, words: rest, scope, whole } = call;
  const [verb, ...words] = rest;
  if (!verb) {
    const isHarmless = options.some((option) => aboutItself.test(option.name) || isShortHelp(option));
    if (manual.bare && !isHarmless) return judgeByManual({ ...call, manual: manual.bare });
    return noteGenerally(scope, isHarmless ? 'low' : manual.level, whole, reasonOf(manual, name));
  }
  const chosen = verb.kind === 'literal' ? verbNamed(manual, verb.text) : undefined;
  if (!chosen && manual.bare) return judgeByManual({ ...call, manual: manual.bare });
  if (!chosen && asksForHelp(rest)) return note(scope, 'low', whole);
  // An unlisted verb of Git is an alias, or another program.
  const mayQuery = name !== 'git' && Object.keys(manual.verbs ?? {}).length > 0;
  if (!chosen && manual.level === 'high' && mayQuery && isQuery(rest))
    return note(scope, 'medium', whole, `Asks "${name}" for information.`);
  if (!chosen && manual.level === 'high' && manual.reason)
    return noteGeneralDoubt(scope, whole, manual.reason, 'changes');
  if (!chosen)
    return doubt(scope, whole, `Runs "${name} ${verb.source.slice(0, 60)}", which is not known to be harmless.`);
  // A judge may pass its words to another program.
  if (!chosen.judge && asksForHelp(rest)) return note(scope, 'low', whole);
  judgeByManual({ ...call, manual: chosen, name: `${name} ${verb.text}`, words });
}

/** Verbs that pass their words to another program or a device, which may not know `--help`. */
const passesWordsOn = /^(?:run|exec|eval|x|dlx|create|start|call|ssh|shell|attach|debug|reboot|poweroff|halt)$/;

/** Returns whether the call is `NAME stash push --help` or `NAME push -h`: only plain words before the option. */
function asksForHelp(words: readonly Value[]): boolean {
  const before = words.slice(0, -1);
  const last = words.at(-1)!.text;
  const hasHelpOption = (last === '--help' && words.length < 4) || (last === '-h' && words.length === 2);
  return (
    hasHelpOption &&
    words.every(({ kind }) => kind === 'literal') &&
    before.every(({ text }) => /^[a-z][\w-]*$/.test(text)) &&
    !before.slice(0, -1).some(({ text }) => passesWordsOn.test(text)) &&
    !/^(?:reboot|poweroff|halt)$/.test(before.at(-1)?.text ?? '')
  );
}

function judgeUnknownOption({ name, value, culprit }: GivenOption, { manual, name: tool, scope }: Call): void {
  if (manual.mild?.test(culprit)) return note(scope, manual.level, culprit, undefined);
  const level = manual.others ?? (manual.level === 'low' && looksHarmless(name, value) ? 'medium' : 'high');
  const words = `Uses the unknown option ${name.slice(0, 60)} of "${tool}".`;
  const isOnlyUnknown =
    level === 'high' && name.startsWith('--') && manual.others === undefined && manual.level !== 'high';
  if (isOnlyUnknown && scope.context.confined)
    return unknownProgram(scope, value ? [value] : [literal(culprit)], culprit, words);
  return noteHarm(scope, { level, culprit, reason: level === 'low' ? undefined : words, harm: 'unknown' });
}

function judgeOption(given: GivenOption, call: Call): void {
  const { option, name, value, culprit } = given;
  const { manual, name: tool, scope, whole } = call;
  if (!option) return judgeUnknownOption(given, call);
  if (value && option.role === 'text' && option.level !== 'high' && manual.level !== 'high') scope.free?.add(value);
  if (option.level !== 'low')
    noteHarm(scope, {
      level: option.level,
      culprit,
      reason: option.says ?? `Uses the option ${name}, which makes "${tool}" do more than usual.`,
      harm: 'unusual',
    });
  if (value && option.role === 'text' && manual.level !== 'high')
    for (const file of value.kind === 'unknown' ? [] : filesWrittenBy(name, value))
      touch(scope, 'writes', file, culprit);
  if (value && /^(read|search|list)$/.test(option.role)) refuseForeignSettings(value, tool, scope);
  if (value && option.role !== 'text') judgeRole(option.role, value, scope, whole);
  else if (value?.kind === 'unknown' && !manual.loose && manual.level !== 'low')
    doubt(scope, value.source, 'Uses a value that is only known when it runs.');
}

/**
 * Refuses temporary files as values of options: another program may have written them, and they may be settings or
 * code.
 */
function refuseForeignSettings(value: Value, tool: string, scope: Scope): void {
  const isForeign =
    value.kind !== 'unknown' &&
    temporaryFileAt(resolvePlace(value, scope.cwd, scope.context), scope.context) !== undefined;
  const [program = ''] = tool.split(' ', 1);
  if (isForeign && !scope.analyser.takesData(program))
    refuse(scope, value.source, 'Loads settings or code from a temporary file.');
}

/** Judges the words of a call that are not options. */
function judgeOperands(call: Call, options: readonly GivenOption[]): void {
  const { manual, words: operands, scope, whole } = call;
  const isFirstGiven = options.some(({ option }) => option && manual.insteadOfFirst?.includes(option.name));
  const roles = isFirstGiven ? withoutFirst(rolesOf(manual)) : rolesOf(manual);
  if (manual.last === 'write') judgeTargets(operands, options, scope);
  // Words after `--` are for the program that it starts.
  if (operands.some(({ text }) => /^--./.test(text))) judgeForwardedArguments(operands, scope);
  operands.forEach((value, index) => {
    const givenRole = roles.first[index] ?? roles.rest;
    if (givenRole === undefined) {
      const reason = `Gives "${whole.split(' ')[0]!}" more arguments than it takes.`;
      return doubt(scope, value.source, reason, manual.furtherWords?.(value));
    }
    if (manual.last && index === operands.length - 1 && operands.length > 1)
      return judgeRole(manual.last, value, scope, whole);
    // With an option such as `--write` of prettier, the files are changed instead of searched.
    const changesFiles = givenRole === 'search' && options.some(({ option }) => option?.level === 'medium');
    const role = changesFiles ? 'write' : givenRole;
    if (manual.style === 'words' && value.text.startsWith('@'))
      return refuse(scope, value.source, 'Takes its options from a file.');
    if (role === 'text' && value.kind === 'unknown' && !manual.loose)
      return doubt(scope, value.source, 'Uses an argument that is only known when it runs.');
    if (
      manual.level !== 'high' &&
      !manual.last &&
      rolesWithoutEffect.has(role) &&
      !roles.first.slice(0, index).includes('script')
    )
      scope.free?.add(value);
    judgeRole(role, value, scope, whole);
    if (role === 'script') judgeScriptArguments(operands.slice(index + 1), scope, whole);
  });
}

/** Judges the files that a program such as `cp` creates in its target folder, under the names of its operands. */
function judgeTargets(operands: readonly Value[], options: readonly GivenOption[], scope: Scope): void {
  const folder =
    operands.length > 1
      ? operands.at(-1)
      : options.find(({ option }) => option && /^(-t|--target-directory)$/.test(option.name))?.value;
  if (!folder || folder.kind === 'unknown') return;
  for (const value of operands)
    if (value !== folder && value.kind !== 'unknown')
      touch(scope, 'writes', {
        ...value,
        text: `${folder.text}/${value.text.split('/').filter(Boolean).at(-1) ?? ''}`,
      });
}

/** Judges the words after a script, which the script gets as its arguments. */
function judgeScriptArguments(words: readonly Value[], scope: Scope, whole: string): void {
  runArguments(words, scope, whole);
  judgeForwardedArguments(words, scope);
  for (const word of words)
    if (/(^|=)([~/]|\.\.(\/|$))/.test(word.text) && !isOwnTemporary(word, scope))
      refuse(scope, word.source, 'May reach a path outside the workspace.');
}

/** Names of files that a script reads. In a sandbox, what it does with them stays there. */
const isDataFile = /\.(?:csv|tsv|txt|log|md|jsonl?|xml|html?|svg|png|jpe?g|gif|pdf|sqlite3?|db)$/i;

/** Records that a script may run its arguments: they may name tasks, or scripts that the same line wrote. */
function runArguments(words: readonly Value[], scope: Scope, whole: string): void {
  // A word with spaces is a text, not the name of a task.
  const names = words.map(({ text }) => text).filter((text) => !/\s/.test(text));
  const data = scope.context.confined && scope.cwd !== undefined ? names.filter((name) => isDataFile.test(name)) : [];
  const paths = data.map((name) => folderAfterCd(scope.cwd!, name)).filter((path) => scope.written.has(path));
  withoutWritten(scope, paths, () => recordScriptRun(scope, names.join(' '), whole));
}

export function judgeRole(role: Role, value: Value, scope: Scope, whole: string): void {
  switch (role) {
    case 'text':
    case 'any':
      return;
    case 'name':
      return value.kind === 'literal' && /^[\w+-]*$/.test(value.text)
        ? undefined
        : refuse(scope, value.source, 'Loads code that is not built in.');
    case 'flags':
      return value.kind === 'literal' &&
        /^(\s|(?:all=)?-(?:[swNl]|m(?:=\d)?)(?=\s|$)|-X [\w./=-]+(?![\w./=-]))*$/.test(value.text)
        ? undefined
        : refuse(scope, value.source, 'Gives options to another program.');
    case 'module':
      return judgeModule(value, scope, whole);
    case 'plugin':
      return isPluginName(value) ? undefined : judgeModule(value, scope, whole);
    case 'read':
    case 'search':
      if (/^\s*[{[].*:/.test(value.text) && value.kind !== 'unknown')
        return refuse(scope, value.source, 'Takes its settings from the command itself.');
      return touch(scope, role === 'read' ? 'reads' : 'searches', value);
    case 'list':
      return touch(scope, 'lists', value);
    case 'write':
      return touch(scope, 'writes', value);
    case 'delete':
      return drop(scope, value, { recursive: false });
    case 'empties':
      drop(scope, value, { recursive: true });
      return touch(scope, 'writes', value);
    case 'url':
      if (value.computed && !isLocal(value.text))
        return refuse(scope, value.source, 'Sends data that is only known when it runs.');
      scope.effects.push({
        kind: 'fetches',
        url: value.kind === 'literal' || (value.kind === 'glob' && !/[*[\]]/.test(value.text)) ? value.text : '',
        culprit: value.source,
      });
      return;
    case 'rev':
      return judgeRevision(value, scope);
    case 'filter':
      return judgeFilter(value, scope);
    case 'script':
      if (value.kind !== 'literal')
        return doubt(scope, value.source, 'Runs something that is only known when it runs.');
      return judgeProgramFile(value, scope, whole);
    case 'run':
      return refuse(scope, value.source, 'Runs this argument as a command.');
  }
}

/** Judges a file that an interpreter runs, by what is on the disk and by what the line writes to it. */
function judgeProgramFile(file: Value, scope: Scope, whole: string): void {
  const place = resolvePlace(file, scope.cwd, scope.context);
  const language = whole.split(' ')[0]!;
  const temporary = temporaryScript(scope, place);
  if (temporary !== undefined) return judgeWrittenProgram(language, temporary, scope, whole);
  if (/@/.test(file.text) || place.where !== 'inside')
    return refuse(scope, file.source, 'Runs a program that is not a file of the workspace.');
  const { path } = place;
  touch(scope, 'reads', file);
  judgeProgram(path, scope, whole);
  const text = textWritten(scope, path);
  if (text === undefined) return recordScriptRun(scope, file.text, whole);
  judgeWrittenProgram(language, text, scope, whole);
  withoutWritten(scope, [path], () => recordScriptRun(scope, file.text, whole));
}

/** Judges a program whose text the line writes. Perl starts the program in the first line if that is another one. */
function judgeWrittenProgram(language: string, text: string, scope: Scope, whole: string): void {
  if (language === 'perl' && /^#!(?!.*perl)/.test(text))
    refuse(scope, whole, 'Runs the program that the first line of a script names.');
  judgeInlineCode({ language, code: literal(text), scope, whole });
}

/** Judges a jq program or a template. It can read the environment of its process and may load other programs. */
function judgeFilter(value: Value, scope: Scope): void {
  if (value.kind === 'unknown') return doubt(scope, value.source, 'Uses an argument that is only known when it runs.');
  if (/\benv\b|\$ENV|\$__prog|\b(include|import)\b|\bgetenv\b/i.test(value.text)) {
    refuse(scope, value.source, 'Shows environment variables, which may contain credentials, or loads code.');
  }
}

/** Returns whether a word names what is built in or a package, and no file. */
const isPluginName = ({ kind, text }: Value): boolean =>
  kind === 'literal' && /^(?:@[\w.-]+\/)?\w[\w.,:+-]*$/.test(text) && !/\.[mc]?[jt]sx?$/.test(text);

/**
 * Judges a module to load: a known loader of another language, or a file of the workspace, which is run like a script.
 */
function judgeModule(value: Value, scope: Scope, whole: string): void {
  if (value.kind === 'literal' && loaders.test(value.text)) return;
  if (
    value.kind === 'literal' &&
    /^(?:\.\.?|[\w-]+)\/.*\.[mc]?[jt]sx?$|^[\w-]+(?:\.[\w-]+)*\.[mc]?[jt]sx?$/.test(value.text)
  )
    return judgeRole('script', value, scope, whole);
  const file = fileOfModule(value, scope);
  if (file !== undefined) return judgeRole('script', { ...value, text: file }, scope, whole);
  refuse(scope, value.source, 'Loads code.');
}

/** Endings that JavaScript programs try, in this order, for a path without one. A file of that very name comes first. */
const moduleEndings = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '/index.js', '/index.cjs', '/index.mjs'];

/** Returns the workspace file that a path without an ending means, such as `test/setup` for `test/setup.js`. */
function fileOfModule({ kind, text }: Value, { cwd, context, written }: Scope): string | undefined {
  if (cwd === undefined || kind !== 'literal' || !/^(?:\.\.?|[\w-]+)\/[\w./-]+$/.test(text)) return undefined;
  return moduleEndings
    .map((ending) => text + ending)
    .find((file) => {
      const path = folderAfterCd(cwd, file);
      return written.has(path) || context.lookUp?.('program', path, '.') !== undefined;
    });
}

/** Judges a revision or path: `HEAD~2`, `main..topic`, `HEAD:path`. Only words that could be a path count. */
function judgeRevision(value: Value, scope: Scope): void {
  if (value.kind === 'unknown') return doubt(scope, value.source, 'Uses an argument that is only known when it runs.');
  if (/^[\w@^~{}/.-]+\.\.\.?[\w@^~{}/-]*$/.test(value.text) && !/(^|\/)\.\.\//.test(value.text)) return;
  if (/^:\/[\w -]*$/.test(value.text)) return;
  const path = value.text.replace(/^[^/~]*?:(?=.)/, '');
  touch(scope, 'searches', { ...value, text: path.replace(/^(\w*)[~^]\d*$/, '$1').replace(/^[!^:]+/, '') || '.' });
}

/** What needs approval always says why. */
const reasonOf = ({ level, reason }: Manual, name: string): string | undefined =>
  reason ?? (level === 'high' ? `Runs "${name}", which is not known to be harmless.` : undefined);
