import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, medium, optionalValues, type Options, saying, takes, values } from '../../calls/options';
import { changedBefore, note, refuse } from '../../effects/scope';
import { checksFiles, strictReadingManual } from '../shared/kinds';

/** Settings that are code. */
const configurationCode = /(?:\.config|(?:^|\/)\.\w+rc)\.[cm]?[jt]s$/;

/** Refuses to check files with settings that are code and that the same line changed. */
const judgeConfigured: Judge = ({ scope, whole }) => {
  const changed = changedBefore(
    scope,
    (path) => configurationCode.test(path),
    () => false,
  );
  if (changed !== undefined) refuse(scope, whole, `Runs code after ${changed}.`);
  return undefined;
};

const check = (options: Options): Manual => ({
  level: 'low',
  operands: { rest: 'search' },
  declared: true,
  judge: judgeConfigured,
  options: [flags('--help --version -h -v -V --quiet -q --verbose --color --no-color --silent'), ...options],
});

/** Linters that share most options. `added` are those that mean something else to one of them. */
const lints = (added: Options = []): Manual =>
  check([
    flags(`
          --allow-empty --no-progress --circular --json --strict -x --summary -a --check-sourced --external-sources
          --list-optional --norc --no-fail --disable-ignore-pragma --warnings --orphans --leaves --include-npm
          --show-suggestions --words-only --unique --no-summary --no-must-find-files --no-exit-code --gitignore --cache
          --production --include-entry-exports --no-exit-code --report-unused-disable-directives --quiet-deprecation-warnings
          --no-config-hints --dependencies --exports --files --fix-dry --disable-nested-config --list-config --list-files
          --allow-empty-input --ignore-disables --disable-default-ignores --no-color --verbose -r --dot --no-error-level
        `),
    values(`
          --format -f --extensions -s -e -d --severity --shell --exclude --max-warnings -o --enable --include -i --ignore
          -S -C --wiki-link-count --error --warning --info --style --failure-threshold -t --locale --language-id
          --dictionaries --words --env --global --globals --limit --why --deny -D --allow -A -W --warn --threads
          --rule --reporter --workspace -w --no-ignore --ignore-pattern --formatter --stdin-filename -p --trusted-registry
          --require-label --skip --ignores --ignore-dirs --parallel --source-path -P
        `),
    takes('search', '--config-file --tsconfig --ts-config --webpack-config --require-config --project --ignore-path'),
    takes('write', '--output-file --cache-location --image --dot-file --output'),
    saying('Writes settings, and may install packages.', high(flags('--init --lsp --install-types'))),
    saying(
      'Loads code.',
      high(
        values(
          '--plugin --plugins --custom-syntax --custom-formatter --parser --rules-dir --rulesdir --custom-rules --compilers --use --preprocessor --reporter-options',
        ),
      ),
    ),
    high(values('--config-data')),
    takes('search', '--config -c'),
    medium(flags('--fix')),
    ...added,
  ]);

const eslint = check([
  flags(`
        --fix-dry-run --cache --no-eslintrc --report-unused-disable-directives
        --no-error-on-unmatched-pattern --no-ignore --debug --no-inline-config --stdin
        --no-warn-ignored --no-config-lookup --pass-on-no-patterns --exit-on-fatal-error --stats --report-unused-inline-configs
        --env-info --no-fix --no-ignore-pattern
      `),
  values('--global --parser-options --report-unused-disable-directives-severity --cache-strategy --flag'),
  takes('search', '--ignore-path'),
  takes('write', '--cache-file'),
  saying('Writes settings, and may install packages.', high(flags('--init --inspect-config'))),
  values('--ext --max-warnings --rule --ignore-pattern --stdin-filename --env --fix-type'),
  takes('name', '-f --format'),
  takes('search', '-c --config --print-config'),
  takes('write', '--cache-location -o --output-file'),
  medium(flags('--fix')),
  high(values('--resolve-plugins-relative-to --rulesdir --plugin --parser')),
]);

/** ESLint in a server that keeps running. */
const eslintServer: Manual = {
  ...eslint,
  judge(call) {
    if (/^(?:re)?start$/.test(call.words[0]?.text ?? ''))
      note(call.scope, 'medium', call.whole, 'Starts a server that checks files.');
    return judgeConfigured(call);
  },
};

export const javascriptCheckersFamily: Family = {
  programs: {
    ...eachNamed('commitlint lint-staged sort-package-json syncpack manypkg', {
      level: 'medium',
      reason: 'Runs code of this project.',
      declared: true,
      operands: { rest: 'text' },
      options: [flags('--edit --verbose --check --version -d --quiet'), values('--from --to')],
    }),
    tsc: {
      ...check([
        flags(`
          --noEmit --pretty --skipLibCheck --strict --watch -w -b --build --incremental --listFiles
          --showConfig --diagnostics --traceResolution --declaration --emitDeclarationOnly --sourceMap
          --esModuleInterop -d --dry --force --noEmitOnError --allowJs --checkJs --all --listEmittedFiles --explainFiles
          --extendedDiagnostics --declarationMap --inlineSourceMap --removeComments --resolveJsonModule --noImplicitAny
          --strictNullChecks --noUnusedLocals --noUnusedParameters --noImplicitReturns --isolatedModules --composite
          --preserveWatchOutput --noCheck --noFallthroughCasesInSwitch --noUncheckedIndexedAccess
          --allowSyntheticDefaultImports --experimentalDecorators --emitDecoratorMetadata --assumeChangesOnlyAffectDirectDependencies
          --exactOptionalPropertyTypes --allowImportingTsExtensions --preserveSymlinks --noLib --importHelpers --listFilesOnly --stopBuildOnErrors
        `),
        values(
          '--target -t --module -m --moduleResolution --jsx --lib --types --locale --newLine --jsxImportSource --moduleDetection',
        ),
        takes('search', '--baseUrl --typeRoots --rootDirs'),
        takes('write', '--generateTrace --generateCpuProfile'),
        takes('search', '-p --project --rootDir'),
        takes('write', '--outDir --tsBuildInfoFile --outFile --declarationDir'),
        medium(flags('--init --clean')),
      ]),
      style: 'words',
    },
    ...eachNamed('lit-analyzer html-validate publint attw', {
      ...check([
        flags('--strict --pack --pretty --no-color --list --json'),
        values(
          '--rules --format --formatter --ext --max-warnings --preset --profile --level --ignore-rules --maxWarnings',
        ),
        takes('search', '-c --config'),
      ]),
    }),
    ...eachNamed('vue-tsc svelte-check', {
      ...check([flags('--noEmit --fail-on-warnings'), values('--threshold'), takes('search', '-p --tsconfig')]),
    }),
    eslint,
    eslint_d: eslintServer,
    prettier: check([
      flags(`
        -c --check -l --list-different --ignore-unknown -u --no-config --cache --no-semi --single-quote --jsx-single-quote
        --use-tabs --bracket-same-line --no-bracket-spacing --no-editorconfig --no-error-on-unmatched-pattern
        --insert-pragma --require-pragma --with-node-modules --single-attribute-per-line --no-plugin-search --cache-content
        --support-info --experimental-ternaries --vue-indent-script-and-style --no-cache
      `),
      values(`
        --log-level --loglevel --stdin-filepath --print-width --tab-width --trailing-comma --arrow-parens --prose-wrap
        --end-of-line --html-whitespace-sensitivity --quote-props --embedded-language-formatting --config-precedence
        --range-start --range-end --cursor-offset --cache-strategy --object-wrap --experimental-operator-position
      `),
      takes('name', '--parser'),
      takes('write', '--cache-location'),
      takes('search', '--find-config-path --file-info'),
      takes('search', '--config --ignore-path'),
      medium(flags('-w --write')),
      high(values('--plugin')),
    ]),
    ...eachNamed('biome rome', {
      level: 'low',
      declared: true,
      options: [flags('--version -V -h --help')],
      verbs: {
        ...eachNamed('version rage explain', strictReadingManual),
        ...eachNamed(
          'check lint format ci search',
          check([
            values(`
              --max-diagnostics --diagnostic-level --reporter --colors --log-level --log-kind --only --skip --since
              --stdin-file-path --files-max-size --indent-style --indent-width --line-width --formatter-enabled
              --linter-enabled --assist-enabled --javascript-formatter-quote-style --quote-style --arrow-parentheses
            `),
            flags(
              '--changed --staged --no-errors-on-unmatched --error-on-warnings --skip-errors --skip-parse-errors --use-server',
            ),
            flags('--json-pretty --format-with-errors --vcs-enabled'),
            takes('search', '--config-path'),
            medium(flags('--write --apply --fix --unsafe --apply-unsafe')),
          ]),
        ),
      },
    }),
    ...eachNamed(
      `
        standard xo oxlint jshint htmlhint markdownlint-cli2 cspell knip depcheck publint ts-prune size-limit
        license-checker htmllint ls-lint hadolint yamllint
      `,
      lints(),
    ),
    ...eachNamed('stylelint tslint markdownlint', lints([takes('write', '-o')])),
    ...eachNamed('dependency-cruiser depcruise', lints([values('-T --output-type'), takes('write', '-f --output-to')])),
    madge: lints([takes('write', '-i')]),
    shellcheck: lints([optionalValues('-C --color')]),
    jsonlint: lints([flags('-s'), medium(flags('-i --in-place'))]),
    remark: lints([
      flags('--frail -F -q --no-stdout -S'),
      medium(optionalValues('-o', 'write')),
      high(values('-u --use -r --rc-path')),
    ]),
    attw: check([
      flags('-p --no-emoji'),
      values('-f --format --ignore-rules --profile --exclude-entrypoints'),
      takes('search', '--pack'),
    ]),
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
    husky: {
      level: 'high',
      reason: 'Changes hooks.',
      declared: true,
      options: [flags('--version')],
      bare: { level: 'medium', reason: 'Points Git to the hooks of the project.', operands: [] },
      verbs: { install: { level: 'medium', reason: 'Points Git to the hooks of the project.', operands: [] } },
    },
    ...eachNamed(
      `
      tsd tstyche bundlesize source-map-explorer type-coverage dpdm ls-engines browserslist
    `,
      checksFiles([
        flags(`
        --no-warning --circular --detail --transform --tree --no-tree --only-warnings
        --mobile-to-desktop --coverage
      `),
        values('--at-least'),
        takes('search', '-p --project'),
      ]),
    ),
    dockerfilelint: checksFiles([values('-o --output')]),
    'graphql-inspector': {
      level: 'high',
      declared: true,
      options: [flags('--version')],
      verbs: {
        ...eachNamed('validate diff coverage similar', {
          level: 'low',
          operands: { rest: 'search' },
          others: 'high',
          options: [flags('--deprecated --strictFragments')],
        }),
      },
    },
  },
};
