import { flags, high, medium, optionalValues, takes, type Options, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import { judgeBuild, judgeFormats, judgeNotSecret, judgeNpmVersion, judgeTests } from '../special/building';
import { judgeInline } from '../special/inline';
import { judgePackageFields, judgeSetScript } from '../special/manifest';
import { judgePackages } from '../special/packages';
import { judgeCovers } from '../special/projects';
import { judgeNpmInstall, judgeNpmRun, judgeNpx } from '../special/scripts';

const look = { level: 'low', others: 'high', operands: { rest: 'text' } } as const;
const installs = {
  level: 'medium',
  judge: judgeNpmInstall,
  reason: 'It installs what the project already declares.',
  operands: [],
  others: 'high',
} as const;
const script: Manual = { level: 'medium', judge: judgeNpmRun };
const looksAt = [
  flags(`
      -g --global --json --long -l -a --all -p -w -r -s --non-recursive --recursive --workspaces
    `),
  values('--depth --format --sbom-format --level --audit-level --omit --include'),
  flags(`
      --prod --production --dev --parseable --silent --no-color --severity --compatible
    `),
  values('--groups --pattern --filter'),
];
const check = (options: Options): Manual => ({
  level: 'low',
  operands: { rest: 'search' },
  declared: true,
  options: [flags('--help --version -h -v -V --quiet -q --verbose --color --no-color --silent'), ...options],
});

const npmVerbs: Manuals = {
  ...each(
    `
      ls list ll la outdated why explain fund doctor query root prefix bin help help-search sbom
    `,
    {
      ...look,
      options: looksAt,
    },
  ),
  ...each('view info show v', { ...look, options: [flags('--json --silent')], reason: 'It asks the registry.' }),
  audit: { level: 'low', operands: [], options: looksAt },
  ...each('search find', { level: 'medium', reason: 'It asks the registry.', options: [flags('--json --long')] }),
  ...each('install i ci clean-install add install-clean', {
    ...installs,
    options: [
      flags(`
          --no-audit --no-fund --no-save --prefer-offline --offline --ignore-scripts --silent -s
          --production --frozen-lockfile --immutable --legacy-peer-deps --no-optional --no-progress
          --package-lock-only --prod --dev -D --verbose --prefer-frozen-lockfile
        `),
      values('--omit --include --progress --loglevel'),
      medium(flags('--no-frozen-lockfile')),
      high(flags('--force -f')),
    ],
  }),
  ...each('rebuild dedupe ddp prune', {
    ...installs,
    operands: { rest: 'text' },
    options: [flags('--dry-run --silent --check -c')],
  }),
  ...each('uninstall remove rm un r', {
    level: 'medium',
    reason: 'It removes packages.',
    operands: { rest: 'text' },
    options: [flags('-D --save-dev --save -S --no-save --silent')],
  }),
  ...each('run run-script rum', script),
  ...each('test t tst start stop restart', script),
  version: {
    level: 'medium',
    reason: 'It changes package.json.',
    operands: ['text'],
    options: [flags('--no-git-tag-version --allow-same-version --json')],
    judge: judgeNpmVersion,
  },
  pack: { level: 'medium', reason: 'It packs files.', operands: [], options: [flags('--dry-run --json --silent')] },
  ...each('exec x', { level: 'medium', judge: judgeNpx }),
  pkg: {
    level: 'low',
    verbs: {
      get: { ...look, options: [] },
      ...each('set delete', { level: 'medium', judge: judgePackageFields }),
      fix: { level: 'medium', reason: 'It changes package.json.', operands: [], options: [] },
    },
  },
  'set-script': { level: 'high', judge: judgeSetScript },
  init: { level: 'medium', reason: 'It writes package.json.', operands: [], options: [flags('-y --yes')] },
  config: {
    level: 'high',
    verbs: {
      ...each('list ls', {
        level: 'medium',
        reason: 'It shows the settings of npm.',
        operands: [],
        options: [flags('-l --long --json')],
      }),
      get: { level: 'low', operands: ['text'], options: [], judge: judgeNotSecret },
    },
  },
  cache: {
    level: 'high',
    verbs: { verify: { level: 'medium', reason: 'It checks the package cache.', operands: [] } },
  },
};
const version = [flags('--version -v -V --help -h --silent -s')];
const yarnVerbs: Manuals = {
  ...npmVerbs,
  ...each('test start dev build lint format check typecheck', script),
  ...each('why licenses versions info', { ...look, options: looksAt }),
  ...each('up upgrade upgrade-interactive policies plugin patch patch-commit', {
    level: 'high',
    reason: 'It changes which packages are installed.',
  }),
  dlx: { level: 'high', reason: 'It downloads and runs a package.' },
  store: { level: 'high', verbs: { ...each('path status', look) } },
  npm: {
    level: 'high',
    reason: 'It asks or publishes to the registry.',
    verbs: {
      ...each('audit info outdated', { ...look, options: [flags('--json --all --recursive'), values('--severity')] }),
    },
  },
  workspaces: { level: 'low', verbs: { ...each('list info', look) } },
};

export const javascriptTools: Manuals = {
  npm: {
    level: 'high',
    reason: 'It installs or publishes packages.',
    judge: judgePackages,
    options: version,
    verbs: npmVerbs,
  },
  pnpm: {
    level: 'high',
    reason: 'It installs or publishes packages.',
    judge: judgePackages,
    options: [
      ...version,
      flags(`
        -w --workspace-root --stream --parallel --no-bail --aggregate-output --if-present
      `),
      values('--reporter'),
    ],
    verbs: yarnVerbs,
    bare: { level: 'medium', judge: judgeNpx },
  },
  yarn: {
    level: 'medium',
    reason: 'It installs what the project already declares.',
    judge: judgePackages,
    options: [...version, flags('--frozen-lockfile --immutable --offline --prefer-offline')],
    verbs: yarnVerbs,
    bare: { level: 'medium', judge: judgeNpx },
  },
  bun: {
    level: 'high',
    judge: judgePackages,
    options: [...version, flags('--bun')],
    verbs: {
      ...npmVerbs,
      pm: { level: 'high', verbs: { ...each('ls bin cache hash', look), pkg: npmVerbs['pkg']! } },
      test: script,
      build: {
        level: 'medium',
        reason: 'It writes build output.',
        operands: { rest: 'read' },
        options: [
          flags('--minify'),
          values('--target'),
          optionalValues('--sourcemap'),
          takes('write', '--outdir --outfile'),
        ],
      },
    },
  },
  ...each('npx bunx', { level: 'medium', judge: judgeNpx }),
  corepack: { level: 'high', reason: 'It downloads package managers.', options: [flags('--version')] },
  node: {
    level: 'medium',
    reason: 'It runs code of this project.',
    judge: judgeInline,
    startsPrograms: true,
    operands: { first: ['script'], rest: 'text' },
    needsOperand: true,
    options: [
      takes('module', '--loader --experimental-loader --import --require -r'),
      flags(`
          --experimental-vm-modules --no-deprecation --trace-deprecation --trace-uncaught -c -v -h
          --experimental-test-coverage --version --help --v8-options --expose-gc
          --experimental-strip-types --test-force-exit --enable-source-maps --no-warnings
          --trace-warnings
        `),
      values(`
          --conditions -C --stack-trace-limit --test-timeout --max-old-space-size --test-reporter
          --test-name-pattern --test-concurrency
        `),
      takes('read', '--env-file --env-file-if-exists'),
      flags('--experimental-transform-types --test --test-only --watch --check'),
    ],
  },
  ...each('tsx ts-node', {
    level: 'medium',
    reason: 'It runs code of this project.',
    declared: true,
    operands: { first: ['script'], rest: 'text' },
    needsOperand: true,
    options: [flags('--version --watch --transpile-only -T --esm')],
    judge: judgeInline,
    startsPrograms: true,
  }),
  deno: {
    level: 'high',
    options: [flags('--version -V --help')],
    verbs: {
      ...each('check lint info bench', {
        level: 'low',
        operands: { rest: 'search' },
        options: [flags('--quiet -q --all --json --no-run'), values('--filter')],
      }),
      fmt: {
        level: 'medium',
        reason: 'It changes files.',
        operands: { rest: 'write' },
        judge: judgeFormats,
        options: [flags('--check --quiet')],
      },
      test: {
        level: 'low',
        judge: judgeTests,
        operands: { rest: 'search' },
        options: [
          flags('--parallel --quiet -A --allow-all --no-check'),
          values('--filter'),
          optionalValues('--allow-read --allow-env --allow-net --allow-write --fail-fast --coverage'),
        ],
      },
      run: {
        level: 'medium',
        reason: 'It runs code of this project.',
        operands: { first: ['script'], rest: 'text' },
        options: [flags('--check --no-check --quiet -q --watch --unstable --frozen --cached-only')],
      },
      task: script,
    },
  },
  tsc: {
    ...check([
      flags(`
          --noEmit --pretty --skipLibCheck --strict --watch -w -b --build --incremental --listFiles
          --showConfig --diagnostics --traceResolution --declaration --emitDeclarationOnly --sourceMap
          --esModuleInterop -d --dry --force --noEmitOnError --allowJs --checkJs
        `),
      values('--target --module --moduleResolution --jsx --lib'),
      takes('search', '-p --project --rootDir'),
      takes('write', '--outDir --tsBuildInfoFile --outFile --declarationDir'),
      medium(flags('--init --clean')),
    ]),
    style: 'words',
  },
  ...each('vue-tsc svelte-check', {
    ...check([flags('--noEmit --fail-on-warnings'), values('--threshold'), takes('search', '-p --tsconfig')]),
  }),
  eslint: check([
    flags(`
        --fix-dry-run --cache --no-eslintrc --report-unused-disable-directives
        --no-error-on-unmatched-pattern --no-ignore --debug --no-inline-config --stdin
        --no-warn-ignored
      `),
    values('--ext --max-warnings --rule --ignore-pattern --stdin-filename --env --fix-type'),
    takes('name', '-f --format'),
    takes('search', '-c --config --print-config'),
    takes('write', '--cache-location -o --output-file'),
    medium(flags('--fix')),
    high(values('--resolve-plugins-relative-to --rulesdir --plugin --parser')),
  ]),
  prettier: check([
    flags('-c --check -l --list-different --ignore-unknown -u --no-config --cache'),
    values('--log-level --loglevel --stdin-filepath --parser'),
    takes('search', '--config --ignore-path'),
    medium(flags('-w --write')),
    high(values('--plugin')),
  ]),
  ...each('biome rome', {
    level: 'low',
    declared: true,
    options: [flags('--version')],
    verbs: {
      ...each(
        'check lint format ci',
        check([
          values('--max-diagnostics --diagnostic-level --reporter'),
          takes('search', '--config-path'),
          medium(flags('--write --apply --fix --unsafe --apply-unsafe')),
        ]),
      ),
    },
  }),
  ...each(
    `
      stylelint standard xo oxlint tslint jshint htmlhint markdownlint markdownlint-cli2 cspell
      knip depcheck madge publint ts-prune size-limit license-checker htmllint alex remark ls-lint
      jscpd dependency-cruiser depcruise hadolint shellcheck yamllint jsonlint
    `,
    check([
      flags('--allow-empty --no-progress --circular --json --strict -x --summary'),
      values('--format -f --extensions -s -e -d --severity --shell --exclude --max-warnings'),
      takes('search', '--config -c'),
      medium(flags('--fix')),
    ]),
  ),
  attw: check([
    flags('-p --no-emoji'),
    values('-f --format --ignore-rules --profile --exclude-entrypoints'),
    takes('search', '--pack'),
  ]),
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
          -t -g --grep --testNamePattern --testPathPattern --reporter -R -w -m --pool --project
          --concurrency --watch-extensions --match --timeout --maxWorkers
        `),
      optionalValues('--bail'),
      flags('--exit --recursive --tap --threads'),
      takes('name', '--reporters --coverageReporters --coverageReporter'),
      values('--environment'),
      takes('search', '--config -c'),
      medium(flags('-u --update --updateSnapshot')),
    ],
  }),
  actionlint: {
    ...check([
      flags('-oneline -debug'),
      values('-ignore -format -stdin-filename'),
      takes('search', '-config-file'),
      medium(flags('-init-config')),
      high(values('-shellcheck -pyflakes')),
    ]),
    style: 'words',
  },
  ...each(
    `
      storybook webpack rollup vite esbuild tsup parcel next nuxt astro ng nx turbo svelte-kit
      remix swc tsdown rspack microbundle unbuild ncc tailwindcss sass lessc postcss babel typedoc
      jsdoc
    `,
    {
      level: 'medium',
      reason: 'It builds the project.',
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
      takes('name', '--reporter -r'),
      takes('search', '--src'),
    ],
  }),
  ...each('playwright cypress wdio testcafe', {
    level: 'medium',
    reason: 'It runs code of this project.',
    declared: true,
    options: [flags('--version')],
    verbs: {
      ...each('verify version info', { ...look, operands: [] }),
      ...each('show-report show-trace', {
        level: 'medium',
        reason: 'It serves a report of the tests on this machine.',
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
              --reporter --spec --workers --browser
            `),
          takes('search', '--config'),
          medium(flags('--update-snapshots -u')),
        ],
        judge: judgeTests,
      }),
    },
  }),
  husky: {
    level: 'high',
    reason: 'It changes hooks.',
    declared: true,
    options: [flags('--version')],
    bare: { level: 'medium', reason: 'It points Git to the hooks of the project.', operands: [] },
    verbs: { install: { level: 'medium', reason: 'It points Git to the hooks of the project.', operands: [] } },
  },
  ...each(
    `
      prisma drizzle-kit sequelize typeorm knex vsce ovsx changeset semantic-release np release-it
      standard-version
    `,
    {
      level: 'high',
      reason: 'It changes data, hooks or publishes.',
      declared: true,
      options: [flags('--version')],
      verbs: {
        'db:migrate:status': { level: 'medium', reason: 'It reads a database.', operands: [], options: [] },
        ...each('validate format generate ls status', {
          level: 'medium',
          reason: 'It runs code of this project.',
          operands: [],
          options: [flags('--version')],
        }),
      },
    },
  ),
};
