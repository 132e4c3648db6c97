import { isLocal } from '../verdict/address';
import { asksOnly } from './asksOnly';
import { judgeForwardedArguments, writtenBy } from './forwardedArguments';
import { optionTable, readArguments, type GivenOption, type Role } from './options';
import { pathsPrinted } from '../syntax/outputPaths';
import { placeOf } from '../syntax/place';
import {
  attribute,
  doubt,
  drop,
  noteGenerally,
  type Flow,
  inner,
  note,
  refuse,
  run,
  type Scope,
  spend,
  tellOf,
  touch,
  unknownProgram,
} from '../effects/scope';
import { mayBeMild } from './unknownOption';
import { scriptFile } from './special/scripts';
import { judgeInlineCode } from './special/inlineCode';
import { judgeProgram } from './special/scriptText';
import { specialNamed } from './special/all';
import { byName, type Spec } from './spec';
import { belowFloor, carriedWords, programBelowFloor } from '../verdict/floor';
import type { Effect } from '../effects/effect';
import { judgeText } from '../syntax/walk';
import { temporaryFileAt } from '../verdict/temporaryFiles';
import { toolNamed } from './tools/all';
import { literal, type Value } from '../syntax/value';

const aboutItself = /^(--?version|-v|-V|-vV|--?help|--list-(sdks|runtimes)|--info)$/;
/** Words in these roles change nothing. */
const harmless: ReadonlySet<Role> = new Set<Role>(['text', 'read', 'search', 'list']);
const systemFolder = /^\/(usr\/(local\/)?)?s?bin\/(?=[^/]+$)/;
/** Programs that projects keep to start a tool of theirs. */
const ownWrapper = /^(?:\.\/)?((?:gradlew|mvnw)|bin\/(?:rails|rake|rspec))$/;
/** What test runners load to read other languages. */
const loaders =
  /^no:[\w.-]+$|^(ts-node|tsx|esbuild-register|@swc-node|@swc|@babel|sucrase|source-map-support|dotenv|tsconfig-paths|jsdom-global|global-jsdom)(\/(register|config|cjs|esm)(\/transpile-only)?)?$/;
const projectBin = /^(\.\/)?(node_modules\/\.bin|vendor\/bin|\.?venv\/bin)\/(?=[^/]+$)/;

/** Judges one command whose words are resolved; the first names the tool. */
export function judgeTool(words: readonly Value[], scope: Scope, flow: Flow): Flow {
  const from = { ...scope };
  const before = scope.effects.length;
  const after = judgeNamed(words, scope, flow);
  attribute(scope, before, {
    name: words[0]?.text ?? '',
    words: words.slice(1),
    whole: words.map(({ source }) => source).join(' '),
  });
  if (!scope.context.started) return after;
  tellOf(
    words,
    from,
    scope.effects.slice(before).flatMap((effect) => ('place' in effect ? [effect.place.path] : [])),
  );
  return after;
}

function judgeNamed(words: readonly Value[], scope: Scope, flow: Flow): Flow {
  spend(scope);
  const [command, ...rest] = words;
  if (command?.kind !== 'literal') {
    doubt(scope, command?.source ?? '', 'What it runs is only known when it runs.');
    return {};
  }
  const name = command.text.replace(systemFolder, '').replace(projectBin, '');
  const whole = words.map(({ source }) => source).join(' ');
  judgeFloor(name, rest, scope, whole);
  const wrapped = ownWrapper.exec(name)?.[1];
  if (wrapped) judgeProgram(name.replace('./', ''), scope, whole);
  if (name.includes('/') && !wrapped) {
    scriptFile(command, rest, scope);
    return {};
  }
  const spec = toolNamed(wrapped?.replace('bin/', '') ?? name);
  if (
    rest.length > 0 &&
    rest.length < 3 &&
    (!spec || !/^(env|eval|exec|xargs|find|\[|test)$/.test(name)) &&
    /^[a-z][\w.+-]*$/.test(name) &&
    rest.every(
      ({ kind, text }, at) => kind === 'literal' && (at === 0 ? /^(--version|--help)$/ : /^(--verbose|-v)$/).test(text),
    )
  ) {
    note(scope, 'low', whole);
    return {};
  }
  if (!spec && scope.context.started) carriedOn(rest, scope, flow);
  if (!spec && /^[a-z][\w.+-]*$/i.test(command.source) && asksOnly(rest)) {
    note(scope, 'medium', whole, `It asks "${name}", which is not known, for what it knows.`);
    return {};
  }
  if (!spec) {
    unknownProgram(scope, rest, whole, `What "${name.slice(0, 60)}" does is not known.`);
    return {};
  }
  judgeSpec(spec, name, rest, scope, flow, whole);
  return { paths: pathsPrinted(name, rest, flow, scope), network: flow.network ?? false };
}

/** A program that nobody knows may run the words behind it: where one of them starts programs, what it would start is told. */
function carriedOn(words: readonly Value[], scope: Scope, flow: Flow): void {
  words.forEach(({ text }, at) => {
    if (/^(shell|environment|wrapper|python|inline|xargs)$/.test(toolNamed(text)?.special ?? ''))
      judgeTool(words.slice(at), { ...inner(scope), effects: [] }, flow);
  });
}

/** What may never run by itself is found behind `sudo` and its kin too. */
function judgeFloor(name: string, words: readonly Value[], scope: Scope, whole: string): void {
  const reason = programBelowFloor(name, words);
  if (reason !== undefined) scope.effects.push({ kind: 'other', level: 'high', floor: true, reason, culprit: whole });
  const carried = carriedWords(name, words);
  if (!carried?.length) return;
  const effects: Effect[] = [];
  const text =
    name === 'eval'
      ? carried.map(({ text: one }) => one).join(' ')
      : words[words.findIndex(({ text: one }) => one === '-c') + 1]?.text;
  if (name === 'eval' || (name === 'su' && words.some(({ text: one }) => one === '-c')))
    judgeText(text ?? '', { ...scope, effects });
  else judgeTool(carried, { ...inner(scope), effects }, {});
  scope.effects.push(...effects.filter((effect) => belowFloor(effect) !== undefined));
}

/** `whole` is the text a person is shown for what the tool itself does. */
export function judgeSpec(
  spec: Spec,
  name: string,
  words: readonly Value[],
  scope: Scope,
  flow: Flow,
  whole: string,
): void {
  spend(scope, 1 + words.length);
  const end = spec.handsOnTo === undefined ? -1 : words.findIndex(({ text }) => text === '--');
  if (end >= 0) {
    judgeSpec(toolNamed(spec.handsOnTo!)!, spec.handsOnTo!, words.slice(end + 1), scope, flow, whole);
    return judgeSpec(spec, name, words.slice(0, end), scope, flow, whole);
  }
  const handled =
    spec.special === undefined ? undefined : specialNamed(spec.special)!({ name, words, scope, flow, whole, spec });
  if (handled === 'done') return;
  const table = optionTable(spec.options ?? '');
  const style = spec.style ?? 'letters';
  // What stands behind a script are words of the script.
  const forScript = spec.operands?.startsWith('script') ?? false;
  const { options, rest, operands: plain } = readArguments(words, table, style, spec.verbs !== undefined || forScript);
  const operands = forScript ? rest : plain;
  const before = scope.effects.length;
  for (const option of options) judgeOption(option, spec, name, scope, whole);
  // Without a verb, options are those of what it does then.
  const [first] = rest;
  if (spec.verbs && spec.bare && (!first || !known(spec).has(first.text)) && options.some(({ option }) => !option)) {
    scope.effects.length = before;
    return judgeSpec(spec.bare, name, words, scope, flow, whole);
  }
  if (spec.verbs) return judgeVerb(spec, name, rest, scope, flow, whole, options);
  const asksAboutItself =
    operands.length === 0 &&
    options.length === 1 &&
    options[0]!.option !== undefined &&
    aboutItself.test(options[0]!.name);
  if (asksAboutItself) return note(scope, 'low', whole);
  if (spec.ownShell)
    scope.effects.push({
      kind: 'other',
      level: 'high',
      culprit: whole,
      reason: spec.reason!,
      harm: 'unusual',
      general: true,
      unsure: true,
    });
  else noteGenerally(scope, spec.level, whole, spec.reason);
  const runsInput = spec.needsOperand && flow.written !== undefined && operands.every(({ text }) => text === '-');
  if (runsInput) return judgeInlineCode({ language: name, code: flow.written, scope, whole });
  if (spec.needsOperand && operands.length === 0 && !options.some(({ name: given }) => given === '--test'))
    refuse(scope, whole, `"${name}" runs what it is given as input.`);
  judgeOperands(spec, operands, options, scope, whole);
}

const verbsOf = new WeakMap<object, ReadonlyMap<string, Spec>>();

function known({ verbs = {} }: Spec): ReadonlyMap<string, Spec> {
  const found = verbsOf.get(verbs) ?? byName(verbs);
  verbsOf.set(verbs, found);
  return found;
}

function judgeVerb(
  spec: Spec,
  name: string,
  rest: readonly Value[],
  scope: Scope,
  flow: Flow,
  whole: string,
  options: readonly GivenOption[],
): void {
  const [verb, ...words] = rest;
  if (!verb) {
    if (spec.bare && !options.some(({ name: given }) => aboutItself.test(given)))
      return judgeSpec(spec.bare, name, [], scope, flow, whole);
    return noteGenerally(
      scope,
      options.some(({ name: given }) => aboutItself.test(given)) ? 'low' : spec.level,
      whole,
      spec.reason,
    );
  }
  const chosen = verb.kind === 'literal' ? known(spec).get(verb.text) : undefined;
  if (!chosen && spec.bare) return judgeSpec(spec.bare, name, rest, scope, flow, whole);
  if (
    !chosen &&
    rest.length < 4 &&
    rest.at(-1)!.text === '--help' &&
    rest.every(({ kind, text }, at) => kind === 'literal' && (at === rest.length - 1 || /^[a-z][\w-]*$/.test(text)))
  )
    return note(scope, 'low', whole);
  if (!chosen && spec.level === 'high' && Object.keys(spec.verbs ?? {}).length > 0 && asksOnly(rest))
    return note(scope, 'medium', whole, `It asks "${name}" for what it knows.`);
  if (!chosen && spec.level === 'high' && spec.reason) {
    scope.effects.push({
      kind: 'other',
      level: 'high',
      culprit: whole,
      reason: spec.reason,
      harm: 'changes',
      general: true,
      unsure: true,
    });
    return;
  }
  if (!chosen)
    return doubt(scope, whole, `What "${name} ${verb.source.slice(0, 60)}" does is not known to be harmless.`);
  judgeSpec(chosen, `${name} ${verb.text}`, words, scope, flow, whole);
}

function judgeOption(
  { option, name, value, culprit }: GivenOption,
  spec: Spec,
  tool: string,
  scope: Scope,
  whole: string,
): void {
  if (!option && spec.mild?.test(culprit)) return note(scope, spec.level, culprit, undefined);
  if (!option) {
    const level = spec.others ?? (spec.level === 'low' && mayBeMild(name, value) ? 'medium' : 'high');
    const isOnlyUnknown =
      level === 'high' && name.startsWith('--') && spec.others === undefined && spec.level !== 'high';
    if (isOnlyUnknown && scope.context.confined)
      return unknownProgram(
        scope,
        value ? [value] : [literal(culprit)],
        culprit,
        `What the option ${name.slice(0, 60)} of "${tool}" does is not known.`,
      );
    return note(
      scope,
      level,
      culprit,
      level === 'low' ? undefined : `What the option ${name.slice(0, 60)} of "${tool}" does is not known.`,
      'unknown',
    );
  }
  if (value && option.role === 'text' && option.level !== 'high' && spec.level !== 'high') scope.free?.add(value);
  if (option.level !== 'low')
    note(scope, option.level, culprit, `The option ${name} makes "${tool}" do more than usual.`, 'unusual');
  if (value && option.role === 'text' && spec.level !== 'high')
    for (const file of value.kind === 'unknown' ? [] : writtenBy(name, value)) touch(scope, 'writes', file, culprit);
  if (value && /^(read|search|list)$/.test(option.role)) refuseForeignSettings(value, tool, scope);
  if (value && option.role !== 'text') judgeRole(option.role, value, scope, whole);
  else if (value?.kind === 'unknown' && !spec.loose && spec.level !== 'low')
    doubt(scope, value.source, 'A value is only known when it runs.');
}

/** Programs to which a file that an option names is data: messages, patterns, queries. */
const takesData = /^(git|e?grep|rg|jq|yq|sort|diff|comm|curl|wget|tar|xargs|openssl)( |$)/;

/** What an option of another program names may be settings or code; of temporary files nobody knows what they hold. */
function refuseForeignSettings(value: Value, tool: string, scope: Scope): void {
  const isForeign =
    value.kind !== 'unknown' &&
    temporaryFileAt(placeOf(value, scope.cwd, scope.context.workspace), scope.context) !== undefined;
  if (isForeign && !takesData.test(tool)) refuse(scope, value.source, 'Takes settings or code from a temporary file.');
}

function judgeOperands(
  spec: Spec,
  operands: readonly Value[],
  options: readonly GivenOption[],
  scope: Scope,
  whole: string,
): void {
  let roles = spec.operands === undefined ? ['text…'] : spec.operands.split(' ').filter(Boolean);
  if (spec.insteadOfFirst && options.some(({ option }) => option && spec.insteadOfFirst!.includes(option.name)))
    roles = roles.slice(1);
  const folder =
    spec.last === 'write' && operands.length > 1
      ? operands.at(-1)
      : options.find(({ option }) => option && /^(-t|--target-directory)$/.test(option.name))?.value;
  if (folder && spec.last === 'write')
    for (const value of operands)
      if (value !== folder && folder.kind !== 'unknown' && value.kind !== 'unknown')
        touch(scope, 'writes', {
          ...value,
          text: `${folder.text}/${value.text.split('/').filter(Boolean).at(-1) ?? ''}`,
        });
  // What stands behind `--` is for the program that it starts.
  if (operands.some(({ text }) => /^--./.test(text))) judgeForwardedArguments(operands, scope);
  operands.forEach((value, at) => {
    const final = roles.at(-1);
    const role = at < roles.length ? roles[at]! : final?.endsWith('…') ? final : undefined;
    if (role === undefined) return doubt(scope, value.source, `"${whole.split(' ')[0]!}" takes fewer words than this.`);
    if (spec.last && at === operands.length - 1 && operands.length > 1)
      return judgeRole(spec.last, value, scope, whole);
    const named = role.replace('…', '') as Role;
    const plain = named === 'search' && options.some(({ option }) => option?.level === 'medium') ? 'write' : named;
    if (spec.style === 'words' && value.text.startsWith('@'))
      return refuse(scope, value.source, 'Its options come from a file.');
    if (plain === 'text' && value.kind === 'unknown' && !spec.loose)
      return doubt(scope, value.source, 'An argument is only known when it runs.');
    if (
      spec.level !== 'high' &&
      !spec.last &&
      harmless.has(plain) &&
      !roles.slice(0, at).some((before) => before.startsWith('script'))
    )
      scope.free?.add(value);
    judgeRole(plain, value, scope, whole);
    // A word with blanks in it is a text, not what the script shall do.
    if (plain === 'script')
      run(
        scope,
        operands
          .slice(at + 1)
          .map(({ text }) => text)
          .filter((text) => !/\s/.test(text))
          .join(' '),
        whole,
      );
    if (plain === 'script') judgeForwardedArguments(operands.slice(at + 1), scope);
    if (plain === 'script')
      for (const { text, source } of operands.slice(at + 1))
        if (/(^|=)([~/]|\.\.(\/|$))/.test(text)) refuse(scope, source, 'It may reach a path outside the workspace.');
  });
}

export function judgeRole(role: Role, value: Value, scope: Scope, whole: string): void {
  switch (role) {
    case 'text':
      return;
    case 'name':
      return value.kind === 'literal' && /^[\w+-]*$/.test(value.text)
        ? undefined
        : refuse(scope, value.source, 'It loads code that is not built in.');
    case 'flags':
      return value.kind === 'literal' && /^(\s|-[sw](?=\s|$)|-X [\w./=-]+(?![\w./=-]))*$/.test(value.text)
        ? undefined
        : refuse(scope, value.source, 'It gives options to another program.');
    case 'module':
      return judgeModule(value, scope, whole);
    case 'read':
    case 'search':
      if (/^\s*[{[].*:/.test(value.text) && value.kind !== 'unknown')
        return refuse(scope, value.source, 'Its settings stand in the command itself.');
      return touch(scope, role === 'read' ? 'reads' : 'searches', value);
    case 'list':
      return touch(scope, 'lists', value);
    case 'write':
      return touch(scope, 'writes', value);
    case 'delete':
      return drop(scope, value, false);
    case 'url':
      if (value.computed && !isLocal(value.text))
        return refuse(scope, value.source, 'What it sends is only known when it runs.');
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
      if (value.kind !== 'literal') return doubt(scope, value.source, 'What it runs is only known when it runs.');
      if (/@/.test(value.text) || placeOf(value, scope.cwd, scope.context.workspace).where !== 'inside')
        return refuse(scope, value.source, 'It runs a program that is not a file of the workspace.');
      touch(scope, 'reads', value);
      judgeProgram(placeOf(value, scope.cwd, scope.context.workspace).path, scope, whole);
      return run(scope, value.text, whole);
    case 'run':
      return refuse(scope, value.source, 'It runs this.');
  }
}

/** A program of jq or a template sees the environment of whoever runs it, and may load others. */
function judgeFilter(value: Value, scope: Scope): void {
  if (value.kind === 'unknown') return doubt(scope, value.source, 'An argument is only known when it runs.');
  if (/\benv\b|\$ENV|\$__prog|\b(include|import)\b|\bgetenv\b/i.test(value.text)) {
    refuse(scope, value.source, 'Shows variables of the environment, which may hold credentials, or loads code.');
  }
}

/** A known loader of another language, or a file of the workspace, which is run as a script is. */
function judgeModule(value: Value, scope: Scope, whole: string): void {
  if (value.kind === 'literal' && loaders.test(value.text)) return;
  if (value.kind === 'literal' && /^\.\.?\/.*\.[mc]?[jt]s$/.test(value.text))
    return judgeRole('script', value, scope, whole);
  refuse(scope, value.source, 'It loads code.');
}

/** `HEAD~2`, `main..topic`, `HEAD:path` or a path: only what could be a path counts. */
function judgeRevision(value: Value, scope: Scope): void {
  if (value.kind === 'unknown') return doubt(scope, value.source, 'An argument is only known when it runs.');
  if (/^[\w@^~{}/.-]+\.\.\.?[\w@^~{}/-]*$/.test(value.text) && !/(^|\/)\.\.\//.test(value.text)) return;
  if (/^:\/[\w -]*$/.test(value.text)) return;
  const path = value.text.replace(/^[^/~]*?:(?=.)/, '');
  touch(scope, 'searches', { ...value, text: path.replace(/^(\w*)[~^]\d*$/, '$1').replace(/^[!^:]+/, '') || '.' });
}
