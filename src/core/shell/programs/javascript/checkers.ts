import { each, type Family, type Manual } from '../../calls/manual';
import { flags, high, medium, type Options, takes, values } from '../../calls/options';
import { checksFiles } from '../shared/kinds';

const check = (options: Options): Manual => ({
  level: 'low',
  operands: { rest: 'search' },
  declared: true,
  options: [flags('--help --version -h -v -V --quiet -q --verbose --color --no-color --silent'), ...options],
});

export const checkersFamily: Family = {
  programs: {
    ...each('commitlint lint-staged sort-package-json syncpack manypkg', {
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
        stylelint standard xo oxlint tslint jshint htmlhint markdownlint markdownlint-cli2 cspell knip depcheck
        madge publint ts-prune size-limit license-checker htmllint remark ls-lint dependency-cruiser depcruise
        hadolint shellcheck yamllint jsonlint
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
    ...each(
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
        ...each('validate diff coverage similar', {
          level: 'low',
          operands: { rest: 'search' },
          others: 'high',
          options: [flags('--deprecated --strictFragments')],
        }),
      },
    },
  },
};
