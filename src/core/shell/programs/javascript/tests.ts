import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  medium,
  optionalValues,
  optionTable,
  readArguments,
  readLeadingOptions,
  saying,
  takes,
  values,
} from '../../calls/options';
import { drop, note } from '../../effects/scope';
import { strictReadingManual } from '../shared/kinds';
import { judgeBuild, judgeTests } from '../shared/projectCode';
import { readsWith } from '../shared/readsWith';
import { judgeWrapper } from '../shell/wrapping';

const buildsProject = {
  level: 'medium',
  reason: 'Builds the project.',
  operands: { rest: 'text' },
  declared: true,
  judge: judgeBuild,
  mild: /^--(?:define|loader|external|pure|drop|supported):\S*$/,
  options: [
    values(`
            -p -t --target --targets --projects --exclude --base --head -H --configuration --filter
            --jsx --port --platform --format --mode --hostname --concurrency --output-logs --log-order --log-prefix
            --cache-workers --env-mode --output-style --maxParallel --nxBail --runner --batch --i18n-missing-translation
            --progress --browsers --build-target --main-fields --resolve-extensions --global-name --legal-comments
            --log-level --log-limit --charset --conditions --drop --drop-labels --entry-names --asset-names --chunk-names
            --public-path --banner --footer --external --exports --generatedCode --interop --name -n -e --extensions
            --ignore --only --source-maps --presets-env --style --load-path -I --entrypoint --budget
          `),
    flags(`
            --skip-nx-cache --all --affected -w -m --no-cache --silent --parallel --verbose --host
            --production --prod --version --help -h -v --watch --minify --minified --bundle --progress --aot --dry
            --no-progress --output-hashing --source-map --named-chunks --stats-json --delete-output-path --code-coverage
            --coverage --graph-only --no-daemon --only --continue --no-deps --framework-inference --no-color --color
            --skip-infer --emptyOutDir --no-emptyOutDir --strictPort --cors --force-optimize-deps --keep-names
            --tree-shaking --allow-overwrite --analyze --preserve-symlinks --no-bundle --no-splitting --metafile
            --no-minify --no-clean --dts-resolve --dts-only --treeshake --shims --cjsInterop --inspect --browser
            --no-lint --no-mangling --turbo --turbopack --profile --experimental-build-mode --no-source-maps
            --compact --retain-lines --comments --no-comments --verbose --keep-file-extension --copy-files --quiet
            --no-babelrc --stdin --no-charset --error-css --no-source-map --embed-sources --embed-source-map --stop-on-error
            --poll --update --indented --trace --failAfterWarnings --compactOutput --no-map -m --list-tests
            --progress --disable-host-check --skipTypeCheck --ssl --no-clear-screen --clear-screen --devtool
          `),
    takes('search', '-c --config'),
    takes(
      'write',
      `
            --outfile --outdir --out-dir --outDir -o -d --out --out-file --output --output-path --output-file
            --profile-file --summary-file --file --output-filename
          `,
    ),
    // With these, a tool loads code or writes what it finds in a file of the command.
    high(
      values(`
            --require -r --plugins --presets --config-loader --import --register --parser --syntax --stringifier
            --module-bind --define-process-args --proxy-config --ssl-cert --ssl-key --cert --key --api --token --team
            --remote-cache-timeout --dangerously-disable-package-manager-check
          `),
    ),
    saying('Changes files of the workspace.', medium(flags('--fix --i18n-duplicate-translation --replace --write'))),
    optionalValues('--graph', 'write'),
    optionalValues('--sourcemap --external: --loader: --define:'),
    flags('--splitting --clean --dts'),
    takes('read', '-i'),
  ],
} as const satisfies Manual;

/** Judges a bundler that may delete everything in the folder for its output first. */
const judgeBundler =
  (empties: (words: readonly string[]) => boolean): Judge =>
  (call) => {
    const { words, scope, manual } = call;
    const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters');
    if (empties(words.map(({ text }) => text)))
      for (const { name, value } of options)
        if (value && /^(?:-d|--out-?dir)$/i.test(name)) drop(scope, value, { recursive: true });
    return judgeBuild(call);
  };

/** Judges programs that measure the coverage of another command, or report on it. */
const judgeCovers: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const [first] = readLeadingOptions(words, optionTable(manual.options ?? []), 'letters').rest;
  if (first?.kind !== 'literal' || !/^(report|check-coverage|merge)$/.test(first.text)) return judgeWrapper(one);
  judgeTests(one);
  note(scope, 'medium', whole, 'Writes a report.');
  return 'done';
};

export const testsFamily: Family = {
  programs: {
    'standard-version': {
      level: 'high',
      reason: 'Changes files, and creates a commit and a tag.',
      declared: true,
      judge: readsWith('--dry-run', {
        level: 'medium',
        reason: 'Runs code of this project.',
        operands: [],
        others: 'high',
        options: [
          flags('--dry-run --first-release -f --silent --skip.changelog --skip.tag --skip.commit --skip.bump'),
          values('-r --release-as -p --prerelease -t --tag-prefix'),
        ],
      }),
      options: [flags('--version')],
    },
    ...eachNamed(
      `
      openapi-generator openapi-typescript graphql-codegen orval swagger-cli redocly spectral
    `,
      {
        level: 'medium',
        reason: 'Generates code.',
        declared: true,
        operands: { rest: 'read' },
        judge: judgeTests,
        options: [
          flags('--check --version --watch -h --help --verbose --silent --quiet -e --errors-only'),
          takes('write', '-o --output'),
          takes('search', '-c --config'),
        ],
      },
    ),
    ...eachNamed('jest vitest mocha ava tap tape jasmine uvu', {
      level: 'low',
      operands: { rest: 'text' },
      declared: true,
      judge: judgeTests,
      mild: /^--(?:coverage\.(?:enabled|all|clean|skipFull|include|exclude|thresholds\.\w+)|typecheck\.\w+)(?:=[\w,.*/-]*)?$/,
      options: [
        takes('module', '-r --require --import'),
        flags(`
          --run --watch --watchAll --coverage --ci --runInBand -i -b -o --no-color --colors --color
          --json --onlyChanged --detectOpenHandles --forceExit --no-cache --changed --serial --version
          --help --fail-fast --listTests --findRelatedTests --no-coverage --passWithNoTests --verbose
          --silent -h --hide --all --clearCache --clearMocks --resetMocks --restoreMocks --logHeapUsage --showConfig
          --expand --errorOnDeprecated --onlyFailures --lastCommit --noStackTrace --useStderr --notify --randomize
          --no-coverage --injectGlobals --openHandlesTimeout --workerThreads --all --dom --globals --typecheck --ui
          --standalone --hideSkippedTests --isolate --no-isolate --no-file-parallelism --fileParallelism --allowOnly
          --dangerouslyIgnoreUnhandledErrors --expandSnapshotDiff --logHeapUsage --disableConsoleIntercept
          --clearScreen --inspect --inspect-brk --parallel --dry-run --forbid-only --forbid-pending --sort --full-trace
          --check-leaks --diff --no-diff --inline-diffs --growl --async-only --delay --allow-uncaught --list-reporters
          --list-interfaces --prof --node-arguments --tap --no-worker-threads --pretty --allow-empty-coverage
          --fail-zero --no-exit --invert --color --parallel-tests
        `),
        values(`
          --maxConcurrency --minWorkers --testTimeout --shard --seed --changedSince --testPathPatterns --displayName
          --selectProjects --ignoreProjects --testPathIgnorePatterns --testMatch --testRegex --slowTestThreshold
          --retry --sequence --exclude --dir --mode --hookTimeout --teardownTimeout
          --testNamePattern --allowOnly --fgrep -f --slow --jobs -j --retries --ignore --extension --spec --watch-files
          --watch-ignore
          -t -g --grep --testNamePattern --testPathPattern -w -m --pool --project --concurrency
          --watch-extensions --match --timeout --maxWorkers
        `),
        takes('plugin', '--reporter -R'),
        takes('write', '--outputFile --coverageDirectory --cacheDirectory --reportsDirectory'),
        takes('search', '--rootDir --roots --root --package --opts'),
        takes('module', '-r --require --import --setupFiles --setupFilesAfterEnv --globalSetup --globalTeardown'),
        optionalValues('--bail'),
        flags('--exit --recursive --tap --threads'),
        takes('name', '--reporters --coverageReporters --coverageReporter'),
        values('--environment'),
        takes('search', '--config -c'),
        medium(flags('-u --update --updateSnapshot --update-snapshots')),
      ],
    }),
    ...eachNamed(
      `
      webpack rollup esbuild parcel next nuxt nx turbo svelte-kit remix swc rspack microbundle unbuild
      ncc ngc tailwindcss sass lessc postcss babel jsdoc
    `,
      buildsProject,
    ),
    // They delete whatever else is in the folder for their output.
    ...eachNamed('vite astro ng typedoc', {
      ...buildsProject,
      options: [...buildsProject.options, takes('empties', '--outDir --output-path --out')],
    }),
    tsup: { ...buildsProject, judge: judgeBundler((words) => words.includes('--clean')) },
    tsdown: {
      ...buildsProject,
      judge: judgeBundler((words) => !words.some((word) => /^--(?:no-clean|clean=false)$/.test(word))),
    },
    storybook: {
      ...buildsProject,
      options: [...buildsProject.options, flags('--test --docs'), takes('empties', '-o --output-dir')],
    },
    ...eachNamed('c8 nyc', {
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
    ...eachNamed('playwright cypress wdio testcafe', {
      level: 'medium',
      reason: 'Runs code of this project.',
      declared: true,
      options: [flags('--version')],
      verbs: {
        ...eachNamed('verify version info', { ...strictReadingManual, operands: [] }),
        ...eachNamed('show-report show-trace', {
          level: 'medium',
          reason: 'Serves a report of the tests on this machine.',
          operands: ['search'],
          options: [values('--port --host')],
        }),
        ...eachNamed('test run', {
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
    ...eachNamed(
      `
      prisma drizzle-kit sequelize typeorm knex vsce ovsx changeset
    `,
      {
        level: 'high',
        reason: 'Changes data, hooks or publishes.',
        declared: true,
        options: [flags('--version')],
        verbs: {
          'db:migrate:status': { level: 'medium', reason: 'Reads a database.', operands: [], options: [] },
          ...eachNamed('validate format generate ls status', {
            level: 'medium',
            reason: 'Runs code of this project.',
            operands: [],
            options: [flags('--version')],
          }),
        },
      },
    ),
    // They have no verbs: `semantic-release list` releases, too.
    ...eachNamed('semantic-release np release-it', {
      level: 'high',
      reason: 'Publishes a release.',
      declared: true,
      options: [flags('--version')],
    }),
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
        values('--throttling-method --only-audits --skip-audits --locale --max-wait-for-load --form-factor'),
        flags('--disable-storage-reset --screenEmulation.disabled --no-emulatedUserAgent --no-enable-error-reporting'),
        high(values('--chrome-flags --extra-headers --config-path --hostname --port --plugins')),
        medium(flags('--view')),
      ],
    },
  },
};
