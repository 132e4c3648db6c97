import { anyOf, sequence } from '../../../text/alternatives';
import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  medium,
  optionalValues,
  optionTable,
  readArguments,
  saying,
  takes,
  values,
} from '../../calls/options';
import { doubt, note, touch } from '../../effects/scope';
import { literal, type Value } from '../../syntax/value';
import { judgeTasks, readOnlyTask } from '../shared/buildTasks';
import { changesFiles, readingManual, fileReadingManual, runsProject, runsProjectStrictly } from '../shared/kinds';
import { judgeFormats, judgeRunsProject, runProjectCode } from '../shared/projectCode';
import { readsWith } from '../shared/readsWith';
import { judgeMake } from '../shared/scripts';

/** `-D NAME=VALUE` is the same as `-DNAME=VALUE`. */
const judgeConfigures: Judge = ({ manual, ...call }) => {
  const words = call.words.flatMap((word, at) => {
    if (word.text === '-D') return [];
    return call.words[at - 1]?.text === '-D'
      ? [{ ...word, text: `-D${word.text}`, source: `-D${word.source}` }]
      : [word];
  });
  if (words.length === call.words.length) return undefined;
  const { judge, ...table } = manual;
  judgeByManual({ ...call, words, manual: table });
  return 'done';
};

/** Allows building what is already configured, except for install targets. */
const judgeCmake: Judge = (one) => {
  const { words: allWords, scope, whole, manual } = one;
  runProjectCode(scope, whole);
  if (allWords[0]?.text !== '--build') return judgeConfigures(one);
  // A preset replaces the build folder.
  const words = allWords[1]?.text.startsWith('--preset') ? allWords.slice(1) : allWords;
  const split = words.findIndex(({ text }) => text === '--');
  const forTool = split < 0 ? [] : words.slice(split + 1);
  const { options, operands } = readArguments(
    split < 0 ? words : words.slice(0, split),
    optionTable([...(manual.options ?? []), optionalValues('-j')]),
    'words',
  );
  const target = ({ kind, text, source }: Value): void => {
    if (kind !== 'literal' || (!readOnlyTask.test(text) && !/^(clean|docs?)$/.test(text)))
      doubt(scope, source, 'Builds an unknown target.');
  };
  for (const { option, name, value, culprit } of options) {
    if (!option) doubt(scope, culprit, `Uses the unknown option ${name.slice(0, 60)} of "cmake".`);
    else if (/^(-t|--target)$/.test(option.name)) target(value ?? literal('', culprit));
    else if (/^-D/.test(name)) doubt(scope, culprit, 'Sets a build variable whose effect is unknown.');
    else if (value && option.role !== 'text') touch(scope, 'searches', value);
  }
  // `--target a b`. Words after `--` are for make or ninja.
  for (const word of operands) if (!/^\d+$/.test(word.text)) target(word);
  forTool.forEach((word, at) => {
    if (/^(-[jl]|--jobs)$/.test(forTool[at - 1]?.text ?? '') && /^\d+$/.test(word.text)) return;
    if (
      word.kind !== 'literal' ||
      !/^(-j\d*|-l\d*|--jobs(=\d+)?|-[ksvn]+|-k\d|V=1|VERBOSE=1|--(keep-going|silent|quiet|no-print-directory|verbose))$/.test(
        word.text,
      )
    )
      target(word);
  });
  note(
    scope,
    [...operands, ...forTool].some(({ text }) => text === 'clean') ||
      options.some(({ name, value }) => name === '--clean-first' || value?.text === 'clean')
      ? 'medium'
      : 'low',
    whole,
    'Builds the project.',
  );
  return 'done';
};

/**
 * Warnings, defines, optimization, libraries and output options. Excludes options that load a plugin or are passed to
 * the linker.
 */
const compilerOption = sequence([
  /^-/,
  anyOf([
    /W(?!l|a|p)[\w=+-]*/,
    /f(?!plugin)[\w-]+(?:=[\w,]+)?/,
    /m[\w.=+-]+/,
    /[DU]\w+(?:=[\w.+-]*)?/,
    /std=[\w+]+/,
    /d[MDIN]/,
    /x ?(?:c|c\+\+|assembler)/,
    /l\w[\w+-]*/,
    /O\w*/,
    /g\w*/,
    /[IL](?!\/|.*\.\.)[\w./+-]+/,
    /[IL]\/usr\/(?:local\/)?(?:include|lib)[\w./+-]*/,
    /Wl,--(?:gc-sections|as-needed|no-as-needed|no-undefined|export-dynamic|start-group|end-group)/,
    /Wl,(?:--no-)?whole-archive/,
    /Wl,-z,(?:relro|now|noexecstack)/,
    /Wl,-rpath,[\w./$-]+/,
    /emit-(?:llvm|ast)/,
    /print-[\w-]+(?:=[\w.]+)?/,
    'save-temps nostdlib nodefaultlibs ffreestanding static-libgcc static-libstdc++ rdynamic pie no-pie pipe ansi',
    'p pg nostdinc nostartfiles no-canonical-prefixes Qunused-arguments ObjC',
  ]),
  /$/,
]);

/** `ninja -t targets` and others that only look into the build files. `-t clean` deletes. */
const ninjaTool: Manual = {
  level: 'low',
  operands: { rest: 'text' },
  others: 'high',
  judge: ({ words, scope, whole, manual }) => {
    const { options } = readArguments(words, optionTable(manual.options!), 'letters');
    const tool = options.find(({ name }) => name === '-t')?.value?.text ?? '';
    if (/^(?:clean|cleandead|recompact|restat)$/.test(tool)) note(scope, 'medium', whole, 'Deletes build output.');
    else if (!/^(?:list|commands|inputs|deps|missingdeps|graph|query|targets|compdb|rules)$/.test(tool))
      doubt(scope, whole, 'Does something that is not known.');
    return undefined;
  },
  options: [values('-t'), takes('search', '-C -f'), flags('-n -v -g -r')],
};

export const nativeFamily: Family = {
  programs: {
    buck2: {
      level: 'high',
      verbs: { ...eachNamed('build test query', { level: 'low', operands: { rest: 'text' }, options: [] }) },
    },
    pants: {
      level: 'high',
      verbs: {
        ...eachNamed('test lint check list dependencies', { level: 'low', operands: { rest: 'text' }, options: [] }),
        ...eachNamed('fmt fix package', runsProjectStrictly),
      },
    },
    'clang-format': {
      ...changesFiles,
      style: 'words',
      judge: judgeFormats,
      options: [
        values(`
          -style --style --fallback-style -assume-filename --assume-filename --ferror-limit -lines
          --lines
        `),
        flags(`
          -i -n --dry-run -Werror --Werror --sort-includes --verbose --version
          -output-replacements-xml --dump-config -dump-config -h --help --verbose -verbose --Wno-error=unknown
        `),
        takes('read', '--files --assume-file'),
      ],
    },
    zig: {
      level: 'high',
      verbs: {
        fmt: { ...changesFiles, judge: judgeFormats, options: [flags('--check')] },
        ...eachNamed('version env', readingManual),
        build: {
          level: 'low',
          operands: { rest: 'text' },
          options: [
            flags('--verbose -l --list-steps --watch'),
            values('--summary --color -j'),
            optionalValues('--release'),
          ],
          judge: judgeTasks,
        },
      },
    },
    ...eachNamed('gcc g++ clang clang++ cc c++', {
      level: 'medium',
      reason: 'Compiles code.',
      operands: { rest: 'read' },
      style: 'words',
      others: 'high',
      mild: compilerOption,
      options: [
        flags(`
          -c -O -O0 -O1 -O2 -O3 -Os -g -Wall -Wextra -Werror -Wpedantic -pedantic -E -S -M -MM -MMD
          -fsyntax-only -lm -lpthread -pthread -fPIC -shared -static --version -v -Iinclude -Isrc -I.
          -dumpversion -dumpmachine --debug --compile --assemble --preprocess -h --pedantic --all-warnings
          -P -C -w -Og -Ofast -Oz -###
        `),
        values('-std --std -fsanitize -x -target --target -arch -framework -MT -MQ -D -U --param'),
        takes('write', '-o --output -MF'),
        takes('read', '-include'),
        takes('search', '-I -L -isystem -iquote -idirafter -isysroot --sysroot'),
        takes('any', '-march'),
      ],
    }),
    clangd: {
      level: 'high',
      judge: readsWith('--check', {
        level: 'low',
        operands: [],
        others: 'high',
        options: [optionalValues('--check', 'search'), values('--log')],
      }),
    },
    ...eachNamed('include-what-you-use iwyu', {
      level: 'low',
      operands: { rest: 'read' },
      style: 'words',
      others: 'high',
      mild: compilerOption,
      options: [takes('search', '-I -isystem')],
    }),
    cmake: {
      level: 'medium',
      reason: 'Builds the project.',
      style: 'words',
      judge: judgeCmake,
      mild: anyOf(
        [
          /^-D\w+(?::BOOL)?=(?:ON|OFF|TRUE|FALSE|YES|NO|\d+)$/,
          /^-W(?:no-)?dev$/,
          /^-GNinja$/,
          /^-DCMAKE_(?:C|CXX)_COMPILER=(?:[a-z0-9_]+-)*(?:gcc|g\+\+|clang|clang\+\+)(?:-\d+)?$/,
        ],
        'i',
      ),
      operands: { rest: 'search' },
      options: [
        values('--target --config --parallel -G --preset -t -A -T -U --log-level --trace-format --debug-find-pkg'),
        flags(`
          --version -version --help -help -h --verbose -v --list-presets --clean-first --fresh -N -L -LA -LAH -LH --trace
          --trace-expand --debug-output --debug-find --debug-trycompile --log-context --warn-uninitialized -Werror
          --no-warn-unused-cli --check-system-vars --compile-no-warning-as-error --help-full --help-manual-list
          --help-command-list --help-module-list --help-variable-list --help-property-list --help-policy-list
        `),
        values('--help-manual --help-command --help-module --help-variable --help-property --help-policy'),
        optionalValues(`
          -j -DCMAKE_BUILD_TYPE -DCMAKE_EXPORT_COMPILE_COMMANDS -DBUILD_TESTING -DBUILD_SHARED_LIBS
          -DCMAKE_CXX_STANDARD -DCMAKE_C_STANDARD -DCMAKE_VERBOSE_MAKEFILE -DCMAKE_POSITION_INDEPENDENT_CODE
        `),
        optionalValues('-DCMAKE_TOOLCHAIN_FILE -DCMAKE_PREFIX_PATH', 'search'),
        optionalValues('-DCMAKE_INSTALL_PREFIX', 'list'),
        takes('search', '-S --build -C --toolchain'),
        takes('write', '-B --graphviz --trace-redirect --profiling-output'),
        saying('Installs what the project builds.', high(values('--install'))),
        high(values('--install-prefix --prefix')),
      ],
    },
    ctest: {
      level: 'low',
      judge: judgeRunsProject,
      style: 'words',
      operands: [],
      options: [
        flags(`
          --output-on-failure -V -VV -N --show-only --verbose --extra-verbose -Q --quiet --rerun-failed --version
          --progress --stop-on-failure --debug -F --schedule-random --print-labels --list-presets -U --union -h --help
          --no-label-summary --no-subproject-summary --no-compress-output --force-new-ctest-process
        `),
        values(`
          -R -E -L -LE --tests-regex --exclude-regex --label-regex --label-exclude --timeout -C --build-config --preset
          --parallel -FA -FS -FC --fixture-exclude-any -I --tests-information --repeat --repeat-until-fail --max-width
          --stop-time --test-timeout --test-load --no-tests --test-output-size-passed --test-output-size-failed
          --interactive-debug-mode
        `),
        takes('write', '-O --output-log --output-junit'),
        takes('read', '--resource-spec-file'),
        optionalValues('-j'),
        takes('search', '--test-dir'),
      ],
    },
    ninja: {
      level: 'low',
      judge: readsWith('-t', ninjaTool, judgeTasks),
      options: [flags('-n -v --version -h --help --quiet'), values('-j -k -l -d -w'), takes('search', '-C -f')],
    },
    meson: {
      level: 'medium',
      reason: 'Builds the project.',
      options: [flags('--version -v -h --help')],
      verbs: {
        setup: {
          ...runsProject,
          operands: { rest: 'write' },
          options: [
            flags(`
              --reconfigure --wipe --debug --errorlogs --prefer-static --stdsplit --strip --werror -h --help
              --fatal-meson-warnings --vsenv
            `),
            values(`
              --buildtype -D --auto-features --backend --default-library --layout --optimization --unity --warnlevel
              --wrap-mode --force-fallback-for --prefix --libdir --bindir --datadir --sysconfdir --localstatedir
            `),
            takes('search', '--native-file --cross-file --pkg-config-path --cmake-prefix-path'),
          ],
        },
        ...eachNamed('compile test introspect', {
          level: 'low',
          operands: { rest: 'text' },
          judge: judgeRunsProject,
          options: [
            flags(`
              -v --verbose -q --quiet --print-errorlogs --no-rebuild --list --no-stdsplit --benchmark --clean -h --help
              --targets --tests --benchmarks --buildoptions --dependencies --buildsystem-files --installed
              --projectinfo --scan-dependencies --ast --all -a -i --indent --force-object-output -f --backend
            `),
            values(`
              -j --jobs --suite --no-suite --timeout-multiplier -t --maxfail --repeat --logbase --num-processes --setup
              -l --load-average --test-args
            `),
            takes('search', '-C'),
          ],
        }),
        help: readingManual,
      },
    },
    ...eachNamed('bazel bazelisk', {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('build test query cquery aquery info version coverage help', {
          level: 'low',
          operands: { rest: 'text' },
          judge: judgeRunsProject,
          options: [
            flags(`
              --nobuild --noremote_accept_cached --remote_download_minimal --show_progress --nocache --test_keep_going
              --notest_keep_going --noimplicit_deps --notool_deps --nohost_deps --stamp --nostamp --cache_test_results
              --keep_going -k --verbose_failures --nocache_test_results --noshow_progress
              --build_tests_only
            `),
            values(`
              --config --test_output -c --test_filter --output --jobs --compilation_mode --runs_per_test
              --test_tag_filters --platforms
            `),
          ],
        }),
        clean: {
          ...changesFiles,
          reason: 'Deletes build output.',
          operands: [],
          options: [flags('--expunge --expunge_async --async')],
        },
      },
    }),
    ...eachNamed('make gmake', { level: 'medium', judge: judgeMake }),
    ...eachNamed('just task', { level: 'medium', judge: judgeMake }),
    ...eachNamed(
      'pkg-config pkgconf',
      fileReadingManual(
        [
          flags(`
        --libs --cflags --modversion --exists --list-all --print-errors --static --libs-only-l
        --libs-only-L --libs-only-other --cflags-only-I --cflags-only-other --print-variables --print-requires
        --print-requires-private --print-provides --silence-errors --short-errors --errors-to-stdout
      `),
          values('--variable --atleast-version --exact-version --max-version'),
        ],
        { rest: 'text' },
      ),
    ),
    'clang-tidy': {
      level: 'low',
      operands: { rest: 'search' },
      style: 'words',
      others: 'high',
      options: [
        flags(`
          --quiet -quiet --list-checks -list-checks --version -- --dump-config --explain-config --verify-config
          --enable-check-profile --system-headers --use-color -h --help --allow-no-checks
        `),
        takes('search', '--config-file'),
        takes('write', '--export-fixes --store-check-profile'),
        values('--format-style --line-filter --exclude-header-filter'),
        values('-checks --checks -warnings-as-errors --warnings-as-errors -header-filter'),
        takes('search', '-p'),
        medium(flags('--fix -fix --fix-errors -fix-errors --fix-notes')),
      ],
    },
    cppcheck: {
      level: 'low',
      operands: { rest: 'search' },
      others: 'high',
      options: [
        flags(`
          -q --quiet --inline-suppr --force -f --inconclusive --verbose -v --version --xml -h --help --errorlist --doc
          --showtime --report-progress --check-config
        `),
        takes('search', '--project --includes-file --file-list --suppressions-list -i'),
        takes('write', '--cppcheck-build-dir --output-file --checkers-report --plist-output'),
        values(`
          -D -U -j --enable --disable --std --error-exitcode --suppress --language --platform
          --check-level --template --max-configs
        `),
        takes('search', '-I'),
        takes('name', '--library'),
      ],
    },
  },
};
