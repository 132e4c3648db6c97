import { each, type Family } from '../../calls/manual';
import { flags, high, medium, takes, values } from '../../calls/options';
import { changesFiles, checksOrBuilds, readingManual, runsProject } from '../shared/kinds';
import { judgeFormats } from '../shared/projectCode';
import { judgePython } from './python';

export const checkersFamily: Family = {
  programs: {
    ...each(
      `
      mypy pyright pylint flake8 bandit pydocstyle pycodestyle vulture pyflakes interrogate radon
      codespell pytype ty basedpyright pyre
    `,
      checksOrBuilds([
        flags(`
          --strict --ignore-missing-imports -r -ll -E --show-error-codes --no-error-summary
        `),
        takes('search', '--config-file --config --rcfile'),
        values(`
          -p -m --max-line-length --select --ignore --disable --enable -x -j --skip --python-version
          --output-format --exclude
        `),
        flags('--errors-only --count --statistics --outputjson'),
        takes('write', '--html-report --junit-xml --cobertura-xml-report --txt-report'),
        high(flags('--install-types'), values('--init-hook --load-plugins')),
      ]),
    ),
    ruff: {
      level: 'low',
      options: [flags('--version')],
      verbs: {
        check: checksOrBuilds([
          values('--select --ignore --output-format --extend-select'),
          flags('--show-fixes --statistics --diff --no-cache --watch --exit-zero'),
          takes('search', '--config'),
          medium(flags('--fix --unsafe-fixes')),
        ]),
        format: {
          ...changesFiles,
          operands: { rest: 'write' },
          options: [flags('--check --diff --quiet -q')],
          judge: judgeFormats,
        },
        ...each('rule version linter', readingManual),
      },
    },
    ...each(
      `
      black isort autopep8 yapf autoflake pyupgrade gofmt goimports gofumpt rustfmt shfmt scalafmt
      ktlint rubocop standardrb swiftformat swiftlint stylua nixfmt terraform-fmt
    `,
      {
        ...changesFiles,
        judge: judgeFormats,
        options: [
          flags(`
            --check --diff --quiet -q -l -d -w -i -s -a -A -c -n -e -ci -bn --fix --autocorrect
            --auto-correct
          `),
          values(`
            --line-length --profile -f -ln -indent --target-version --format --only --except --style
            --edition
          `),
          flags(`
            --check-only --in-place --list-different --dry-run --Werror --skip-string-normalization
            --lint --version --parallel
          `),
        ],
      },
    ),
    coverage: {
      level: 'low',
      options: [flags('--version')],
      verbs: {
        ...each(
          'report html xml json combine erase lcov',
          checksOrBuilds([
            flags('-m -i --show-missing --skip-covered -a'),
            values('--fail-under --omit --include'),
            takes('write', '-d -o'),
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
          options: [flags('--all-files -a --show-diff-on-failure'), values('--files --from-ref --to-ref')],
        },
      },
    },
  },
};
