import { eachNamed, type Family } from '../../calls/manual';
import { flags, high, medium, optionalValues, saying, takes, values } from '../../calls/options';
import { judgeTasks } from '../shared/buildTasks';
import { judgeInline } from '../shared/inline';
import { claimsOfInterpreter } from '../shared/interpreterClaims';
import {
  checksOrBuilds,
  installsDeclared,
  installsOrPublishes,
  readingManual,
  strictReadingManual,
  runsProject,
  runsProjectStrictly,
  servesProject,
} from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeRunsProject, judgeTests } from '../shared/projectCode';
import { judgeBundled } from '../shell/wrapping';

export const rubyFamily: Family = {
  programs: {
    erb: { ...runsProjectStrictly, options: [flags('-x -v --version'), values('-T'), high(flags('-r -S'))] },
    ...eachNamed(
      `
      erlc brakeman reek steep sorbet srb haml-lint slim-lint bundle-audit bundler-audit
    `,
      {
        level: 'low',
        operands: { rest: 'search' },
        options: [flags('-q -z --no-pager --no-exit-on-warn --version'), values('--format -f'), takes('write', '-o')],
        judge: judgeTests,
      },
    ),
    puma: { ...servesProject, options: [values('-p --port -e -t -w'), takes('search', '-C')] },
    foreman: {
      level: 'medium',
      reason: 'Runs code of this project.',
      verbs: {
        check: { ...strictReadingManual, options: [takes('search', '-f --procfile')] },
        start: {
          level: 'medium',
          reason: 'Runs code of this project.',
          operands: ['text'],
          options: [
            values('-p --port -m --formation -t --timeout'),
            takes('search', '-f --procfile'),
            takes('read', '-e --env'),
            flags('-c --color'),
          ],
          judge: judgeRunsProject,
        },
      },
    },
    bundle: {
      level: 'high',
      options: [flags('--version')],
      // Alone, it is `bundle install`. Other words are verbs.
      bare: { ...installsDeclared, operands: [], options: [] },
      verbs: {
        ...eachNamed('check list show outdated info licenses platform', {
          ...readingManual,
          options: [
            flags(`
            --paths --groups --strict --patch --minor --major --parseable --only-explicit
            --filter-strict --name-only --only-group --porcelain --parseable --paths --dry-run -h --help
          `),
            values('--group --gemfile'),
          ],
        }),
        install: {
          ...installsDeclared,
          options: [
            flags(
              '--quiet --local --deployment --frozen --prefer-local --no-cache --no-prune --full-index --redownload --verbose -h --help',
            ),
            values('--jobs -j --retry --without --with --standalone'),
            takes('write', '--path'),
            takes('search', '--gemfile'),
            high(flags('--system'), values('--trust-policy --shebang --binstubs')),
          ],
        },
        exec: { level: 'low', judge: judgeBundled },
      },
    },
    ...eachNamed('rspec cucumber minitest', {
      judge: judgeTests,
      ...checksOrBuilds([
        values(
          '-f --format -e -t -P --example --tag --tags --pattern --exclude-pattern -E --example-matches --failure-exit-code -n --name',
        ),
        takes('write', '-o --out'),
        saying('Writes settings.', high(flags('--init'))),
        flags(
          '-fd -fp --dry-run --fail-fast --no-fail-fast --color --no-color --force-color --only-failures --next-failure --no-profile -b --backtrace -w --warnings --strict --bisect --publish-quiet',
        ),
        values('--order --seed'),
        optionalValues('--profile'),
        high(values('-I -r')),
      ]),
    }),
    ...eachNamed('rake rails bin/rails', {
      level: 'high',
      judge: judgeTasks,
      options: [
        flags(
          '-T -P -n --tasks --version -v -V -A --all --dry-run -s --silent -q --quiet -t --trace -W --where -D -h --help',
        ),
      ],
    }),
    gem: {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        search: {
          ...strictReadingManual,
          level: 'medium',
          reason: 'Queries the registry.',
          options: [flags('-r --remote -l --local -e --exact -a --all -d --details --versions -q')],
        },
        ...eachNamed('list info which environment env outdated contents dependency specification', {
          ...readingManual,
          options: [
            flags(
              '--local -l --installed -i --versions --no-versions -d --details -a --all --prerelease --no-verbose -q --quiet -h --help',
            ),
            values('-v --version'),
            medium(flags('--remote')),
          ],
        }),
      },
    },
    ...eachNamed('ruby perl lua luajit Rscript elixir', {
      ...runsProject,
      judge: judgeInline,
      startsPrograms: true,
      operands: { first: ['script'], rest: 'text' },
      needsOperand: true,
      options: [flags('-v --version -w -W -wc -c -cw --help -V'), takes('search', '-I'), high(flags('-l'))],
    }),
  },
  claims: {
    ...eachNamed('perl ruby lua', claimsOfInterpreter),
    ...eachNamed('gem bundle', claimsOfInstaller('gem')),
  },
};
