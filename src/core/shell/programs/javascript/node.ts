import { eachNamed, type Family } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { judgeInline } from '../shared/inline';
import { claimsOfInterpreter } from '../shared/interpreterClaims';
import { runsTasks, servesProject, strictReadingManual } from '../shared/kinds';
import { judgeFormats, judgeTests } from '../shared/projectCode';
import { readsWith } from '../shared/readsWith';
import { runsScript } from './packageManagers';

export const nodeFamily: Family = {
  programs: {
    ...eachNamed('gulp grunt', {
      ...runsTasks,
      declared: true,
      options: [...runsTasks.options!, flags('--tasks --tasks-simple -T --tasks-json --depth --help -h')],
    }),
    ...eachNamed('nodemon tsx-watch ts-node-dev', {
      level: 'medium',
      reason: 'Runs code of this project.',
      declared: true,
      operands: { first: ['script'], rest: 'text' },
      options: [
        values('-e --ext -i --ignore'),
        flags(
          '-q --quiet --version --inspect --inspect-brk --respawn --transpile-only -V --verbose -C --on-change-only -I --no-stdin -h --help -L --legacy-watch --clear',
        ),
        values('--delay --signal'),
        takes('search', '-w --watch'),
        high(values('-x --exec --config')),
      ],
    }),
    ...eachNamed('http-server serve live-server json-server', {
      ...servesProject,
      declared: true,
      options: [
        flags(`
          -s --single --no-clipboard --watch --cors -o --open --version -h --help --silent -g --gzip -b --brotli
          --no-dotfiles -n --no-compression --no-etag -L --no-request-logging -i -d --log-ip -U --utc --no-port-switching
          --debug --no-browser --no-css-inject --spa
        `),
        values('-a --host -p --port -c -l --listen -t --mimetypes -e --ext --ignore --wait --mount'),
        // Which files it serves also follows from links, or from a proxy.
        high(flags('-S --symlinks --ssl --tls'), values('-C --cert -K --key --ssl-cert --ssl-key -P --proxy --config')),
        high(values('--username --password --middleware --https')),
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
          --trace-warnings --pending-deprecation --throw-deprecation --trace-exit --trace-sync-io --no-lazy
          --preserve-symlinks --experimental-default-type --experimental-test-snapshots --experimental-test-module-mocks
          --interpreted-frames-native-stack --use-strict --no-experimental-strip-types
        `),
        values(`
          --conditions -C --stack-trace-limit --test-timeout --max-old-space-size
          --test-name-pattern --test-skip-pattern --test-shard --test-concurrency --input-type --unhandled-rejections
          --max-semi-space-size --stack-size --test-isolation --test-coverage-include --test-coverage-exclude
        `),
        takes('write', '--test-reporter-destination --cpu-prof-dir --heap-prof-dir --diagnostic-dir'),
        medium(flags('--test-update-snapshots --cpu-prof --heap-prof --prof')),
        takes('plugin', '--test-reporter'),
        takes('read', '--env-file --env-file-if-exists'),
        flags('--experimental-transform-types --test --test-only --watch --check'),
      ],
    },
    ...eachNamed('tsx ts-node', {
      level: 'medium',
      reason: 'Runs code of this project.',
      declared: true,
      operands: { first: ['script'], rest: 'text' },
      needsOperand: true,
      options: [
        flags(
          '--version -v -h --help --watch --transpile-only --transpileOnly -T --esm --skip-project --skipProject -s --files',
        ),
        flags(
          '--script-mode --scriptMode --no-warnings --no-cache --pretty --log-error --prefer-ts-exts --show-config',
        ),
        takes('search', '-P --project --tsconfig'),
        takes('module', '-r --require --import --loader'),
      ],
      judge: judgeInline,
      startsPrograms: true,
    }),
    deno: {
      level: 'high',
      options: [flags('--version -V --help')],
      verbs: {
        ...eachNamed('check lint info bench', {
          level: 'low',
          operands: { rest: 'search' },
          options: [
            flags(
              '--quiet -q --all --json --no-run --rules --compact --no-lock --frozen --check --watch --doc --doc-only -h --help',
            ),
            values('--filter --rules-tags --rules-include --rules-exclude --ignore --ext'),
            takes('search', '-c --config'),
            medium(flags('--fix')),
          ],
        }),
        fmt: {
          level: 'medium',
          reason: 'Changes files.',
          operands: { rest: 'write' },
          judge: judgeFormats,
          options: [
            flags('--check --quiet -q --watch --use-tabs --single-quote --no-semicolons --permit-no-files -h --help'),
            values('--line-width --indent-width --prose-wrap --ext --ignore'),
            takes('search', '-c --config'),
          ],
        },
        test: {
          level: 'low',
          judge: judgeTests,
          operands: { rest: 'search' },
          options: [
            flags(
              '--parallel --quiet -q -A --allow-all --no-check --watch --doc --no-run --trace-leaks --clean --no-lock --frozen',
            ),
            flags('--permit-no-files -R -W -N -E -S --allow-sys --no-prompt --cached-only -h --help'),
            values('--filter --shuffle --ignore --reporter'),
            takes('write', '--junit-path'),
            takes('search', '-c --config --import-map'),
            optionalValues('--allow-read --allow-env --allow-net --allow-write --fail-fast --coverage'),
          ],
        },
        run: {
          level: 'medium',
          reason: 'Runs code of this project.',
          operands: { first: ['script'], rest: 'text' },
          options: [
            flags('--check --no-check --quiet -q --watch --unstable --frozen --cached-only -R -E -S --allow-sys'),
            optionalValues('--allow-read --allow-env'),
          ],
        },
        task: runsScript,
        publish: {
          level: 'high',
          reason: 'Publishes the package.',
          judge: readsWith('--dry-run', {
            ...strictReadingManual,
            options: [flags('--dry-run --allow-dirty --allow-slow-types -q --quiet --no-check')],
          }),
        },
      },
    },
  },
  claims: {
    ...eachNamed('node deno tsx ts-node', claimsOfInterpreter),
  },
};
