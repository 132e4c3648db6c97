import type { Judge } from '../../calls/manual';
import { judgeRole } from '../../calls/judgeByManual';
import {
  flags,
  type GivenOption,
  high,
  optionalValues,
  optionTable,
  readLeadingOptions,
  splitArguments,
  takes,
  values,
} from '../../calls/options';
import { loadWorkspace } from '../../calls/scriptText';
import { doubt, inner, note, refuse, type Scope, touch } from '../../effects/scope';
import { environmentProblem, loadsWorkspace } from '../../syntax/environmentNames';
import { resolvePlace } from '../../syntax/place';
import { glob, globWithDotFiles, literal, unknown, type Value } from '../../syntax/value';
import { onlyBelowFloor } from '../../verdict/floor';
import { runDeclared } from '../shared/scripts';

/** Judges the remaining words as a command. `operands` in the table are the wrapper's own leading words. */
export const judgeWrapper: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const { options, rest } = readLeadingOptions(words, optionTable(manual.options ?? []), 'letters');
  for (const option of options) judgeWrapperOption(option, name, scope, whole);
  const own = manual.operands === undefined ? 0 : 1;
  if (own && rest[0]?.kind !== 'literal') doubt(scope, whole, 'Runs something that is only known when it runs.');
  const command = rest.slice(own);
  if (command.length === 0) {
    if (manual.level === 'high') refuse(scope, whole, manual.reason ?? 'Runs a shell.');
    else note(scope, manual.level, whole);
    return 'done';
  }
  if (options.some(({ name: optionName }) => /^-[vV]$/.test(optionName)) && name === 'command') return 'done';
  if (manual.level !== 'low') note(scope, manual.level, whole, manual.reason);
  const inside = inner(scope);
  scope.analyser.judgeCall(command, inside, flow);
  // These start a command of the shell itself.
  if (/^(?:command|builtin)$/.test(name)) {
    for (const [variable, value] of inside.variables) scope.variables.set(variable, value);
    scope.cwd = inside.cwd;
  }
  return 'done';
};

function judgeWrapperOption({ option, culprit, value }: GivenOption, name: string, scope: Scope, whole: string): void {
  if (!option || option.level === 'high')
    doubt(scope, culprit, `Uses an option of "${name}" that is not known to be safe.`);
  else if (value && option.role === 'write' && /^[|!]/.test(value.text))
    refuse(scope, culprit, 'Passes its output to another program.');
  else if (value && option.role === 'write') touch(scope, 'writes', value);
  else if (value && option.role === 'read') touch(scope, 'reads', value);
  else if (value && option.role === 'plugin') judgeRole(option.role, value, scope, whole);
}

/** Judges `bundle exec NAME`, `poetry run NAME`. A program that no table knows counts as declared by the project. */
export const judgeBundled: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const { options, rest } = readLeadingOptions(words, optionTable(manual.options ?? []), 'letters');
  const [name] = rest;
  const isPlainName = name?.kind === 'literal' && /^[a-z][\w-]*$/.test(name.text);
  const areKnown = options.every(({ option }) => option !== undefined && option.level !== 'high');
  if (!isPlainName || !areKnown || scope.analyser.programNamed(name.text) !== undefined) return judgeWrapper(one);
  runDeclared(rest, scope, whole);
  return 'done';
};

/** Judges `uv run NAME`. A Python file is run by Python, whatever its permissions and its first line are. */
export const judgeUvRun: Judge = (one) => {
  const { words, manual } = one;
  const { rest } = readLeadingOptions(words, optionTable(manual.options ?? []), 'letters');
  const [file] = rest;
  if (file?.kind !== 'literal' || !file.text.endsWith('.py')) return judgeBundled(one);
  return judgeWrapper({ ...one, words: [...words.slice(0, words.length - rest.length), literal('python'), ...rest] });
};

/**
 * Judges `hatch run test -k a`: declared test scripts, whose arguments are passed to pytest. Anything else is judged as
 * a program.
 */
export const judgePythonRun: Judge = (one) => {
  const {
    words: [script, ...more],
    scope,
    flow,
    whole,
  } = one;
  if (
    script?.kind !== 'literal' ||
    !/^([\w.-]+:)?(tests?|cov|coverage|unit)(?:[:_-][\w-]+(?::[\w-]+)*)?$/.test(script.text)
  )
    return judgeWrapper(one);
  scope.analyser.judgeCall([literal('pytest'), ...more], inner(scope), flow);
  note(scope, 'low', whole);
  return 'done';
};

/** Judges programs that pass their words to a shell, joined as by `watch`, or one by one. */
export const judgeShellLines: Judge = ({ name, words, scope, whole, manual }) => {
  const joins = name === 'watch';
  const { options, operands, rest } = splitArguments(
    words,
    optionTable(manual.options ?? []),
    'letters',
    joins ? 'first operand' : 'all operands',
  );
  for (const { option, culprit, value } of options)
    if (!option || option.level === 'high')
      doubt(scope, culprit, `Uses an option of "${name}" that is not known to be safe.`);
    else if (value && option.role === 'write') touch(scope, 'writes', value);
    else if (value && option.role === 'run' && value.kind !== 'literal')
      doubt(scope, value.source, 'Runs something that is only known when it runs.');
    else if (value && option.role === 'run')
      scope.analyser.judgeText(value.text, { ...inner(scope), variables: new Map() });
  const commands = joins ? rest : operands;
  if (commands.length === 0 && !options.some(({ name: one }) => /^(-v|-V|--version|-h|--help)$/.test(one)))
    refuse(scope, whole, 'Runs something that is not written in the command.');
  if (commands.some(({ kind }) => kind !== 'literal')) {
    doubt(scope, whole, 'Runs something that is only known when it runs.');
    return 'done';
  }
  for (const text of joins
    ? [commands.map((one) => one.text).join(' ')]
    : commands.map((one) => one.text.replace(/^(npm|pnpm|yarn|bun):/, '$1 run ')))
    scope.analyser.judgeText(text, { ...inner(scope), variables: new Map() });
  note(scope, manual.level, whole, manual.reason);
  return 'done';
};

/** Without a command, it shows every variable, including secrets. */
export const judgeEnv: Judge = ({ name, words, scope, flow, whole }) => {
  if (name.startsWith('dotenv')) touch(scope, 'reads', literal('.env'), whole);
  const { options, rest } = readLeadingOptions(words, environmentOptions, 'letters');
  for (const { option, culprit } of options)
    if (!option || option.level === 'high')
      doubt(scope, culprit, 'Uses an option of "env" that is not known to be safe.');
  const [folder, line] = [/^(-C|--chdir)$/, /^(-S|--split-string)$/].map(
    (wanted) => options.filter(({ option }) => option && wanted.test(option.name)).at(-1)?.value,
  );
  const place = folder && resolvePlace(folder, scope.cwd, scope.context);
  const there: Scope = {
    ...inner(scope),
    ...(place && { cwd: place.where === 'unknown' || place.glob ? undefined : place.path, formerly: [] }),
  };
  if (line) {
    if (line.kind === 'literal')
      scope.analyser.judgeText(
        ['env', line.text, ...rest.map(({ text }) => `'${text.replaceAll("'", "'\\''")}'`)].join(' '),
        there,
      );
    return 'done';
  }
  let at = 0;
  for (; at < rest.length; at++) {
    const { kind, text, source } = rest[at]!;
    const equals = text.indexOf('=');
    if (equals < 1) break;
    const [name, value] = [text.slice(0, equals), literal(text.slice(equals + 1))];
    const problem =
      kind === 'literal'
        ? environmentProblem(name, value, scope.context.confined)
        : 'Sets a variable to a value that is only known when it runs.';
    if (problem) refuse(scope, source, problem);
    else if (loadsWorkspace(name, value)) loadWorkspace(value, scope, source);
  }
  if (at === rest.length && flow.narrowed)
    note(scope, 'medium', whole, 'Shows a part of the environment; known secrets are masked.');
  else if (at === rest.length) refuse(scope, whole, 'Shows the environment, which may contain secrets.');
  else scope.analyser.judgeCall(rest.slice(at), there, flow);
  return 'done';
};

const environmentOptions = optionTable([
  flags('-i -0 -v --ignore-environment --null --debug --list-signal-handling'),
  values('-u -a --unset --argv0'),
  optionalValues('--default-signal --ignore-signal --block-signal'),
  high(values('-C --chdir -S --split-string')),
]);

const xargsOptions = optionTable([
  flags('-0 -r -t -x -p --null --no-run-if-empty --verbose --exit'),
  values('-n -P -I -L -d -s -E --max-args --max-procs --delimiter --max-chars'),
  optionalValues('-i -l -e --max-lines --replace --eof'),
  takes('read', '-a --arg-file'),
  high(values('-J -R')),
]);

/** Maximum number of words of a here-document that are judged. */
const maxGiven = 100;

/** Judges a command that takes words from its input. They are known if the previous command prints known words. */
export const judgeXargs: Judge = ({ words, scope, flow, whole }) => {
  const { options, rest } = readLeadingOptions(words, xargsOptions, 'letters');
  for (const { option, culprit } of options)
    if (!option || option.level === 'high')
      doubt(scope, culprit, 'Uses an option of "xargs" that is not known to be safe.');
  const list = options.find(({ option }) => option?.role === 'read')?.value;
  if (list) touch(scope, 'reads', list);
  if (flow.network) refuse(scope, whole, 'Adds arguments from elsewhere to the command.');
  const replacing = options.find(({ option }) => option && /^(-I|-i|--replace)$/.test(option.name));
  const mark = replacing ? replacing.value?.text || '{}' : undefined;
  const command = rest.length > 0 ? rest : [literal('echo')];
  if (/^(.*\/)?(ba|z|da|k|a|fi)?sh$/.test(command[0]!.text)) refuse(scope, whole, 'Starts a shell with its input.');
  const added: readonly Value[] = (list ? undefined : flow.paths) ?? [unknown('', 'what comes in')];
  for (const value of added) {
    const filled = mark === undefined ? [...command, value] : command.map((word) => fill(word, mark, value));
    // With a list from a file, the command gets the input of xargs.
    scope.analyser.judgeCall(filled, inner(scope), list ? { ...flow, paths: undefined } : {});
  }
  const inputWords = (flow.inputText ?? []).flatMap((text) => text.split(/[\s'"\0]+/).filter(Boolean));
  for (const text of inputWords.slice(0, maxGiven))
    onlyBelowFloor(scope, (inside) => {
      const value = literal(text);
      const filled = mark === undefined ? [...command, value] : command.map((word) => fill(word, mark, value));
      scope.analyser.judgeCall(filled, inner(inside), {});
    });
  return 'done';
};

function fill(word: Value, mark: string, value: Value): Value {
  if (!word.text.includes(mark)) return word;
  if (word.text === mark) return value;
  if (value.kind === 'unknown' || /\s/.test(word.text)) return unknown('', word.source);
  const text = word.text.replaceAll(mark, value.text);
  if (value.kind !== 'glob') return literal(text, word.source);
  return value.hidden ? globWithDotFiles(text, word.source) : glob(text, word.source);
}
