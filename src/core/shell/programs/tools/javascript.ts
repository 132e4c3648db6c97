import type { Manual, Manuals } from '../../calls/manual';
import { judgeBuild, judgeFormats, judgeNotSecret, judgeNpmVersion, judgeTests } from '../special/building';
import { judgeInline } from '../special/inline';
import { judgePackageFields, judgeSetScript } from '../special/manifest';
import { judgePackages } from '../special/packages';
import { judgeCovers } from '../special/projects';
import { judgeNpmInstall, judgeNpmRun, judgeNpx } from '../special/scripts';

const look = { level: 'low', others: 'high', operands: 'text…' } as const;
const installs = {
  level: 'medium',
  judge: judgeNpmInstall,
  reason: 'It installs what the project already declares.',
  operands: '',
  others: 'high',
} as const;
const script: Manual = { level: 'medium', judge: judgeNpmRun };
const looksAt =
  '-g --global --json --long -l -a --all --depth= --prod --production --dev --parseable -p --omit= --include= -w --workspaces --level= --audit-level= --recursive -r --production --groups= --pattern= --filter= --non-recursive --sbom-format= --severity --compatible --format= --silent -s --no-color';
const check = (options: string): Manual => ({
  level: 'low',
  operands: 'search…',
  declared: true,
  options: `--help --version -h -v -V --quiet -q --verbose --color --no-color --silent ${options}`,
});

const npmVerbs: Manuals = {
  'ls list ll la outdated why explain fund doctor query root prefix bin help help-search sbom': {
    ...look,
    options: looksAt,
  },
  'view info show v': { ...look, options: '--json --silent', reason: 'It asks the registry.' },
  audit: { level: 'low', operands: '', options: looksAt },
  'search find': { level: 'medium', reason: 'It asks the registry.', options: '--json --long' },
  'install i ci clean-install add install-clean': {
    ...installs,
    options:
      '--no-audit --no-fund --no-save --prefer-offline --offline --ignore-scripts --silent -s --production --omit= --include= --frozen-lockfile --immutable --legacy-peer-deps --no-optional --no-progress --progress= --loglevel= --package-lock-only --prod --dev -D --verbose --force! -f! --prefer-frozen-lockfile --no-frozen-lockfile^',
  },
  'rebuild dedupe ddp prune': { ...installs, operands: 'text…', options: '--dry-run --silent --check -c' },
  'uninstall remove rm un r': {
    level: 'medium',
    reason: 'It removes packages.',
    operands: 'text…',
    options: '-D --save-dev --save -S --no-save --silent',
  },
  'run run-script rum': script,
  'test t tst start stop restart': script,
  version: {
    level: 'medium',
    reason: 'It changes package.json.',
    operands: 'text',
    options: '--no-git-tag-version --allow-same-version --json',
    judge: judgeNpmVersion,
  },
  pack: { level: 'medium', reason: 'It packs files.', operands: '', options: '--dry-run --json --silent' },
  'exec x': { level: 'medium', judge: judgeNpx },
  pkg: {
    level: 'low',
    verbs: {
      get: { ...look, options: '' },
      'set delete': { level: 'medium', judge: judgePackageFields },
      fix: { level: 'medium', reason: 'It changes package.json.', operands: '', options: '' },
    },
  },
  'set-script': { level: 'high', judge: judgeSetScript },
  init: { level: 'medium', reason: 'It writes package.json.', operands: '', options: '-y --yes' },
  config: {
    level: 'high',
    verbs: {
      'list ls': {
        level: 'medium',
        reason: 'It shows the settings of npm.',
        operands: '',
        options: '-l --long --json',
      },
      get: { level: 'low', operands: 'text', options: '', judge: judgeNotSecret },
    },
  },
  cache: {
    level: 'high',
    verbs: { verify: { level: 'medium', reason: 'It checks the package cache.', operands: '' } },
  },
};
const version = '--version -v -V --help -h --silent -s';
const yarnVerbs: Manuals = {
  ...npmVerbs,
  'test start dev build lint format check typecheck': script,
  'why licenses versions info': { ...look, options: looksAt },
  'up upgrade upgrade-interactive policies plugin patch patch-commit': {
    level: 'high',
    reason: 'It changes which packages are installed.',
  },
  dlx: { level: 'high', reason: 'It downloads and runs a package.' },
  store: { level: 'high', verbs: { 'path status': look } },
  npm: {
    level: 'high',
    reason: 'It asks or publishes to the registry.',
    verbs: { 'audit info outdated': { ...look, options: '--json --all --recursive --severity=' } },
  },
  workspaces: { level: 'low', verbs: { 'list info': look } },
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
    options: `${version} -w --workspace-root --stream --parallel --no-bail --aggregate-output --reporter= --if-present`,
    verbs: yarnVerbs,
    bare: { level: 'medium', judge: judgeNpx },
  },
  yarn: {
    level: 'medium',
    reason: 'It installs what the project already declares.',
    judge: judgePackages,
    options: `${version} --frozen-lockfile --immutable --offline --prefer-offline`,
    verbs: yarnVerbs,
    bare: { level: 'medium', judge: judgeNpx },
  },
  bun: {
    level: 'high',
    judge: judgePackages,
    options: `${version} --bun`,
    verbs: {
      ...npmVerbs,
      pm: { level: 'high', verbs: { 'ls bin cache hash': look, pkg: npmVerbs['pkg']! } },
      test: script,
      build: {
        level: 'medium',
        reason: 'It writes build output.',
        operands: 'read…',
        options: '--outdir=write --target= --minify --outfile=write --sourcemap?',
      },
    },
  },
  'npx bunx': { level: 'medium', judge: judgeNpx },
  corepack: { level: 'high', reason: 'It downloads package managers.', options: '--version' },
  node: {
    level: 'medium',
    reason: 'It runs code of this project.',
    judge: judgeInline,
    startsPrograms: true,
    operands: 'script text…',
    needsOperand: true,
    options:
      '--loader=module --experimental-loader=module --import=module --require=module -r=module --experimental-vm-modules --no-deprecation --trace-deprecation --trace-uncaught --conditions= -C= --env-file=read --env-file-if-exists=read --experimental-transform-types --test --test-only --watch --check -c --test-reporter= --test-name-pattern= --test-concurrency= --enable-source-maps --no-warnings --trace-warnings --max-old-space-size= --expose-gc --experimental-strip-types --test-force-exit --test-timeout= --experimental-test-coverage --version -v --help -h --v8-options --stack-trace-limit=',
  },
  'tsx ts-node': {
    level: 'medium',
    reason: 'It runs code of this project.',
    declared: true,
    operands: 'script text…',
    needsOperand: true,
    options: '--version --watch --transpile-only -T --esm',
    judge: judgeInline,
    startsPrograms: true,
  },
  deno: {
    level: 'high',
    options: '--version -V --help',
    verbs: {
      'check lint info bench': {
        level: 'low',
        operands: 'search…',
        options: '--quiet -q --all --json --filter= --no-run',
      },
      fmt: {
        level: 'medium',
        reason: 'It changes files.',
        operands: 'write…',
        judge: judgeFormats,
        options: '--check --quiet',
      },
      test: {
        level: 'low',
        judge: judgeTests,
        operands: 'search…',
        options:
          '--filter= --parallel --quiet -A --allow-all --allow-read? --allow-env? --allow-net? --allow-write? --fail-fast? --no-check --coverage?',
      },
      run: {
        level: 'medium',
        reason: 'It runs code of this project.',
        operands: 'script text…',
        options: '--check --no-check --quiet -q --watch --unstable --frozen --cached-only',
      },
      task: script,
    },
  },
  tsc: {
    ...check(
      '--noEmit -p=search --project=search --pretty --skipLibCheck --strict --watch -w -b --build --incremental --listFiles --showConfig --diagnostics --traceResolution --outDir=write --declaration --emitDeclarationOnly --sourceMap --target= --module= --moduleResolution= --jsx= --lib= --esModuleInterop --tsBuildInfoFile=write --outFile=write --rootDir=search --declarationDir=write -d --dry --init^ --clean^ --force --noEmitOnError --allowJs --checkJs',
    ),
    style: 'words',
  },
  'vue-tsc svelte-check': { ...check('--noEmit -p=search --tsconfig=search --fail-on-warnings --threshold=') },
  eslint: check(
    '--fix^ --fix-dry-run --ext= --cache --max-warnings= -f=name --format=name -c=search --config=search --no-eslintrc --report-unused-disable-directives --no-error-on-unmatched-pattern --rule= --ignore-pattern= --no-ignore --print-config=search --debug --cache-location=write --no-inline-config --stdin --stdin-filename= --env= --resolve-plugins-relative-to=! --rulesdir=! --plugin=! --parser=! -o=write --output-file=write --no-warn-ignored --fix-type=',
  ),
  prettier: check(
    '-c --check -l --list-different -w^ --write^ --ignore-unknown -u --config=search --no-config --log-level= --loglevel= --plugin=! --ignore-path=search --stdin-filepath= --cache --parser=',
  ),
  'biome rome': {
    level: 'low',
    declared: true,
    options: '--version',
    verbs: {
      'check lint format ci': check(
        '--write^ --apply^ --fix^ --unsafe^ --apply-unsafe^ --max-diagnostics= --diagnostic-level= --config-path=search --reporter=',
      ),
    },
  },
  'stylelint standard xo oxlint tslint jshint htmlhint markdownlint markdownlint-cli2 cspell knip depcheck madge publint ts-prune size-limit license-checker htmllint alex remark ls-lint jscpd dependency-cruiser depcruise hadolint shellcheck yamllint jsonlint':
    check(
      '--fix^ --config=search -c=search --format= -f= --allow-empty --no-progress --circular --extensions= --json --strict -s= -e= -d= -x --severity= --shell= --exclude= --max-warnings= --summary',
    ),
  attw: check('--pack=search -p -f= --format= --ignore-rules= --profile= --exclude-entrypoints= --no-emoji'),
  'jest vitest mocha ava tap tape jasmine uvu': {
    level: 'low',
    operands: 'text…',
    declared: true,
    judge: judgeTests,
    options:
      '-r=module --require=module --import=module --run --watch --watchAll --coverage --ci --runInBand -i -t= -g= --grep= --testNamePattern= --testPathPattern= --reporter= -R= --verbose --silent --bail? -b --no-coverage --passWithNoTests --maxWorkers= -w= --listTests --findRelatedTests -u^ --update^ --updateSnapshot^ --timeout= -t= --exit --recursive --tap --watch-extensions= --match= -m= --fail-fast --concurrency= --serial --version --help --reporters=name --coverageReporters=name --coverageReporter=name --no-cache --changed --project= --threads --pool= --detectOpenHandles --forceExit --environment= --json --onlyChanged -o --config=search -c=search --no-color --colors --color',
  },
  actionlint: {
    ...check(
      '-shellcheck=! -pyflakes=! -config-file=search -ignore= -format= -oneline -debug -stdin-filename= -init-config^',
    ),
    style: 'words',
  },
  'storybook webpack rollup vite esbuild tsup parcel next nuxt astro ng nx turbo svelte-kit remix swc tsdown rspack microbundle unbuild ncc tailwindcss sass lessc postcss babel typedoc jsdoc':
    {
      level: 'medium',
      reason: 'It builds the project.',
      operands: 'text…',
      declared: true,
      judge: judgeBuild,
      options:
        '-p= -t= --target= --targets= --projects= --exclude= --base= --head= --skip-nx-cache --all --affected -H= --hostname= -c=search --config=search --mode= --watch -w -m --minify --bundle --outfile=write --outdir=write --out-dir=write --outDir=write -o=write -d=write --platform= --format= --target= --sourcemap? --port= --host --production --prod --version --help --external:? --loader:? --define:? --jsx= --splitting --clean --dts --filter= --parallel --verbose --configuration= --no-cache --silent -i=read --out=write',
    },
  'c8 nyc': {
    level: 'low',
    declared: true,
    judge: judgeCovers,
    options:
      '--reporter=name -r=name --check-coverage --lines= --branches= --functions= --statements= --all --include= -n= --exclude= -x= --extension= --silent -s --clean --cache --src=search',
  },
  'playwright cypress wdio testcafe': {
    level: 'medium',
    reason: 'It runs code of this project.',
    declared: true,
    options: '--version',
    verbs: {
      'verify version info': { ...look, operands: '' },
      'show-report show-trace': {
        level: 'medium',
        reason: 'It serves a report of the tests on this machine.',
        operands: 'search',
        options: '--port= --host=',
      },
      'test run': {
        level: 'low',
        operands: 'text…',
        options:
          '--component --e2e --quiet -q -s= -b= --last-failed --retries= --max-failures= --repeat-each= --shard= --timeout= --trace= -x --forbid-only --pass-with-no-tests --update-snapshots^ -u^ --project= --grep= -g= --reporter= --headed --headless --spec= --workers= --browser= --debug --ui --list --config=search',
        judge: judgeTests,
      },
    },
  },
  husky: {
    level: 'high',
    reason: 'It changes hooks.',
    declared: true,
    options: '--version',
    bare: { level: 'medium', reason: 'It points Git to the hooks of the project.', operands: '' },
    verbs: { install: { level: 'medium', reason: 'It points Git to the hooks of the project.', operands: '' } },
  },
  'prisma drizzle-kit sequelize typeorm knex vsce ovsx changeset semantic-release np release-it standard-version': {
    level: 'high',
    reason: 'It changes data, hooks or publishes.',
    declared: true,
    options: '--version',
    verbs: {
      'db:migrate:status': { level: 'medium', reason: 'It reads a database.', operands: '', options: '' },
      'validate format generate ls status': {
        level: 'medium',
        reason: 'It runs code of this project.',
        operands: '',
        options: '--version',
      },
    },
  },
};
