import { sequence } from '../../../text/alternatives';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, medium, type Options, takes, values } from '../../calls/options';
import { refuse } from '../../effects/scope';
import { changesFiles, installsDeclared, runsProjectStrictly, strictReadingManual } from '../shared/kinds';
import { judgeFormats, judgeTests } from '../shared/projectCode';

/** Programs that build a project and manage its packages, for several languages. */

const managesPackages = { level: 'high', reason: 'Installs packages, publishes or changes data.' } as const;

/** A flake of the workspace: `.`, `.#app`, `./tools#lint`, `.?dir=nix`. */
const ownFlake = sequence([/^(?!.*\.\.)(?:\.(?:\/[\w./-]*)?)?(?:\?dir=[\w/-]+)?(?:#[\w.^*,-]*)?$/]);

const judgeFlakes: Judge = ({ words, scope }) => {
  for (const { kind, text, source } of words)
    if (kind !== 'literal' || (!text.startsWith('-') && !ownFlake.test(text)))
      refuse(scope, source, 'Uses code that the project does not declare.');
  return undefined;
};
const ofNix: Options = [
  flags(
    '--json --no-link --dry-run -L --print-build-logs --offline --refresh -v --verbose --quiet --raw --no-update-lock-file',
  ),
  flags('--keep-going -k --keep-failed -K --print-out-paths --rebuild --all-systems --no-build --show-trace --legacy'),
  takes('write', '-o --out-link'),
  high(
    flags('--impure --accept-flake-config'),
    values('-f --file --expr --apply --option --override-input --store --builders --extra-experimental-features'),
  ),
];
const nixReads: Manual = { level: 'low', operands: { rest: 'any' }, options: ofNix, judge: judgeFlakes };
const nixBuilds: Manual = {
  ...nixReads,
  level: 'medium',
  reason: 'Builds the project.',
};

const ofConan: Options = [
  values('-f --format -s --settings -o --options -c --conf --build --version --name --user --channel -v'),
  takes('search', '--lockfile'),
  high(values('-pr --profile -pr:b -pr:h --profile:build --profile:host -r --remote --out-file')),
];

export const projectToolsFamily: Family = {
  programs: {
    nix: {
      level: 'high',
      reason: 'Builds or runs code that the project may not declare.',
      options: [flags('--version')],
      verbs: {
        flake: {
          level: 'high',
          reason: 'Changes which code the project builds on.',
          verbs: {
            ...eachNamed('show metadata info', nixReads),
            check: nixReads,
            lock: nixBuilds,
          },
        },
        eval: nixReads,
        build: nixBuilds,
        fmt: { ...changesFiles, reason: 'Formats files with the formatter of the project.' },
        'path-info': { ...nixReads, options: [...ofNix, flags('-s -S -h -r --size --closure-size --recursive')] },
      },
    },
    xmake: {
      level: 'high',
      reason: 'Installs packages, or runs code.',
      options: [flags('--version'), flags('-v -y -q -w -r')],
      bare: { level: 'low', operands: [], options: [flags('-v -r -w -q'), values('-j')], judge: judgeTests },
      verbs: {
        ...eachNamed('build test show check', {
          level: 'low',
          operands: { rest: 'text' },
          judge: judgeTests,
          options: [flags('-a --all -r --rebuild -v --verbose -w -l'), values('-j --jobs -g --group')],
        }),
        ...eachNamed('clean c', { ...runsProjectStrictly, reason: 'Deletes build output.' }),
        ...eachNamed('run r', { ...runsProjectStrictly, options: [flags('-d'), values('-g')] }),
        ...eachNamed('config f', {
          ...runsProjectStrictly,
          reason: 'Configures the build.',
          options: [flags('-c -y -v'), values('-m --mode -p --plat -a --arch -k --kind'), takes('write', '-o')],
        }),
      },
    },
    forge: {
      level: 'high',
      reason: 'Sends transactions, or installs code.',
      options: [flags('--version -V')],
      verbs: {
        ...eachNamed('build b compile test t coverage lint', {
          level: 'low',
          operands: { rest: 'search' },
          judge: judgeTests,
          options: [
            flags(
              '-v -vv -vvv -vvvv -vvvvv --force --sizes --gas-report --json --list -l --summary --watch -w --offline',
            ),
            values(`
              --match-test --mt --no-match-test --match-contract --mc --no-match-contract --match-path --mp --no-match-path
              --report --skip --optimizer-runs --fuzz-runs --fuzz-seed --use --evm-version
            `),
            takes('write', '-o --out --report-file'),
            takes('search', '--root'),
            high(flags('--ffi --debug'), values('-f --fork-url --rpc-url --etherscan-api-key')),
          ],
        }),
        fmt: { ...changesFiles, judge: judgeFormats, options: [flags('--check --raw')] },
        ...eachNamed('snapshot clean', { ...runsProjectStrictly, options: [flags('--check --diff -v -vv -vvv')] }),
        ...eachNamed('inspect tree remappings config', { ...strictReadingManual, options: [flags('--json --pretty')] }),
      },
    },
    conan: {
      ...managesPackages,
      options: [flags('--version -v')],
      verbs: {
        ...eachNamed('list search inspect version', {
          level: 'medium',
          reason: 'Asks Conan for information.',
          operands: { rest: 'text' },
          options: [...ofConan, values('-p --package-query'), takes('search', '--graph')],
        }),
        profile: { ...managesPackages, verbs: { ...eachNamed('list show path', strictReadingManual) } },
        graph: {
          ...managesPackages,
          verbs: {
            ...eachNamed('info explain build-order', {
              level: 'medium',
              reason: 'Runs code of this project.',
              operands: ['search'],
              options: ofConan,
            }),
          },
        },
        ...eachNamed('install build', {
          level: 'medium',
          reason: 'Installs dependencies that the project already declares.',
          operands: ['search'],
          judge: judgeTests,
          options: [...ofConan, takes('write', '-of --output-folder -if --install-folder'), values('-g --generator')],
        }),
      },
    },
    vcpkg: {
      ...managesPackages,
      options: [flags('--version')],
      verbs: {
        ...eachNamed('list search version depend-info owns help update', {
          ...strictReadingManual,
          level: 'medium',
          reason: 'Asks vcpkg for information.',
          options: [flags('--x-json --x-full-desc'), values('--triplet --format')],
        }),
        install: {
          ...installsDeclared,
          options: [
            flags('--dry-run --clean-after-build --no-print-usage --x-no-default-features'),
            values('--triplet --host-triplet --x-feature'),
            takes('write', '--x-install-root'),
          ],
        },
        'format-manifest': { ...changesFiles, options: [flags('--all')] },
      },
    },
    'clj-kondo': {
      level: 'low',
      operands: { rest: 'search' },
      options: [
        flags('--parallel --dependencies --skip-lint --version --help'),
        values('--fail-level --lang --filename --report-level'),
        takes('search', '--lint'),
        medium(flags('--copy-configs')),
        high(values('--config --config-dir --cache-dir')),
      ],
      judge: judgeTests,
    },
  },
};
