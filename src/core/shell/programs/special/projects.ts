import { flags } from '../../calls/options';
import { isLocal } from '../../verdict/address';
import { optionTable, readArguments } from '../../calls/options';
import { judgeByManual } from '../../calls/judgeByManual';
import { doubt, note, refuse } from '../../effects/scope';
import { judgeTests } from './building';
import { judgeInline } from './inline';
import { judgeInstall } from './installing';
import { judgeWrapper } from './wrappers';
import type { Judge } from '../../calls/manual';

/** Servers of the project: they listen on this machine only, unless they are told otherwise. */
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
    refuse(scope, whole, 'Other machines can reach the whole workspace unless an address of this one is named.');
  const listens = here
    ? undefined
    : words.find(
        ({ text }, at) =>
          /^(--host|--bind|-b|-h|-l|--listen)(=|$)/.test(text) &&
          !/^(--host|--bind|--listen)?=?(127\.0\.0\.1|localhost|\[?::1\]?)?(:?\d{2,5})?$/.test(
            text.includes('=') ? text.replace(/^[^=]*/, '') : (words[at + 1]?.text ?? ''),
          ),
      );
  if (listens) refuse(scope, listens.source, 'Other machines can reach what it serves.');
  return judgeTests(one);
};

/** Measures what another command runs, or reports on it. */
export const judgeCovers: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const [first] = readArguments(words, optionTable(manual.options ?? []), 'letters', true).rest;
  if (first?.kind !== 'literal' || !/^(report|check-coverage|merge)$/.test(first.text)) return judgeWrapper(one);
  judgeTests(one);
  note(scope, 'medium', whole, 'It writes a report.');
  return 'done';
};

/** `-S` serves a folder, `-l` only reads; the rest is code in the command or a script. */
export const judgePhp: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const [first, second] = words;
  if (/^-[mi]$/.test(first?.text ?? '') && second === undefined) {
    note(scope, first!.text === '-m' ? 'low' : 'medium', whole, 'It shows the settings of PHP.');
    return 'done';
  }
  // Settings that only say how much memory there is and what is shown.
  const isSetting =
    first?.text === '-d' &&
    /^(?:memory_limit|error_reporting|display_errors|max_execution_time)=[\w-]+$|^xdebug\.mode=(?:off|coverage)$/.test(
      second?.text ?? '',
    );
  if (isSetting && words.length > 2)
    return (
      judgePhp({ ...one, words: words.slice(2) }) ??
      (judgeByManual({ ...manual, judge: judgeTests }, 'php', words.slice(2), scope, one.flow, whole), 'done')
    );
  const checksOnly = first?.text === '-l' && second !== undefined;
  if (checksOnly) {
    judgeByManual(
      { level: 'low', operands: { rest: 'search' }, loose: true },
      'php',
      words.slice(1),
      scope,
      one.flow,
      whole,
    );
    return 'done';
  }
  if (
    /(^|\/)artisan$/.test(first?.text ?? '') &&
    /^(migrate|db:|tinker|queue:flush|schema:)/.test(second?.text ?? '') &&
    second?.text !== 'migrate:status'
  )
    refuse(scope, whole, 'It changes data.');
  const served = readArguments(words, optionTable(manual.options ?? []), 'letters', true).options.find(
    ({ name }) => name === '-S',
  );
  if (!served) return judgeInline(one);
  if (served.value?.kind !== 'literal' || !isLocal(served.value.text) || served.value.text.includes('0.0.0.0'))
    refuse(scope, whole, 'Other machines can reach what it serves.');
  const { needsOperand, ...table } = manual;
  judgeByManual({ ...table, judge: judgeTests }, 'php', words, scope, one.flow, whole);
  return 'done';
};

/** Only aliases of the project that test or check. */
export const judgeClojure: Judge = (one) => {
  const { words, scope, whole } = one;
  if (words.length === 1 && /^-?-version$/.test(words[0]!.text)) {
    note(scope, 'low', whole);
    return 'done';
  }
  if (
    !/^-[MX](:(test|check|lint|fmt|kaocha|unit|ci|dev|build|cljfmt|clj-kondo))+$/.test(words[0]?.text ?? '') ||
    words.slice(1).some(({ text }) => /^-[eim]|^-S|[:/]\//.test(text))
  )
    doubt(scope, whole, 'What it runs is not known.');
  else {
    judgeTests(one);
    note(
      scope,
      /test|check|lint|kaocha|unit/.test(words[0]!.text) ? 'low' : 'medium',
      whole,
      'It runs code of this project.',
    );
  }
  return 'done';
};

/** `nginx -t` only checks its settings. */
export const judgeChecksSettings: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const { judge, ...table } = manual;
  if (!words.some(({ text }) => /^-q?[tT]q?$/.test(text))) return undefined;
  judgeByManual({ ...table, level: 'low', operands: [] }, name, words, scope, flow, whole);
  return 'done';
};

/** `R CMD check .` tests and builds a package of the workspace. */
export const judgePackageChecks: Judge = (one) => {
  const {
    name,
    words: [first, verb, ...more],
    scope,
    whole,
  } = one;
  if (name !== 'R' || first?.text !== 'CMD' || !/^(check|build)$/.test(verb?.text ?? '')) return undefined;
  judgeTests(one);
  judgeByManual(
    {
      level: verb!.text === 'check' ? 'low' : 'medium',
      reason: 'It packs files.',
      operands: { rest: 'search' },
      options: [flags('--no-manual --as-cran --no-build-vignettes --no-tests --no-vignettes')],
    },
    'R CMD',
    more,
    scope,
    one.flow,
    whole,
  );
  return 'done';
};

export const judgeXcode: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'words', false);
  for (const { option, name, culprit } of options)
    if (!option) doubt(scope, culprit, `What the option ${name.slice(0, 60)} of "xcodebuild" does is not known.`);
  for (const { text, source } of operands)
    if (!/^(build|test|clean|analyze|build-for-testing|test-without-building|CODE_SIGN\w*=\w*)$/.test(text))
      doubt(scope, source, 'What this task does is not known.');
  judgeTests(one);
  note(
    scope,
    operands.some(({ text }) => text === 'clean') ? 'medium' : 'low',
    whole,
    'It changes files of the workspace.',
  );
  return 'done';
};

/** `terraform show PLAN`: without a file it shows the state, secrets among it. */
export const judgeShowsPlan: Judge = ({ words, scope, whole }) => {
  if (!words.some(({ text }) => !text.startsWith('-')))
    refuse(scope, whole, 'It shows the state of infrastructure, which may hold secrets.');
  return undefined;
};

/** Linters of texts and settings: without an option that changes files, they only look. */
export const judgeCheckers: Judge = (one) => {
  if (one.words[0] && /^(run|exec|install|init|upgrade|lsp|plugin|add)$/.test(one.words[0].text))
    doubt(one.scope, one.whole, 'What this does is not known.');
  return judgeTests(one);
};

export const judgePhpFixer: Judge = (one) => {
  const checks = one.words.some(({ text }) => /^(--dry-run|--test)$/.test(text));
  judgeTests(one);
  if (checks) note(one.scope, 'low', one.whole);
  return checks ? 'done' : undefined;
};

/** `+nightly` in front: which compiler; only those of the official list. */
export const judgeToolchain: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const [first, ...rest] = words;
  const verb = words.find(({ text }) => /^[a-z]/.test(text))?.text ?? '';
  if (name === 'cargo' && /^(build|b|check|c|test|t|bench|clippy|doc|rustdoc|run|r|install|fix|nextest)$/.test(verb))
    judgeInstall(name, scope, whole);
  if (!first || !/^\+(stable|beta|nightly|\d[\w.]*)(-[\w-]+)?$/.test(first.text)) return undefined;
  const { judge, ...table } = manual;
  judgeByManual(table, name, rest, scope, flow, whole);
  return 'done';
};
