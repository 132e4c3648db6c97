import { parse } from 'unbash';
import type { CommandContext } from './effects/context';
import {
  type Analyser,
  type Scope,
  attribute,
  doubt,
  type Flow,
  inner,
  note,
  spend,
  refuse,
  refuseFloor,
  reportStarted,
  unknownProgram,
} from './effects/scope';
import { judgeScript, judgeText } from './posix/judgeScript';
import { judgeStatements } from './posix/statements';
import { pathsPrinted, programNamed, takesData } from './programs/families';
import { exactlyOneOf } from '../text/alternatives';
import { isQuery } from './calls/isQuery';
import { judgeByManual } from './calls/judgeByManual';
import { judgeProgram } from './calls/scriptText';
import { judgeCmdFloor } from './cmd/judgeCmd';
import type { Effect } from './effects/effect';
import { scriptFile } from './programs/shared/scripts';
import type { Value } from './syntax/value';
import { onlyBelowFloor, wrappedCommand, programBelowFloor } from './verdict/floor';
import { judge } from './verdict/policy';

/** The parts of the analyser that call one another, wired together. */
const analyser: Analyser = {
  programNamed,
  judgeCall,
  judgeText,
  judgeScript,
  judgeStatements,
  pathsPrinted,
  takesData,
};

/** Maximum number of characters after expansion. Operating systems do not start programs with much more. */
const maxExpandedCharacters = 1_000_000;

/**
 * Creates a scope in which nothing has happened yet. `work` is the number of parts that may be judged before the text
 * is rejected as too long.
 */
export const newScope = (text: string, context: CommandContext, work: number): Scope => ({
  cwd: '.',
  variables: new Map(),
  functions: new Map(),
  depth: 0,
  context,
  effects: [],
  formerly: [],
  written: new Map(),
  budget: { left: work, expanded: maxExpandedCharacters },
  parse,
  analyser,
  text,
});

const systemFolder = /^\/(usr\/(local\/)?)?s?bin\/(?=[^/]+$)/;
/** Wrappers that projects keep to start one of their tools. */
const ownWrapper = /^(?:\.\/)?((?:gradlew|mvnw)|bin\/(?:rails|rake|rspec))$/;
const projectBin = /^(\.\/)?(node_modules\/\.bin|vendor\/bin|\.?venv\/bin)\/(?=[^/]+$)/;

/** Judges one command whose words are resolved. The first word is the name of the program. */
function judgeCall(words: readonly Value[], scope: Scope, flow: Flow): Flow {
  const from = { ...scope };
  const before = scope.effects.length;
  const after = judgeNamed(words, scope, flow);
  attribute(scope, before, {
    name: words[0]?.text ?? '',
    words: words.slice(1),
    whole: words.map(({ source }) => source).join(' '),
  });
  if (!scope.context.started) return after;
  reportStarted(
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
    doubt(scope, command?.source ?? '', 'Runs something that is only known when it runs.');
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
  const manual = programNamed(wrapped?.replace('bin/', '') ?? name);
  if (
    rest.length > 0 &&
    rest.length < 3 &&
    (!manual || !/^(env|eval|exec|xargs|find|\[|test)$/.test(name)) &&
    /^[a-z][\w.+-]*$/.test(name) &&
    rest.every(
      ({ kind, text }, at) => kind === 'literal' && (at === 0 ? /^(--version|--help)$/ : /^(--verbose|-v)$/).test(text),
    )
  ) {
    note(scope, 'low', whole);
    return {};
  }
  if (!manual && scope.context.started) carriedOn(rest, scope, flow);
  if (!manual && /^[a-z][\w.+-]*$/i.test(command.source) && isQuery(rest)) {
    note(scope, 'medium', whole, `Asks the unknown command "${name}" for information.`);
    return {};
  }
  if (!manual) {
    unknownProgram(scope, rest, whole, `Runs the unknown command "${name.slice(0, 60)}".`);
    if (scope.context.confined) judgeCarried(rest, scope, whole);
    return {};
  }
  judgeByManual({ manual, name, words: rest, scope, flow, whole });
  return { paths: pathsPrinted(name, rest, flow, scope), network: flow.network ?? false };
}

/**
 * Judges what an unknown program may start: if one of its arguments is a program that starts others, the words from
 * there on are reported as a started program, too.
 */
function carriedOn(words: readonly Value[], scope: Scope, flow: Flow): void {
  words.forEach(({ text }, at) => {
    if (programNamed(text)?.startsPrograms) judgeCall(words.slice(at), { ...inner(scope), effects: [] }, flow);
  });
}

/** Programs that delete files, or that run what their words say: behind an unknown program, they may do the same. */
const carried = exactlyOneOf([
  'rm rmdir unlink shred srm rimraf trash dd truncate',
  /(?:ba|z|da|k|fi)?sh/,
  'env xargs nohup setsid timeout nice sudo doas',
]);

/** A command that deletes files, within a word: `:!rm -rf src`, `spawn rm -r src`. */
const deletesInText = /(?:^|[^\w./-])(?:rm|rmdir|shred|unlink|rimraf)[ \t]+[^\s)'"]/;

/**
 * In a sandbox, an unknown program may run, but the commands in its words need the approval that they would need by
 * themselves: `busybox rm -rf src`, `parallel rm ::: a b`, `vim -c ':!rm -rf src'`.
 */
function judgeCarried(words: readonly Value[], scope: Scope, whole: string): void {
  // As the last word, it is only a name: `tool completion bash`.
  const at = words.slice(0, -1).findIndex(({ kind, text }) => kind === 'literal' && carried.test(text));
  if (at >= 0) {
    const effects: Effect[] = [];
    judgeCall(words.slice(at), { ...inner(scope), effects }, {});
    scope.effects.push(...effects.filter((effect) => judge(effect, scope.context).level === 'high'));
  }
  if (words.some(({ text }) => deletesInText.test(text)))
    refuse(scope, whole, 'Passes a command that deletes files to an unknown program.');
}

/** Commands that may never run by themselves are also found behind `sudo` and similar wrappers. */
function judgeFloor(name: string, words: readonly Value[], scope: Scope, whole: string): void {
  const reason = programBelowFloor(name, words);
  if (reason !== undefined) refuseFloor(scope, whole, reason);
  if (name === 'cmd') judgeCmdFloor(['cmd', ...words.map(({ text }) => text)].join(' '), inner(scope));
  const carried = wrappedCommand(name, words);
  const line = /^(?:su|script|flock|runuser)$/.test(name)
    ? words[words.findIndex(({ text }) => text === '-c') + 1]
    : undefined;
  onlyBelowFloor(scope, (inside) => {
    if (name === 'eval') judgeText(words.map(({ text }) => text).join(' '), inside);
    else if (line && words.some(({ text }) => text === '-c')) judgeText(line.text, inside);
    else if (carried?.length) judgeCall(carried, inner(inside), {});
  });
}
