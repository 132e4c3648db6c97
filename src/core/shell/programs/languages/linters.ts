import { eachNamed, type Family, type Judge } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { doubt } from '../../effects/scope';
import { checksFiles, strictReadingManual } from '../shared/kinds';
import { judgeTests } from '../shared/projectCode';

/** Linters for texts and settings. They only read, unless an option changes files. */
const judgeCheckers: Judge = (one) => {
  if (one.words[0] && /^(run|exec|install|init|upgrade|lsp|plugin|add)$/.test(one.words[0].text))
    doubt(one.scope, one.whole, 'Does something that is not known.');
  return judgeTests(one);
};

export const lintersFamily: Family = {
  programs: {
    ...eachNamed('commit-check git-cliff conventional-changelog', {
      level: 'medium',
      reason: 'Reads the history and writes a text.',
      declared: true,
      operands: [],
      options: [flags('--unreleased -u -s --latest -l'), values('-p -r --tag'), takes('write', '-o --output -i')],
    }),
    ...eachNamed(
      `
      jscpd taplo typos lychee vale proselint write-good alex textlint buildifier dockle
      dotenv-linter editorconfig-checker ec gitlint checkmake terraform-docs sqlfmt djlint
      curlylint
    `,
      {
        level: 'low',
        declared: true,
        operands: { rest: 'search' },
        options: [
          flags(
            '--check --version --quiet -q --verbose -v --no-color --diff --lint --offline -h --help --stdin --staged --no-error --no-ignore --hidden --files --type-list --brief --no-exit --summary --no-progress -n --include-fragments --exclude-all-private --reformat-check --ignore-case --no-global',
          ),
          values(
            '--format -f --output --ext --glob --minAlertLevel --filter --max-lines --min-tokens --min-lines --max-concurrency --accept --exclude --include --timeout --extra-excludes --type --locale -t --threads --mode --why --ignore --contrib',
          ),
          takes('read', '--msg-filename --exclude-file'),
          takes('write', '--output-file --dump-config'),
          takes('search', '--config -c'),
          medium(flags('--reformat --fix --write-changes -w')),
        ],
        judge: judgeCheckers,
      },
    ),
    dprint: {
      level: 'high',
      declared: true,
      options: [flags('--version -V -h --help')],
      verbs: {
        ...eachNamed('check output-file-paths output-resolved-config license', {
          ...checksFiles([values('-L --log-level --excludes'), takes('search', '-c --config')]),
          judge: judgeTests,
        }),
        fmt: {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: { rest: 'write' },
          options: [
            flags('--diff --staged --incremental'),
            values('-L --log-level --excludes'),
            takes('search', '-c --config'),
          ],
          judge: judgeTests,
        },
      },
    },
    'ast-grep': {
      level: 'low',
      declared: true,
      options: [flags('--version')],
      verbs: {
        ...eachNamed('run scan', {
          level: 'low',
          operands: { rest: 'search' },
          options: [
            values(`
              -p --pattern -l --lang --color -A -B -C --report-style --filter --globs --selector
              --strictness -j --threads --heading --tracing --context --error --warning
            `),
            flags('--stdin -h --help'),
            optionalValues('--json'),
            takes('search', '-c --config'),
            medium(flags('-U --update-all -i'), values('-r --rewrite')),
            high(values('--no-ignore')),
          ],
        }),
        help: strictReadingManual,
      },
      bare: {
        level: 'low',
        operands: { rest: 'search' },
        options: [
          values('-p --pattern -l --lang'),
          optionalValues('--json'),
          medium(flags('-U --update-all'), values('-r --rewrite')),
        ],
      },
    },
    ...eachNamed(
      `
      busted bats shellspec phpbench kaocha nextflow-lint protolint verilator-lint
    `,
      {
        level: 'low',
        operands: { rest: 'search' },
        judge: judgeTests,
        others: 'high',
        options: [
          flags(`
          -l -r -v -b -q -t -T -c --count -p -x --trace --no-tempdir-cleanup --print-output-on-failure --tap --verbose
          --recursive --timing --pretty --version -h --help --abort --allow-empty --no-parallelize-across-files 
        `),
          values('-j --jobs -f --filter --filter-tags --filter-status'),
          takes('name', '--formatter -F'),
          takes('write', '-o --output'),
        ],
      },
    ),
    prove: {
      level: 'low',
      operands: { rest: 'search' },
      judge: judgeTests,
      others: 'high',
      options: [
        flags(`
          -l -b -r -v -q -Q -c -s -f -o -m -D -t -T -w -W --lib --blib --recurse --verbose --quiet --QUIET --color
          --nocolor --count --nocount --shuffle --reverse --failures --comments --directives --merge --dry --timer
          --trap --norc --parse --ignore-exit --taint-fail --warnings-fail --help --version -h -V
        `),
        values('-j --jobs --state --ext'),
        takes('search', '-I'),
        takes('name', '--formatter'),
        takes('write', '-a --archive --statefile'),
      ],
    },
    ...eachNamed('gitleaks detect-secrets trufflehog', {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('detect scan protect git dir filesystem', {
          level: 'low',
          operands: { rest: 'search' },
          others: 'high',
          options: [
            flags(`
              --no-git --staged -v --verbose --redact --no-banner --all-files --only-verified --json
            `),
            takes('search', '-s --source -c --config --config-path -b --baseline-path -i --gitleaks-ignore-path'),
            values(
              '-f --report-format --log-level -l --max-target-megabytes --exit-code --enable-rule --since --since-commit --branch --redact',
            ),
            takes('write', '-r --report --report-path'),
          ],
        }),
      },
    }),
    semgrep: {
      level: 'medium',
      reason: 'May ask the network for rules.',
      operands: { rest: 'search' },
      others: 'high',
      options: [
        flags('--json --sarif --quiet -q --error --verbose --version --test --validate'),
        values('--lang -l -e --pattern --metrics --exclude --include --severity'),
        takes('search', '--config -f'),
      ],
      verbs: {
        ...eachNamed('scan ci', {
          level: 'medium',
          reason: 'May ask the network for rules.',
          operands: { rest: 'search' },
          others: 'high',
          options: [
            flags('--json --sarif --quiet -q --error'),
            values('--metrics --exclude --include --severity'),
            takes('search', '--config'),
          ],
        }),
      },
      bare: { level: 'medium', reason: 'May ask the network for rules.', operands: { rest: 'search' } },
    },
    ...eachNamed('conftest opa regal', {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('test verify check lint version', {
          level: 'low',
          operands: { rest: 'search' },
          others: 'high',
          options: [
            flags(`
              -v --verbose --all-namespaces --coverage -b --bundle --fail-on-warn --strict -S
            `),
            values('-o --output --namespace -n'),
            takes('search', '-p --policy'),
          ],
        }),
      },
    }),
    ...eachNamed(
      'cfn-lint asyncapi',
      checksFiles([
        values('--template --region -i --ignore-checks -f --format'),
        flags('--info -e'),
        takes('read', '-t'),
      ]),
    ),
  },
};
