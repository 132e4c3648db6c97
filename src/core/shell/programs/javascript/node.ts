import { each, type Family } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { judgeInline } from '../shared/inline';
import { claimsOfInterpreter } from '../shared/interpreterClaims';
import { runsTasks, servesProject } from '../shared/kinds';
import { judgeFormats, judgeTests } from '../shared/projectCode';
import { runsScript } from './packageManagers';

export const nodeFamily: Family = {
  programs: {
    ...each('gulp grunt', { ...runsTasks, declared: true }),
    ...each('nodemon tsx-watch ts-node-dev', {
      level: 'medium',
      reason: 'Runs code of this project.',
      declared: true,
      operands: { first: ['script'], rest: 'text' },
      options: [
        values('-e --ext -i --ignore'),
        flags('-q --quiet --version --inspect --respawn --transpile-only'),
        takes('search', '-w --watch'),
        high(values('-x --exec --config')),
      ],
    }),
    ...each('http-server serve live-server json-server', {
      ...servesProject,
      declared: true,
      options: [
        flags('-s --single --no-clipboard --watch --cors -o --open --version'),
        values('-a --host -p --port -c -l --listen'),
      ],
    }),
    node: {
      level: 'medium',
      reason: 'Runs code of this project.',
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
          --conditions -C --stack-trace-limit --test-timeout --max-old-space-size
          --test-name-pattern --test-concurrency
        `),
        takes('plugin', '--test-reporter'),
        takes('read', '--env-file --env-file-if-exists'),
        flags('--experimental-transform-types --test --test-only --watch --check'),
      ],
    },
    ...each('tsx ts-node', {
      level: 'medium',
      reason: 'Runs code of this project.',
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
          reason: 'Changes files.',
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
          reason: 'Runs code of this project.',
          operands: { first: ['script'], rest: 'text' },
          options: [flags('--check --no-check --quiet -q --watch --unstable --frozen --cached-only')],
        },
        task: runsScript,
      },
    },
  },
  claims: {
    ...each('node deno tsx ts-node', claimsOfInterpreter),
  },
};
