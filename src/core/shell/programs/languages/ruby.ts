import { each, type Family } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
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
import { judgeTests } from '../shared/projectCode';
import { judgeBundled } from '../shell/wrapping';

export const rubyFamily: Family = {
  programs: {
    erb: { ...runsProjectStrictly, options: [flags('-x -v --version'), values('-T'), high(flags('-r -S'))] },
    ...each(
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
        check: strictReadingManual,
        start: {
          level: 'medium',
          reason: 'Runs code of this project.',
          operands: ['text'],
          options: [values('-p -m'), takes('search', '-f')],
        },
      },
    },
    bundle: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...each('check list show outdated info licenses platform', {
          ...readingManual,
          options: [
            flags(`
            --paths --groups --strict --patch --minor --major --parseable --only-explicit
            --filter-strict
          `),
          ],
        }),
        install: { ...installsDeclared, options: [flags('--quiet --local --deployment'), values('--jobs --retry')] },
        exec: { level: 'low', judge: judgeBundled },
      },
    },
    ...each('rspec cucumber minitest', {
      judge: judgeTests,
      ...checksOrBuilds([
        values('-f --format -e -t -P --example --tag'),
        flags('-fd --dry-run --fail-fast --color --no-color --only-failures'),
        values('--order --seed'),
        optionalValues('--profile'),
        high(values('-I -r')),
      ]),
    }),
    ...each('rake rails bin/rails', {
      level: 'high',
      judge: judgeTasks,
      options: [flags('-T -P -n --tasks --version -A --dry-run -s -q')],
    }),
    gem: {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        ...each('list info which environment env outdated', {
          ...readingManual,
          options: [
            flags('--local -l --installed --versions --no-versions -d --details -a --all'),
            medium(flags('--remote')),
          ],
        }),
      },
    },
    ...each('ruby perl lua luajit Rscript elixir', {
      ...runsProject,
      judge: judgeInline,
      startsPrograms: true,
      operands: { first: ['script'], rest: 'text' },
      needsOperand: true,
      options: [flags('-v --version -w -W -wc -c -cw --help -V'), takes('search', '-I'), high(flags('-l'))],
    }),
  },
  claims: {
    ...each('perl ruby lua', claimsOfInterpreter),
    ...each('gem bundle', claimsOfInstaller('gem')),
  },
};
