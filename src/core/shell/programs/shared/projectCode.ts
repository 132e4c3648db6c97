import { anyOf, exactlyOneOf, sequence } from '../../../text/alternatives';
import { filesWrittenBy, judgeForwardedArguments } from '../../calls/forwardedArguments';
import { judgeByManual } from '../../calls/judgeByManual';
import type { Judge } from '../../calls/manual';
import { isOwnTemporary, note, refuse, recordScriptRun, type Scope } from '../../effects/scope';
import type { Value } from '../../syntax/value';

const reachesOutside = ({ text }: Value): boolean =>
  /(^|=|^@)(~|\/)|^\\\w|(^|[/=])\.\.(\/|$)|(^|=)https?:\/\/(?!(localhost|127\.0\.0\.1)[:/])/.test(text);

export function staysInside(words: readonly Value[], scope: Scope): void {
  words.forEach((word, at) => {
    const isOutput = word.text.startsWith('-') || filesWrittenBy(words[at - 1]?.text ?? '', word).length > 0;
    if (word.kind === 'literal' && reachesOutside(word) && !(isOutput && isOwnTemporary(word, scope)))
      refuse(scope, word.source, 'May reach a path outside the workspace.');
  });
}

/** Refuses to run code of the project if the same line changed files. Adds no `runs` effect. */
export function runProjectCode(scope: Scope, whole: string): void {
  const before = scope.effects.length;
  recordScriptRun(scope, 'test', whole);
  scope.effects.splice(
    scope.effects.findIndex((effect, at) => at >= before && effect.kind === 'runs'),
    1,
  );
}

/** Refuses to run code of the project if the same line changed what decides which code that is. */
export const judgeRunsProject: Judge = ({ scope, whole }) => {
  runProjectCode(scope, whole);
  return undefined;
};

export const judgeTests: Judge = ({ name, words, scope, whole }) => {
  // Words after `--` are compiler options, which can choose a linker.
  if (/^cargo (clippy|doc|rustdoc)$/.test(name))
    for (const { text, source } of words.slice(words.findIndex(({ text }) => text === '--') + 1 || words.length))
      if (/^-[CLZ]|^--(sysroot|codegen|extern|config)/.test(text))
        refuse(scope, source, 'Gives options to the compiler.');
  judgeForwardedArguments(words, scope);
  staysInside(words, scope);
  runProjectCode(scope, whole);
  return undefined;
};

const onlyBuilds = /^((run|affected|run-many) )?([\w@/-]+:)?(build|test|lint|check|type-?check|affected)( [\w@/-]+)*$/;

/** Words that make a build tool change the project or its packages, run other programs, or use an account. */
const alarmingVerb = anyOf(
  [
    'deploy publish release login logout install reset migrate destroy ://',
    sequence([
      /^/,
      anyOf([
        'add generate gen g init new create eject update upgrade exec link unlink connect import prune mod telemetry',
        'cloud d',
      ]),
      /$/,
    ]),
  ],
  'i',
);

export const judgeBuild: Judge = ({ name, words, scope, flow, whole, manual }) => {
  judgeForwardedArguments(words, scope);
  staysInside(words, scope);
  const alarming = words.find(({ text }) => alarmingVerb.test(text));
  if (alarming) refuse(scope, alarming.source, 'Does more than build.');
  if (name === 'rollup')
    for (const { text, source } of words)
      if (/^(-p|--plugin|--configPlugin)/.test(text)) refuse(scope, source, 'Loads code.');
  const served = words.find(
    ({ text }, at) =>
      /^(-H|--host|--hostname)(=|$)/.test(text) &&
      !/^(-.*|127\.0\.0\.1|localhost|::1|)$/.test(
        text.includes('=') ? text.replace(/^[^=]*=/, '') : (words[at + 1]?.text ?? ''),
      ),
  );
  if (served) refuse(scope, served.source, 'Lets other machines reach what it serves.');
  runProjectCode(scope, whole);
  const plainWords = words
    .filter(({ text }) => !text.startsWith('-'))
    .map(({ text }) => text)
    .join(' ');
  if (name === 'ng' && /^(?:analytics|cache|config)\b/.test(plainWords)) {
    const ofUser = words.find(({ text }) => /^(?:--global|-g)(?:=|$)/.test(text));
    if (ofUser) refuse(scope, ofUser.source, 'Changes settings of the user.');
    note(scope, 'medium', whole, 'Changes settings or the cache of Angular.');
    return 'done';
  }
  if (!onlyBuilds.test(plainWords)) return undefined;
  const { judge, ...table } = manual;
  judgeByManual({ manual: { ...table, level: 'low' }, name, words, scope, flow, whole });
  return 'done';
};

const onlyChecks = exactlyOneOf([
  '--check --check-only --diff -check --dry-run --list-different --verify-no-changes --version',
  '--lint --test --help --list --list-target-files --code',
]);

/** Letters with which a formatter only checks. Others use them for something else: `black -l 100` sets a length. */
const checkingLetters: Readonly<Record<string, RegExp>> = {
  '-d': /^yapf|^golangci-lint/,
  '-c': /^(?:isort|black|stylua|nixfmt)/,
  '-h': /^/,
};

/** Formatters that print the result unless they are told to change files, even if they list or compare as well. */
const printsResult =
  /^(gofmt|goimports|gofumpt|clang-format|shfmt|rubocop|swiftlint|ktlint|standardrb|autopep8|yapf|autoflake)/;

/** Without it, `dart format --set-exit-if-changed` changes files. */
const printsDart = /(?:^| )(?:-o|--output)[ =](?:none|show|json)(?: |$)/;

const inPlace = /^(?:-w|-i|-x|--fix.*|--in-place|--auto-?correct.*|-F|autocorrect|-[wi]=true)$/;

function changesInPlace(name: string, { text }: Value): boolean {
  if (name === 'shfmt') return /^(?:-w|--write)(?:$|=)/.test(text);
  const letters = /^-([a-zA-Z]+)$/.exec(text)?.[1] ?? '';
  if (/^(?:autopep8|yapf|autoflake)$/.test(name)) return letters.includes('i') || text === '--in-place';
  if (name === 'ktlint') return /^(?:-F|--format)$/.test(text);
  return /a/i.test(letters) || inPlace.test(text);
}

/** Judges formatters. They change files unless they only check. */
export const judgeFormats: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const checks = printsResult.test(name)
    ? !words.some((word) => changesInPlace(name, word))
    : words.some(({ text }) => onlyChecks.test(text) || checkingLetters[text]?.test(name)) ||
      (name === 'dart format' && printsDart.test(words.map(({ text }) => text).join(' ')));
  if (name === 'rubocop' && words.some(({ text }) => /^(-r|--require|-o|--out)/.test(text)))
    refuse(scope, whole, 'Loads code.');
  const { judge, ...plain } = manual;
  judgeByManual({
    manual: checks ? { ...plain, level: 'low', operands: { rest: 'search' } } : plain,
    name,
    words,
    scope,
    flow,
    whole,
  });
  return 'done';
};

/** Judges servers of the project. They must listen only on this machine. */
export const judgeServes: Judge = (one) => {
  const { name, words, scope, whole } = one;
  const here = words.some(
    ({ text }, at) =>
      /^(-a|--host|-l|--listen|-H)(=|$)/.test(text) &&
      /^(tcp:\/\/)?(127\.0\.0\.1|localhost)(:\d+)?$/.test(
        text.includes('=') ? text.replace(/^[^=]*=/, '') : (words[at + 1]?.text ?? ''),
      ),
  );
  const folder = words.some(({ text }) => /^(?=[\w-]*[a-zA-Z])[\w./-]+$/.test(text));
  if (
    /^(http-server|live-server|serve)$/.test(name) &&
    !here &&
    !folder &&
    !words.some(({ text }) => /^(--version|-v|--help|-h)$/.test(text))
  )
    refuse(scope, whole, 'Serves the whole workspace to other machines, because no address of this machine is given.');
  const listens = here
    ? undefined
    : words.find(
        ({ text }, at) =>
          /^(--host|--bind|-b|-h|-l|--listen)(=|$)/.test(text) &&
          !/^(--host|--bind|--listen)?=?(127\.0\.0\.1|localhost|\[?::1\]?)?(:?\d{2,5})?$/.test(
            text.includes('=') ? text.replace(/^[^=]*/, '') : (words[at + 1]?.text ?? ''),
          ),
      );
  if (listens) refuse(scope, listens.source, 'Lets other machines reach what it serves.');
  return judgeTests(one);
};
