import { judgeByManual } from '../../calls/judgeByManual';
import { each, type Family, type Judge } from '../../calls/manual';
import { flags, high, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { note, refuse } from '../../effects/scope';
import { isLocal } from '../../verdict/address';
import { judgeInline } from '../shared/inline';
import { claimsOfInterpreter } from '../shared/interpreterClaims';
import {
  changesFiles,
  checksOrBuilds,
  installsDeclared,
  installsOrPublishes,
  readingManual,
  strictReadingManual,
} from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeTests } from '../shared/projectCode';
import { judgeNpmRun } from '../shared/scripts';

/** `-S` serves a folder, `-l` only reads. Anything else is inline code or a script. */
const judgePhp: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const [first, second] = words;
  if (/^-[mi]$/.test(first?.text ?? '') && second === undefined) {
    note(scope, first!.text === '-m' ? 'low' : 'medium', whole, 'Shows the settings of PHP.');
    return 'done';
  }
  // Settings that only limit memory or control the display.
  const isSetting =
    first?.text === '-d' &&
    /^(?:memory_limit|error_reporting|display_errors|max_execution_time)=[\w-]+$|^xdebug\.mode=(?:off|coverage)$/.test(
      second?.text ?? '',
    );
  if (isSetting && words.length > 2)
    return (
      judgePhp({ ...one, words: words.slice(2) }) ??
      (judgeByManual({
        manual: { ...manual, judge: judgeTests },
        name: 'php',
        words: words.slice(2),
        scope,
        flow: one.flow,
        whole,
      }),
      'done')
    );
  const checksOnly = first?.text === '-l' && second !== undefined;
  if (checksOnly) {
    judgeByManual({
      manual: { level: 'low', operands: { rest: 'search' }, loose: true },
      name: 'php',
      words: words.slice(1),
      scope,
      flow: one.flow,
      whole,
    });
    return 'done';
  }
  if (
    /(^|\/)artisan$/.test(first?.text ?? '') &&
    /^(migrate|db:|tinker|queue:flush|schema:)/.test(second?.text ?? '') &&
    second?.text !== 'migrate:status'
  )
    refuse(scope, whole, 'Changes data.');
  const served = readArguments(words, optionTable(manual.options ?? []), 'letters', true).options.find(
    ({ name }) => name === '-S',
  );
  if (!served) return judgeInline(one);
  if (served.value?.kind !== 'literal' || !isLocal(served.value.text) || served.value.text.includes('0.0.0.0'))
    refuse(scope, whole, 'Lets other machines reach what it serves.');
  const { needsOperand, ...table } = manual;
  judgeByManual({ manual: { ...table, judge: judgeTests }, name: 'php', words, scope, flow: one.flow, whole });
  return 'done';
};

const judgePhpFixer: Judge = (one) => {
  const checks = one.words.some(({ text }) => /^(--dry-run|--test)$/.test(text));
  judgeTests(one);
  if (checks) note(one.scope, 'low', one.whole);
  return checks ? 'done' : undefined;
};

export const phpFamily: Family = {
  programs: {
    pint: {
      ...changesFiles,
      judge: judgePhpFixer,
      options: [flags('--test --version -v --dirty'), takes('search', '--config')],
    },
    'php-cs-fixer': {
      ...changesFiles,
      judge: judgePhpFixer,
      options: [flags('--version')],
      verbs: {
        fix: {
          ...changesFiles,
          options: [flags('--dry-run --diff -v'), values('--allow-risky --path-mode'), takes('search', '--config')],
        },
      },
    },
    php: {
      level: 'medium',
      reason: 'Runs code of this project.',
      judge: judgePhp,
      operands: { first: ['script'], rest: 'text' },
      needsOperand: true,
      options: [
        flags('-v --version -w -m -l -q -n --ini --help'),
        values('-S --ri'),
        takes('read', '-f'),
        takes('search', '-t'),
        high(flags('-i'), values('-d -B -R -E -F -z -c')),
      ],
    },
    symfony: {
      level: 'high',
      reason: 'Changes a server or installed software.',
      options: [flags('--version -V')],
      verbs: {
        ...each(
          `
        check:requirements local:check:requirements check:security security:check version
      `,
          strictReadingManual,
        ),
      },
    },
    composer: {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        ...each('show validate outdated licenses why audit diagnose', {
          ...readingManual,
          options: [
            flags(`
              --direct --strict --no-check-all --no-check-publish -D -i -a -l -s -t -o -d -n --installed
              --all --latest --tree --name-only --locked --platform --no-dev --self --available --path
              --outdated --minor-only --major-only --patch-only --no-interaction --recursive
            `),
            values('--format --ignore'),
          ],
        }),
        ...each('install dump-autoload', {
          ...installsDeclared,
          options: [
            flags(`
              --no-interaction -n --prefer-dist --no-progress --no-scripts --no-dev -o --optimize --quiet
              --dry-run --ignore-platform-reqs --no-audit --classmap-authoritative
            `),
          ],
        }),
        ...each(
          `
          test lint check format phpstan phpcs stan analyse analyze psalm pint cs unit ci
        `,
          {
            level: 'medium',
            judge: judgeNpmRun,
          },
        ),
        ...each('run-script run', { level: 'medium', judge: judgeNpmRun }),
      },
    },
    ...each('phpunit phpstan phpcs psalm pest phpmd rector parallel-lint deptrac', {
      ...checksOrBuilds(
        [
          values('--filter -l --level --memory-limit --standard'),
          takes('search', '-c --configuration'),
          flags(`
          --testdox --no-coverage --no-cache --dry-run --no-progress-bar --no-diffs --clear-cache
          --stop-on-failure
        `),
          optionalValues('--colors'),
          values('--testsuite'),
        ],
        { rest: 'text' },
      ),
      judge: judgeTests,
    }),
  },
  claims: {
    php: claimsOfInterpreter,
    composer: claimsOfInstaller('package'),
  },
};
