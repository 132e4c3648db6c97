import { anyOf } from '../text/alternatives';
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
import { commandBelowFloor } from './calls/commandBelowFloor';
import { wordsBelowFloor } from './verdict/codeFloor';
import { onlyBelowFloor } from './verdict/floor';
import { programBelowFloor, wrappedCommand } from './verdict/programFloor';
import { isVitalFolder } from './verdict/vitalPlaces';
import { judgeEffect } from './verdict/judgeEffect';

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
  input: {},
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
    folder: from.cwd,
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
  judgeFloor(name, rest, scope, { flow, whole });
  const wrapped = ownWrapper.exec(name)?.[1];
  if (wrapped) judgeProgram(name.replace('./', ''), scope, whole);
  if (name.includes('/') && !wrapped) {
    scriptFile(command, rest, scope);
    return {};
  }
  const manual = programNamed(wrapped?.replace('bin/', '') ?? name);
  // A program of the project may be anything, unless the tables know it.
  const isOfProject = projectBin.test(command.text) && !manual;
  if (
    !isOfProject &&
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
  if (!manual && /^[a-z][\w.+-]*$/i.test(command.source) && !namesSecrets.test(name) && isQuery(rest)) {
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

/** Names of programs that keep secrets, whose lists contain them, or their names. */
const namesSecrets = anyOf(
  ['secret passw vault keychain keyring wallet', /cred(?!it)/, /pass(?:$|-)/, /(?:^|-)pass/],
  'i',
);

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
    scope.effects.push(...effects.filter((effect) => judgeEffect(effect, scope.context).level === 'high'));
  }
  if (words.some(({ text }) => deletesInText.test(text)))
    refuse(scope, whole, 'Passes a command that deletes files to an unknown program.');
}

/** Programs that join their words to a command of a shell, and programs that take one after `-c`. */
const joinsWords = exactlyOneOf(['eval ssh tmux']);
const takesCommand = exactlyOneOf(['su script flock runuser']);

/** Commands that may never run by themselves are also found behind `sudo` and similar wrappers. */
function judgeFloor(
  name: string,
  words: readonly Value[],
  scope: Scope,
  { flow, whole }: { readonly flow: Flow; readonly whole: string },
): void {
  const texts = words.map(({ text }) => text);
  const reason =
    programBelowFloor(name, words, scope.cwd) ??
    wordsBelowFloor(name, texts, (command) => commandBelowFloor(command, scope));
  if (reason !== undefined) refuseFloor(scope, whole, reason);
  if (/^cmd(?:\.exe)?$/i.test(name)) judgeCmdFloor(['cmd', ...texts].join(' '), inner(scope));
  const given = programNamed(name) ? withMounts(name, words) : words;
  const command = wrappedCommand(name, words) ?? (given && carriedBy(given));
  const line = takesCommand.test(name) ? words[texts.findIndex((text) => /^-\w*c$/.test(text)) + 1] : undefined;
  onlyBelowFloor(scope, (inside) => {
    if (joinsWords.test(name)) judgeText((command ?? []).map(({ text }) => text).join(' '), inside);
    else if (line && line !== words[0]) judgeText(line.text, inside);
    else if (command?.length) judgeCall(command, inner(inside), {});
    for (const text of scheduledBy(name, flow)) judgeText(text, inside);
  });
}

const mayDestroy = exactlyOneOf([carried, 'chroot nsenter find chmod chown mv rsync', /mkfs(?:\.\w+)?/]);

/** Returns the command in the words of an unknown program: `nsenter -t 1 rm -rf /`. */
function carriedBy(words: readonly Value[]): readonly Value[] | undefined {
  const at = words.slice(0, -1).findIndex(({ kind, text }) => kind === 'literal' && mayDestroy.test(text));
  return at < 0 ? undefined : words.slice(at);
}

/**
 * Returns the words of `docker run` with the places of this machine that the container sees under other names, if it
 * sees vital ones: `-v /:/host x rm -rf /host`.
 */
function withMounts(name: string, words: readonly Value[]): readonly Value[] | undefined {
  if (!/^(?:docker|podman|nerdctl)$/.test(name)) return undefined;
  const mounts = words.flatMap(({ text }, at) => {
    const option = words[at - 1]?.text ?? '';
    const volume = /^(?:-v|--volume)$/.test(option) ? text : /^(?:-v|--volume=)(.+)$/.exec(text)?.[1];
    const [, from, to] = /^([/~][^:]*):(\/[^:]+)/.exec(volume ?? '') ?? [];
    if (from !== undefined && to !== undefined) return [{ from, to }];
    const fields = /^--mount(?:=|$)/.test(text) || option === '--mount' ? text : '';
    const source = /(?:^|[,=])(?:source|src)=([^,]+)/.exec(fields)?.[1];
    const target = /,(?:destination|dst|target)=([^,]+)/.exec(fields)?.[1];
    return source !== undefined && target !== undefined ? [{ from: source, to: target }] : [];
  });
  const vital = mounts.filter(({ from }) => isVitalFolder(from));
  const entersMachine = words.some(({ text }) => text === 'nsenter');
  if (vital.length === 0) return entersMachine ? words : undefined;
  return vital.reduce<readonly Value[]>(
    (all, { from, to }) => all.map((word) => ({ ...word, text: word.text.replaceAll(to, from) })),
    words,
  );
}

/** Returns the commands in the input of `at` and `crontab`, without the times. */
function scheduledBy(name: string, { inputText = [], source }: Flow): string[] {
  if (!/^(?:at|batch|crontab)$/.test(name)) return [];
  const isPrinted = /^(?:echo|printf)\s/.test(source?.program ?? '');
  const printed = isPrinted ? source!.program!.replace(/^\w+\s['"]?|['"]$/g, '') : '';
  return [...inputText, printed].flatMap((text) =>
    text.split(/\n|\\n/).map((line) => line.replace(/^\s*(?:@\w+|(?:[\d*\/,-]+\s+){5})/, '')),
  );
}
