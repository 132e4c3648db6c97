import { eachNamed, type Family, type Manual } from '../../calls/manual';
import { flags, high, medium, type Options, takes, values } from '../../calls/options';
import { changesFiles, checksOrBuilds, readingManual, runsProject } from '../shared/kinds';
import { judgeFormats } from '../shared/projectCode';
import { judgePython } from './python';

/** Options of several formatters, whose letters do not collide. */
const formatterOptions = [
  flags(`
    --recursive -r --aggressive --experimental --verbose -v --in-place --remove-all-unused-imports
    --remove-unused-variables --remove-duplicate-keys --expand-star-imports --ignore-init-module-imports
    --py36-plus --py37-plus --py38-plus --py39-plus --py310-plus --py311-plus --py312-plus --keep-percent-format
    --atomic --float-to-top --force-single-line-imports --filter-files --gitignore --no-sections --stdout -p
    --backup --files-with-diff --color --test --list --no-local-style --extra --autocorrect-all
    --display-cop-names --display-only-fail-level-offenses --display-only-failed --fail-fast --force-exclusion
    --list-target-files --no-color --safe --lint-only --strict --relative --parallel --verify --respect-ignores
    --autocorrect-correctable
  `),
  values(`
    --max-line-length --ignore --select --indent-size --hang-closing --line-range --pep8-passes --exclude --imports
    --profile --multi-line --line-width --wrap-length --known-first-party --src --skip --skip-glob --extend-skip
    --fail-level --display-style-guide --mode --indent-type --indent-width --quote-style --column-width
    --call-parentheses --collapse-simple-statement --swiftversion --rules --disable --enable --rule --reporter
    --style-edition --local -local --extend-skip-glob --sort-order --lines -lines
  `),
  takes('search', '--config --config-path --settings-path --settings-file --sp'),
];

/** Checkers that share most options. `added` are those that mean something else to one of them. */
const checksPython = (added: Options = []): Manual =>
  checksOrBuilds([
    flags(`
          --strict --ignore-missing-imports -r -ll -lll -i -ii -iii -E --show-error-codes --no-error-summary
          --show-source --show-pep8 --first --benchmark --doctests --exit-zero --pretty --show-column-numbers
          --show-error-context --show-error-end --hide-error-codes --check-untyped-defs --disallow-untyped-defs
          --disallow-incomplete-defs --disallow-untyped-calls --disallow-any-generics --no-implicit-optional
          --warn-unused-ignores --warn-redundant-casts --warn-return-any --warn-unreachable --no-incremental
          --allow-untyped-globals --allow-redefinition --no-color-output --show-absolute-path --namespace-packages --explicit-package-bases --no-site-packages --no-namespace-packages --allow-untyped-defs
          --verbose --stats --warnings --recursive --list-msgs --reports --score --exit-zero --disable-all
          -f --check-filenames --check-hidden --quiet-level --regex --count --context -q --explain -e --source -d
          --debug --sort-by-size --make-whitelist --skip-unannotated --dependencies --level
        `),
    takes('search', '--config-file --config --rcfile'),
    values(`
          -p -m --max-line-length --select --ignore --disable --enable -x -j --skip --python-version
          --output-format --exclude --module --package --follow-imports --extend-ignore --extend-select
          --extend-exclude --per-file-ignores --max-complexity --max-doc-length --format --filename
          --ignore-paths --ignore-patterns --msg-template --fail-under --fail-on --jobs --convention
          --add-ignore --add-select --match --match-dir --severity-level --confidence-level --tests --skips
          --min-confidence --ignore-names --ignore-decorators --ignore-words-list -L --builtin --uri-ignore-words-list
          -C --color --indent-size --hang-closing --pythonversion --pythonplatform --platform --enable-error-code
          --disable-error-code --python-platform --exit-zero-codes
        `),
    takes('read', '-I --ignore-words --dictionary -D --exclude-file -b --baseline'),
    flags('--hang-closing --errors-only --count --statistics --outputjson'),
    takes(
      'write',
      '--html-report --junit-xml --cobertura-xml-report --txt-report --any-exprs-report --linecount-report',
    ),
    takes('write', '--xml-report --xslt-html-report --cache-dir --output-file --output -o'),
    medium(flags('-w --write-changes --write -i0')),
    high(
      flags('--install-types --interactive'),
      values('--init-hook --load-plugins --python-executable --pythonpath --custom-typeshed-dir'),
    ),
    high(values('--command --plugins -c')),
    ...added,
  ]);

const formatsFiles = {
  ...changesFiles,
  judge: judgeFormats,
  options: [
    flags(`
            --check --diff --quiet -q -l -d -w -i -s -a -A -x -F -D -L -c -n -e -ci -bn --fix --fix-layout --autocorrect
            --auto-correct
          `),
    values(`
            --line-length --profile -f -ln -indent --target-version --format --only --except --style
            --edition
          `),
    flags(`
            --check-only --in-place --list-different --dry-run --Werror --skip-string-normalization
            --lint --version --parallel -h --help
          `),
    ...formatterOptions,
  ],
} as const satisfies Manual;

export const pythonCheckersFamily: Family = {
  programs: {
    ...eachNamed(
      `
      deptry mypy pyright pylint flake8 bandit pydocstyle pycodestyle vulture pyflakes interrogate radon
      pytype ty basedpyright pyre
    `,
      checksPython(),
    ),
    codespell: checksPython([
      takes('read', '-x'),
      flags('-c --enable-colors'),
      flags('-s --summary'),
      values('-i -S -A -B --after-context --before-context'),
    ]),
    ruff: {
      level: 'low',
      options: [flags('--version')],
      verbs: {
        check: checksOrBuilds([
          values(`
            --select --ignore --output-format --extend-select --extend-ignore --per-file-ignores --fixable --unfixable
            --exclude --extend-exclude --line-length --target-version --stdin-filename --color --extend-fixable
            --extend-per-file-ignores
          `),
          flags(`
            --show-fixes --statistics --diff --no-cache --watch -w --exit-zero --preview --no-preview --show-files
            --show-settings --respect-gitignore --no-respect-gitignore --force-exclude --isolated -n -e -s --silent
            --exit-non-zero-on-fix --no-fix --no-unsafe-fixes --ignore-noqa
          `),
          takes('search', '--config'),
          takes('write', '-o --output-file --cache-dir'),
          medium(flags('--fix --unsafe-fixes --fix-only --add-noqa')),
        ]),
        format: {
          ...changesFiles,
          operands: { rest: 'write' },
          options: [
            flags('--check --diff --quiet -q -v --verbose -s --silent --no-cache -n --preview --no-preview --isolated'),
            flags('--respect-gitignore --no-respect-gitignore --force-exclude --exit-non-zero-on-format -h --help'),
            values('--line-length --target-version --exclude --stdin-filename --range --extension'),
            takes('search', '--config'),
            takes('write', '--cache-dir'),
          ],
          judge: judgeFormats,
        },
        clean: { ...changesFiles, reason: 'Deletes caches of Ruff.', operands: [] },
        analyze: { level: 'high', verbs: { graph: { ...readingManual, operands: { rest: 'search' } } } },
        ...eachNamed('rule version linter config help', {
          ...readingManual,
          options: [values('--output-format'), flags('--all')],
        }),
      },
    },
    ...eachNamed(
      'autopep8 yapf autoflake pyupgrade rustfmt scalafmt ktlint swiftformat swiftlint stylua nixfmt terraform-fmt',
      formatsFiles,
    ),
    // The settings may name Ruby files to load.
    ...eachNamed('rubocop standardrb', {
      ...formatsFiles,
      options: [
        ...formatsFiles.options,
        flags('-P --parallel --no-parallel -L -C -D -S -E --display-cop-names'),
        takes('search', '-c'),
      ],
    }),
    isort: {
      ...changesFiles,
      judge: judgeFormats,
      options: [
        flags(
          '-c --check-only --check --diff -q --quiet -v --verbose -V --version --vn -h --help -a --atomic --ac --af -e --up -y',
        ),
        values('-l --line-length -w -m --multi-line -p -o -b -f -t -s -j --jobs --ext'),
        ...formatterOptions,
      ],
    },
    black: {
      ...changesFiles,
      judge: judgeFormats,
      options: [
        flags(`
          --check --diff -q --quiet -v --verbose -S --skip-string-normalization -C --skip-magic-trailing-comma --fast
          --safe --preview --unstable --color --no-color --pyi --ipynb --version -h --help -x --no-cache
          --skip-source-first-line
        `),
        values(`
          -l --line-length -t --target-version --include --exclude --extend-exclude --force-exclude --stdin-filename
          -W --workers --line-ranges --required-version -c --code --enable-unstable-feature
        `),
        takes('search', '--config'),
      ],
    },
    ...eachNamed('gofmt goimports gofumpt', {
      ...changesFiles,
      judge: judgeFormats,
      style: 'words',
      options: [
        flags('-l -w -d -s -e -extra -v -version --version -h -help --help -srcdir -format-only'),
        values('-r -local -lang -modpath'),
        takes('write', '-cpuprofile -memprofile -trace'),
      ],
    }),
    shfmt: {
      ...changesFiles,
      judge: judgeFormats,
      style: 'words',
      options: [
        flags(`
          -l --list -w --write -d --diff -s --simplify -mn --minify -bn --binary-next-line -ci --case-indent
          -sr --space-redirects -kp --keep-padding -fn --func-next-line -f --find -tojson --to-json
          --apply-ignore -version --version -h --help
        `),
        values('-i --indent -ln --language-dialect -filename --filename'),
      ],
    },
    coverage: {
      level: 'low',
      options: [flags('--version')],
      verbs: {
        ...eachNamed(
          'report html xml json combine erase lcov',
          checksOrBuilds([
            flags(`
              -m -i --show-missing --skip-covered --no-skip-covered --skip-empty -a --append --keep --pretty-print
              --ignore-errors --show-contexts --precision
            `),
            values('--fail-under --omit --include --contexts --precision --sort --format --title'),
            takes('search', '--rcfile --data-file'),
            takes('write', '-d -o --directory'),
          ]),
        ),
        run: {
          ...runsProject,
          judge: judgePython,
          startsPrograms: true,
          options: [
            flags('-p --branch -a --parallel-mode --append'),
            values('--source --omit --include'),
            high(values('-m')),
          ],
          operands: { first: ['script'], rest: 'text' },
        },
      },
    },
    'pre-commit': {
      level: 'high',
      reason: 'Runs or installs hooks.',
      options: [flags('--version')],
      verbs: {
        run: {
          level: 'medium',
          reason: 'Runs the hooks of the project.',
          operands: { rest: 'text' },
          options: [
            flags('--all-files -a --show-diff-on-failure -v --verbose --last-commit --fail-fast -h --help'),
            values('--files --from-ref --to-ref -s --source -o --origin --hook-stage --color'),
          ],
        },
      },
    },
  },
};
