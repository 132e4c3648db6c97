import { judgeByManual } from '../../calls/judgeByManual';
import { type Call, eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  optionalValues,
  optionTable,
  readLeadingOptions,
  takes,
  values,
  saying,
} from '../../calls/options';
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
import { readsWith } from '../shared/readsWith';
import { judgeNpmRun } from '../shared/scripts';

/** `-S` serves a folder, `-l` only reads. Anything else is inline code or a script. */
const judgePhp: Judge = (call) => {
  const { words, scope, whole } = call;
  const [first, second] = words;
  const option = first?.text ?? '';
  if (/^(?:-[mi]|--modules|--info)$/.test(option) && second === undefined) {
    note(scope, /^-m|^--m/.test(option) ? 'low' : 'medium', whole, 'Shows the settings of PHP.');
    return 'done';
  }
  if (option === '-d' && harmlessSetting.test(second?.text ?? '') && words.length > 2) {
    const rest = { ...call, words: words.slice(2) };
    return judgePhp(rest) ?? judgeProjectCode(rest);
  }
  // `php --rf strlen` shows what a function takes.
  if (/^--r(?:f|c|e|i|function|class|extension|extinfo)$/.test(option) && words.length === 2) {
    if (second?.kind === 'literal' && /^[\w\\]+$/.test(second.text)) note(scope, 'low', whole);
    else refuse(scope, whole, 'Loads code that is not built in.');
    return 'done';
  }
  if (/^(?:-l|--syntax-check)$/.test(option) && second !== undefined) {
    const manual: Manual = { level: 'low', operands: { rest: 'search' }, loose: true };
    judgeByManual({ ...call, manual, name: 'php', words: words.slice(1) });
    return 'done';
  }
  if (/(^|\/)artisan$/.test(option) && judgeArtisan(call) === 'done') return 'done';
  const served = readLeadingOptions(words, optionTable(call.manual.options ?? []), 'letters').options.find(
    ({ name }) => name === '-S',
  );
  if (!served) return judgeInline(call);
  if (served.value?.kind !== 'literal' || !isLocal(served.value.text) || served.value.text.includes('0.0.0.0'))
    refuse(scope, whole, 'Lets other machines reach what it serves.');
  const { needsOperand, ...manual } = call.manual;
  return judgeProjectCode({ ...call, manual });
};

/** Settings that only limit memory or control the display. */
const harmlessSetting =
  /^(?:memory_limit|error_reporting|display_errors|max_execution_time)=[\w-]+$|^xdebug\.mode=(?:off|coverage)$/;

/** Judges what the code of the project may do, and the options of `php`. */
function judgeProjectCode(call: Call): 'done' {
  judgeByManual({ ...call, manual: { ...call.manual, judge: judgeTests }, name: 'php' });
  return 'done';
}

/** Judges a command of Laravel. */
const judgeArtisan: Judge = (call) => {
  const command = call.words[1]?.text ?? '';
  if (/^(migrate|db:|tinker|queue:flush|schema:)/.test(command) && command !== 'migrate:status')
    refuse(call.scope, call.whole, 'Changes data.');
  if (command !== 'test') return undefined;
  judgeTests(call);
  note(call.scope, 'low', call.whole);
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
      options: [
        flags('--test --version -v --dirty --repair --bail --parallel -q -h --help'),
        values('--preset --format --diff'),
        takes('search', '--config'),
        takes('write', '--output-to-file --cache-file'),
      ],
    },
    'php-cs-fixer': {
      ...changesFiles,
      judge: judgePhpFixer,
      options: [flags('--version -V -h --help')],
      verbs: {
        ...eachNamed('fix check', {
          ...changesFiles,
          options: [
            flags('--dry-run --diff -v -vv -vvv --verbose -q --quiet --stop-on-violation --sequential -n -h --help'),
            values('--allow-risky --path-mode --rules --format --show-progress --using-cache'),
            takes('search', '--config'),
            takes('write', '--cache-file'),
          ],
        }),
        ...eachNamed('list-files describe list list-sets help', {
          ...strictReadingManual,
          options: [takes('search', '--config'), flags('-q -v')],
        }),
      },
    },
    php: {
      level: 'medium',
      reason: 'Runs code of this project.',
      judge: judgePhp,
      operands: { first: ['script'], rest: 'text' },
      needsOperand: true,
      options: [
        flags('-v --version -w -m -l -q -n --ini -h --help --modules'),
        takes('name', '--ri --rf --rc --re --rfunction --rclass --rextension --rextinfo'),
        values('-S'),
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
        ...eachNamed(
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
        ...eachNamed(
          'show info validate outdated licenses why depends why-not prohibits audit diagnose check-platform-reqs fund suggests about status',
          {
            ...readingManual,
            options: [
              flags(`
              --direct --strict --no-check-all --no-check-publish -D -i -a -l -s -t -o -n --installed
              --all --latest --tree --name-only --locked --platform --no-dev --self --available --path
              --outdated --minor-only --major-only --patch-only --no-interaction --recursive
            `),
              values('--format -f --ignore --abandoned --ignore-severity --sort-by-age'),
              flags(
                '-q --quiet -v -vv -vvv --verbose -h --help --no-plugins --no-cache -A --sort-age --ansi --no-ansi -P -N',
              ),
              takes('search', '-d --working-dir'),
            ],
          },
        ),
        update: {
          ...installsOrPublishes,
          judge: readsWith('--lock', {
            level: 'medium',
            reason: 'Renews the hash in composer.lock.',
            operands: [],
            options: [flags('--lock -n --no-interaction --no-scripts -q --no-install --dry-run')],
          }),
        },
        ...eachNamed('install dump-autoload', {
          ...installsDeclared,
          options: [
            flags(`
              --no-interaction -n --prefer-dist --no-progress --no-scripts --no-dev -o --optimize --quiet
              --dry-run --ignore-platform-reqs --no-audit --classmap-authoritative --no-autoloader --prefer-source
              --optimize-autoloader --apcu-autoloader -a -v -vv -vvv --verbose -q --no-plugins --download-only --audit
              --no-cache --strict-psr --dev -h --help --ansi --no-ansi
            `),
            values('--prefer-install --ignore-platform-req --audit-format'),
          ],
        }),
        ...eachNamed(
          `
          test lint check format phpstan phpcs stan analyse analyze psalm pint cs unit ci
        `,
          {
            level: 'medium',
            judge: judgeNpmRun,
          },
        ),
        ...eachNamed('run-script run', { level: 'medium', judge: judgeNpmRun }),
      },
    },
    rector: {
      ...changesFiles,
      judge: judgePhpFixer,
      bare: changesFiles,
      options: [flags('--version -V -h --help')],
      verbs: {
        ...eachNamed('process p', {
          ...changesFiles,
          options: [
            flags('--dry-run -n --clear-cache --no-progress-bar --no-diffs --debug --xdebug --ansi --no-ansi -q'),
            values('--output-format --memory-limit --only'),
            takes('search', '-c --config'),
          ],
        }),
        ...eachNamed('list list-rules', strictReadingManual),
      },
    },
    ...eachNamed('phpunit phpstan phpcs psalm pest phpmd parallel-lint deptrac', {
      ...checksOrBuilds(
        [
          values('--filter -l --level --memory-limit --standard'),
          takes('search', '-c --configuration --config'),
          flags(`
          --testdox --no-coverage --no-cache --dry-run --no-progress-bar --no-diffs --clear-cache
          --stop-on-failure --stop-on-error --stop-on-defect --fail-on-warning --fail-on-risky --parallel -p -i -s
          --show-info --stats --no-progress --no-reflection-cache --list-tests --list-groups --list-suites
          --no-interaction -n --debug --xdebug --with-style --ignore-fail-on-all --dont-report-useless-tests --no-output
          --compact --profile --dirty --todos --bail --ci --type-coverage --memory-reset
        `),
          values(
            '--error-format --exclude --extensions --report --ignore --sniffs --severity --encoding --group --exclude-group',
          ),
          values(
            '--order-by --random-order-seed --repeat --threads --php-version --output-format --filter --test-suffix -j --min',
          ),
          takes(
            'write',
            '--log-junit --coverage-html --coverage-text --coverage-clover --coverage-xml --report-file --cache',
          ),
          takes(
            'write',
            '--coverage-php --log-teamcity --testdox-html --testdox-text --cache-directory --set-baseline',
          ),
          saying('Writes settings.', high(flags('--init --alter --generate-configuration --migrate-configuration'))),
          saying('Changes settings of the installed program.', high(values('--config-set --config-delete'))),
          // Code that is loaded first. `-a` is that for PHPStan only.
          takes('script', '--bootstrap --autoload-file -a'),
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
