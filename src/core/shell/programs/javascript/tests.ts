import { each, type Family, type Judge } from '../../calls/manual';
import { flags, medium, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { note } from '../../effects/scope';
import { strictReadingManual } from '../shared/kinds';
import { judgeBuild, judgeTests } from '../shared/projectCode';
import { judgeWrapper } from '../shell/wrapping';

/** Judges programs that measure the coverage of another command, or report on it. */
const judgeCovers: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const [first] = readArguments(words, optionTable(manual.options ?? []), 'letters', true).rest;
  if (first?.kind !== 'literal' || !/^(report|check-coverage|merge)$/.test(first.text)) return judgeWrapper(one);
  judgeTests(one);
  note(scope, 'medium', whole, 'Writes a report.');
  return 'done';
};

export const testsFamily: Family = {
  programs: {
    ...each(
      `
      openapi-generator openapi-typescript graphql-codegen orval swagger-cli redocly spectral
    `,
      {
        level: 'medium',
        reason: 'Generates code.',
        declared: true,
        operands: { rest: 'read' },
        judge: judgeTests,
        options: [flags('--check --version --watch'), takes('write', '-o --output'), takes('search', '-c --config')],
      },
    ),
    ...each('jest vitest mocha ava tap tape jasmine uvu', {
      level: 'low',
      operands: { rest: 'text' },
      declared: true,
      judge: judgeTests,
      options: [
        takes('module', '-r --require --import'),
        flags(`
          --run --watch --watchAll --coverage --ci --runInBand -i -b -o --no-color --colors --color
          --json --onlyChanged --detectOpenHandles --forceExit --no-cache --changed --serial --version
          --help --fail-fast --listTests --findRelatedTests --no-coverage --passWithNoTests --verbose
          --silent
        `),
        values(`
          -t -g --grep --testNamePattern --testPathPattern -w -m --pool --project --concurrency
          --watch-extensions --match --timeout --maxWorkers
        `),
        takes('plugin', '--reporter -R'),
        optionalValues('--bail'),
        flags('--exit --recursive --tap --threads'),
        takes('name', '--reporters --coverageReporters --coverageReporter'),
        values('--environment'),
        takes('search', '--config -c'),
        medium(flags('-u --update --updateSnapshot')),
      ],
    }),
    ...each(
      `
      storybook webpack rollup vite esbuild tsup parcel next nuxt astro ng nx turbo svelte-kit
      remix swc tsdown rspack microbundle unbuild ncc tailwindcss sass lessc postcss babel typedoc
      jsdoc
    `,
      {
        level: 'medium',
        reason: 'Builds the project.',
        operands: { rest: 'text' },
        declared: true,
        judge: judgeBuild,
        options: [
          values(`
            -p -t --target --targets --projects --exclude --base --head -H --configuration --filter
            --jsx --port --platform --format --mode --hostname
          `),
          flags(`
            --skip-nx-cache --all --affected -w -m --no-cache --silent --parallel --verbose --host
            --production --prod --version --help --watch --minify --bundle
          `),
          takes('search', '-c --config'),
          takes('write', '--outfile --outdir --out-dir --outDir -o -d --out'),
          optionalValues('--sourcemap --external: --loader: --define:'),
          flags('--splitting --clean --dts'),
          takes('read', '-i'),
        ],
      },
    ),
    ...each('c8 nyc', {
      level: 'low',
      declared: true,
      judge: judgeCovers,
      options: [
        flags('--check-coverage --all --silent -s --clean --cache'),
        values(`
          --lines --branches --functions --statements --include -n --exclude -x --extension
        `),
        takes('plugin', '--reporter -r'),
        takes('search', '--src'),
      ],
    }),
    ...each('playwright cypress wdio testcafe', {
      level: 'medium',
      reason: 'Runs code of this project.',
      declared: true,
      options: [flags('--version')],
      verbs: {
        ...each('verify version info', { ...strictReadingManual, operands: [] }),
        ...each('show-report show-trace', {
          level: 'medium',
          reason: 'Serves a report of the tests on this machine.',
          operands: ['search'],
          options: [values('--port --host')],
        }),
        ...each('test run', {
          level: 'low',
          operands: { rest: 'text' },
          options: [
            flags(`
              --component --e2e --quiet -q --last-failed -x --forbid-only --pass-with-no-tests --headed
              --headless --debug --ui --list
            `),
            values(`
              -s -b --retries --max-failures --repeat-each --shard --timeout --trace --project --grep -g
              --spec --workers --browser
            `),
            takes('plugin', '--reporter'),
            takes('search', '--config'),
            medium(flags('--update-snapshots -u')),
          ],
          judge: judgeTests,
        }),
      },
    }),
    ...each(
      `
      prisma drizzle-kit sequelize typeorm knex vsce ovsx changeset semantic-release np release-it
      standard-version
    `,
      {
        level: 'high',
        reason: 'Changes data, hooks or publishes.',
        declared: true,
        options: [flags('--version')],
        verbs: {
          'db:migrate:status': { level: 'medium', reason: 'Reads a database.', operands: [], options: [] },
          ...each('validate format generate ls status', {
            level: 'medium',
            reason: 'Runs code of this project.',
            operands: [],
            options: [flags('--version')],
          }),
        },
      },
    ),
    karma: {
      level: 'high',
      declared: true,
      options: [flags('--version')],
      verbs: {
        start: {
          level: 'low',
          operands: ['search'],
          judge: judgeTests,
          options: [
            flags('--single-run --no-single-run --auto-watch --no-auto-watch --no-colors'),
            values('--log-level'),
            takes('name', '--browsers --reporters'),
          ],
        },
        run: { level: 'low', operands: ['search'], judge: judgeTests, options: [] },
      },
    },
    lighthouse: {
      level: 'medium',
      reason: 'Opens an address in a browser.',
      operands: ['url'],
      declared: true,
      options: [
        flags('--quiet --version'),
        values('--output --only-categories --preset'),
        takes('write', '--output-path'),
        medium(flags('--view')),
      ],
    },
  },
};
