import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  medium,
  optionalValues,
  type Options,
  optionTable,
  readArguments,
  takes,
  values,
} from '../../calls/options';
import { doubt, note } from '../../effects/scope';
import { judgeDeviceShell } from '../shared/elsewhere';
import { judgeProjectInstall } from '../shared/installing';
import {
  changesFiles,
  checksOrBuilds,
  installsDeclared,
  installsOrPublishes,
  readingManual,
  runsProject,
  runsTasks,
  strictReadingManual,
} from '../shared/kinds';
import { judgeFormats, judgeRunsProject, judgeTests } from '../shared/projectCode';
import { judgeWrapper } from '../shell/wrapping';
import { changesDevice, deviceReadingManual } from './embedded';
import { readsWith } from '../shared/readsWith';
import { judgeByManual } from '../../calls/judgeByManual';

const judgeXcode: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'words');
  for (const { option, name, culprit } of options)
    if (!option) doubt(scope, culprit, `Uses the unknown option ${name.slice(0, 60)} of "xcodebuild".`);
  for (const { text, source } of operands)
    if (!/^(build|test|clean|analyze|build-for-testing|test-without-building|CODE_SIGN\w*=\w*)$/.test(text))
      doubt(scope, source, 'Runs an unknown task.');
  judgeTests(one);
  note(
    scope,
    operands.some(({ text }) => text === 'clean') ? 'medium' : 'low',
    whole,
    'Changes files of the workspace.',
  );
  return 'done';
};

const installs: Manual = {
  level: 'medium',
  reason: 'Installs dependencies that the project already declares.',
  operands: [],
  judge: judgeProjectInstall,
};

const ofSwiftFormat: Options = [
  flags('-r --recursive -p --parallel -s --strict --version -h --help --color-diagnostics --no-color-diagnostics'),
  takes('search', '--configuration'),
];

/** Without `-i`, it prints the result. */
const judgeSwiftFormat: Judge = (call) => {
  const words = call.words.filter(({ text }, at) => !(at === 0 && /^(?:format|lint|dump-configuration)$/.test(text)));
  const changes = words.some(({ text }) => /^(?:-i|--in-place)$/.test(text));
  judgeByManual({
    ...call,
    words,
    manual: changes
      ? { ...changesFiles, options: [...ofSwiftFormat, flags('-i --in-place')] }
      : { ...readingManual, operands: { rest: 'search' }, options: ofSwiftFormat, others: 'high' },
  });
  return 'done';
};

export const mobileFamily: Family = {
  programs: {
    xcodebuild: {
      level: 'high',
      style: 'words',
      judge: judgeXcode,
      options: [
        flags('-quiet -version -list -showsdks -showBuildSettings -json'),
        values(`
          -scheme -destination -configuration -sdk -enableCodeCoverage -parallel-testing-enabled
          
        `),
        optionalValues('-only-testing: -skip-testing:'),
        takes('search', '-project -workspace'),
        takes('write', '-derivedDataPath -resultBundlePath'),
      ],
    },
    ...eachNamed('xcode-select pod', {
      ...installsOrPublishes,
      options: [flags('--version -p --print-path')],
      verbs: {
        install: { ...installs, options: [flags('--verbose --silent --no-repo-update --repo-update --deployment')] },
        ...eachNamed('list env outdated', strictReadingManual),
      },
    }),
    carthage: installsOrPublishes,
    adb: {
      level: 'high',
      reason: 'Controls a device.',
      options: [flags('--version -d -e'), values('-s')],
      verbs: {
        ...eachNamed('devices version get-state get-serialno help', deviceReadingManual([flags('-l')])),
        logcat: deviceReadingManual([
          flags('-d -s'),
          values('-v -b -t -T --pid -e'),
          high(flags('-c'), values('-G -f')),
        ]),
        shell: { level: 'high', reason: 'Controls a device.', judge: judgeDeviceShell },
      },
    },
    emulator: { level: 'high', reason: 'Starts a device.', options: [flags('-list-avds -version -help -accel-check')] },
    avdmanager: { level: 'high', reason: changesDevice, verbs: { list: deviceReadingManual([flags('-c')]) } },
    sdkmanager: { level: 'high', reason: changesDevice, options: [flags('--list --list_installed --version')] },
    aapt2: { level: 'high', verbs: { ...eachNamed('dump version', deviceReadingManual()) } },
    ...eachNamed('apkanalyzer bundletool', {
      level: 'high',
      verbs: {
        ...eachNamed(
          'apk manifest dex files version validate dump',
          deviceReadingManual([
            takes('read', '--bundle --apk'),
            values('--xpath --module --resource'),
            flags('--values'),
          ]),
        ),
      },
    }),
    xcrun: {
      level: 'high',
      reason: 'Installs packages, publishes or changes data.',
      options: [flags('--version --show-sdk-path --show-sdk-version'), values('--find -f --sdk')],
      bare: { level: 'low', operands: [] },
      verbs: {
        simctl: {
          level: 'high',
          reason: changesDevice,
          verbs: {
            list: deviceReadingManual([flags('-j --json -v')]),
            ...eachNamed('getenv get_app_container', { level: 'high', reason: changesDevice }),
          },
        },
        ...eachNamed('xcodebuild swift swiftc', {
          level: 'high',
          reason: 'Builds the project.',
          judge: judgeWrapper,
          startsPrograms: true,
        }),
        ...eachNamed('xctrace devicectl', { level: 'high', verbs: { list: deviceReadingManual() } }),
        ...eachNamed('xccov xcresulttool', {
          level: 'high',
          verbs: {
            ...eachNamed(
              'view get',
              deviceReadingManual([
                flags('--report --json --only-targets --legacy'),
                values('--files-for-target --format'),
                takes('read', '--path'),
              ]),
            ),
          },
        }),
      },
    },
    ...eachNamed('xcbeautify xcpretty xcpretty-json', {
      level: 'low',
      operands: [],
      options: [
        flags(`
          -q --quiet --quieter --is-ci --simple --color --no-color --test --disable-colored-output -s
          -t -c --version
        `),
      ],
    }),
    plutil: {
      level: 'high',
      options: [flags('-help')],
      style: 'words',
      judge: readsWith('-p -lint', {
        level: 'low',
        operands: { rest: 'read' },
        style: 'words',
        others: 'high',
        options: [flags('-p -lint -s')],
      }),
    },
    ...eachNamed('codesign spctl', {
      level: 'high',
      reason: 'Signs or checks programs.',
      style: 'words',
      options: [values('--entitlements'), medium(flags('-d -v -vv -dv -dvv --verify --display'))],
      judge: readsWith('-d -dv -dvv -dvvv --display --verify', {
        level: 'low',
        operands: { rest: 'read' },
        style: 'words',
        others: 'high',
        options: [flags('-d -dv -dvv -dvvv -v -vv -vvv --display --verify --deep --strict'), values('--verbose')],
      }),
    }),
    swift: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('build test', {
          ...checksOrBuilds([
            flags('--parallel --enable-code-coverage'),
            values('-c --filter --configuration --product --target --skip -j --arch --triple --sanitize'),
          ]),
          judge: judgeTests,
        }),
        run: {
          ...runsProject,
          operands: { rest: 'text' },
          options: [flags('--skip-build --quiet -q -v --verbose'), values('-c --configuration --product --target -j')],
        },
        package: {
          level: 'high',
          verbs: {
            ...eachNamed('describe show-dependencies dump-package tools-version', {
              ...readingManual,
              judge: judgeRunsProject,
              options: [values('--type --format')],
            }),
            resolve: installsDeclared,
          },
        },
      },
    },
    flutter: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('analyze test doctor devices', {
          ...checksOrBuilds(
            [
              flags(
                '--coverage --no-pub --pub --machine -v --verbose --fatal-infos --no-fatal-infos --fatal-warnings --no-fatal-warnings --branch-coverage --merge-coverage --run-skipped --congratulate --no-congratulate --current-package -h --help',
              ),
              values(
                '-d --name --plain-name -t --tags -x --exclude-tags -j --concurrency --reporter -r --flavor --timeout --device-timeout --device-id',
              ),
              takes('write', '--coverage-path --write'),
              medium(flags('--update-goldens')),
            ],
            {
              rest: 'search',
            },
          ),
          judge: judgeTests,
        }),
        build: {
          ...runsProject,
          options: [
            flags(`
              --debug --release --profile --no-codesign --split-per-abi --no-pub --analyze-size
              --obfuscate --simulator --no-tree-shake-icons -v
            `),
            values(`
              --flavor --target --dart-define --build-number --build-name --target-platform --web-renderer
            `),
            takes('search', '-t'),
            takes('write', '--split-debug-info'),
          ],
        },
        clean: changesFiles,
        'gen-l10n': changesFiles,
        run: { ...runsProject, options: [flags('--debug --release --profile'), values('-d')] },
        pub: {
          level: 'high',
          reason: 'Installs packages or publishes.',
          verbs: {
            ...eachNamed('get upgrade downgrade', {
              ...installsDeclared,
              options: [
                flags(
                  '--offline --dry-run -n --no-example --enforce-lockfile --precompile --no-precompile --null-safety --major-versions --tighten --unlock-transitive -h --help',
                ),
              ],
            }),
            ...eachNamed('deps outdated', {
              ...readingManual,
              options: [
                flags(
                  '--json --no-dev --executables --transitive --dependency-overrides --show-all --no-color --prereleases --up-to-date',
                ),
                values('-s --style --mode'),
              ],
            }),
          },
        },
      },
    },
    melos: {
      level: 'high',
      reason: 'Runs commands in packages, or publishes them.',
      options: [flags('--version')],
      verbs: {
        run: { ...runsTasks, options: [flags('--no-select')] },
        list: { ...readingManual, options: [flags('-l --long -r --relative -p --parsable --json --graph')] },
        ...eachNamed('bootstrap bs', {
          ...installsDeclared,
          options: [flags('--offline --enforce-lockfile --no-example')],
        }),
        analyze: { level: 'low', operands: [], judge: judgeTests, options: [flags('--fatal-infos --fatal-warnings')] },
      },
    },
    'swift-format': {
      level: 'low',
      options: [flags('--version')],
      operands: { rest: 'search' },
      judge: judgeSwiftFormat,
    },
    dart: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed(
          'analyze test',
          checksOrBuilds([
            flags(
              '--fatal-infos --fatal-warnings --no-fatal-warnings --no-chain-stack-traces --chain-stack-traces --run-skipped --fail-fast --debug -c',
            ),
            values(
              '-n --name -N --plain-name -r --reporter -t --tags -x --exclude-tags -p --platform -j --concurrency --timeout --format --test-randomize-ordering-seed --total-shards --shard-index',
            ),
            takes('write', '--coverage --file-reporter'),
          ]),
        ),
        format: {
          ...changesFiles,
          judge: judgeFormats,
          options: [flags('--set-exit-if-changed'), values('-l'), takes('name', '-o --output')],
        },
        run: { ...runsProject, operands: { rest: 'text' }, judge: judgeTests },
        compile: runsProject,
        fix: { ...changesFiles, options: [flags('--dry-run --apply')] },
        pub: {
          level: 'high',
          reason: 'Installs packages or publishes.',
          verbs: {
            ...eachNamed('get upgrade downgrade', {
              ...installsDeclared,
              options: [
                flags(
                  '--offline --dry-run -n --no-example --enforce-lockfile --precompile --no-precompile --null-safety --major-versions --tighten --unlock-transitive -h --help',
                ),
              ],
            }),
            ...eachNamed('deps outdated', {
              ...readingManual,
              options: [
                flags(
                  '--json --no-dev --executables --transitive --dependency-overrides --show-all --no-color --prereleases --up-to-date',
                ),
                values('-s --style --mode'),
              ],
            }),
          },
        },
      },
    },
  },
};
