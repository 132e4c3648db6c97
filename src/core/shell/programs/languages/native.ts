import { anyOf, sequence } from '../../../text/alternatives';
import { each, type Family, type Judge } from '../../calls/manual';
import { flags, medium, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { doubt, note, touch } from '../../effects/scope';
import { literal, type Value } from '../../syntax/value';
import { judgeTasks, readOnlyTask } from '../shared/buildTasks';
import { changesFiles, readingManual, fileReadingManual, runsProject, runsProjectStrictly } from '../shared/kinds';
import { judgeFormats } from '../shared/projectCode';
import { judgeMake } from '../shared/scripts';

/** Allows building what is already configured, except for install targets. */
const judgeCmakeBuild: Judge = ({ words: given, scope, whole, manual }) => {
  if (given[0]?.text !== '--build') return undefined;
  // A preset replaces the build folder.
  const words = given[1]?.text.startsWith('--preset') ? given.slice(1) : given;
  const split = words.findIndex(({ text }) => text === '--');
  const forTool = split < 0 ? [] : words.slice(split + 1);
  const { options, operands } = readArguments(
    split < 0 ? words : words.slice(0, split),
    optionTable([...(manual.options ?? []), optionalValues('-j')]),
    'words',
    false,
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
    'save-temps nostdlib nodefaultlibs ffreestanding static-libgcc rdynamic pie no-pie pipe',
  ]),
  /$/,
]);

export const nativeFamily: Family = {
  programs: {
    buck2: {
      level: 'high',
      verbs: { ...each('build test query', { level: 'low', operands: { rest: 'text' }, options: [] }) },
    },
    pants: {
      level: 'high',
      verbs: {
        ...each('test lint check list dependencies', { level: 'low', operands: { rest: 'text' }, options: [] }),
        ...each('fmt fix package', runsProjectStrictly),
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
          -output-replacements-xml
        `),
      ],
    },
    zig: {
      level: 'high',
      verbs: {
        fmt: { ...changesFiles, judge: judgeFormats, options: [flags('--check')] },
        ...each('version env', readingManual),
        build: { level: 'low', operands: { rest: 'text' }, options: [], judge: judgeTasks },
      },
    },
    ...each('gcc g++ clang clang++ cc c++', {
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
          -dumpversion -dumpmachine
        `),
        values('-std -fsanitize'),
        takes('write', '-o'),
        takes('search', '-I'),
        takes('any', '-march'),
      ],
    }),
    cmake: {
      level: 'medium',
      reason: 'Builds the project.',
      style: 'words',
      judge: judgeCmakeBuild,
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
        values('--target --config --parallel -G --preset -t'),
        flags('--version --help --verbose --list-presets --clean-first'),
        optionalValues(`
          -j -DCMAKE_BUILD_TYPE -DCMAKE_EXPORT_COMPILE_COMMANDS -DBUILD_TESTING -DBUILD_SHARED_LIBS
        `),
        takes('search', '-S --build'),
        takes('write', '-B'),
      ],
    },
    ctest: {
      level: 'low',
      style: 'words',
      operands: [],
      options: [
        flags('--output-on-failure -V -VV -N --verbose --rerun-failed --version'),
        values('-R -E -L --timeout -C --preset --parallel'),
        optionalValues('-j'),
        takes('search', '--test-dir'),
      ],
    },
    ninja: {
      level: 'low',
      judge: judgeTasks,
      options: [flags('-n -v --version'), values('-j -k'), takes('search', '-C')],
    },
    meson: {
      level: 'medium',
      reason: 'Builds the project.',
      options: [flags('--version')],
      verbs: {
        setup: {
          ...runsProject,
          operands: { rest: 'write' },
          options: [flags('--reconfigure --wipe'), values('--buildtype -D')],
        },
        ...each('compile test introspect', {
          level: 'low',
          operands: { rest: 'text' },
          options: [flags('-v --print-errorlogs'), values('-j --suite --timeout-multiplier'), takes('search', '-C')],
        }),
      },
    },
    ...each('bazel bazelisk', {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...each('build test query cquery info version coverage', {
          level: 'low',
          operands: { rest: 'text' },
          options: [
            flags(`
              --keep_going -k --verbose_failures --nocache_test_results --noshow_progress
              --build_tests_only
            `),
            values(`
              --config --test_output -c --test_filter --output --jobs --compilation_mode --runs_per_test
              --test_tag_filters --platforms
            `),
          ],
        }),
        clean: { ...changesFiles, operands: [], options: [flags('--expunge')] },
      },
    }),
    ...each('make gmake', { level: 'medium', judge: judgeMake }),
    ...each('just task', { level: 'medium', judge: judgeMake }),
    ...each(
      'pkg-config pkgconf',
      fileReadingManual(
        [
          flags(`
        --libs --cflags --modversion --exists --list-all --print-errors --static --libs-only-l
        --libs-only-L
      `),
          values('--variable'),
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
        flags('--quiet -quiet --list-checks -list-checks --version --'),
        values('-checks --checks -warnings-as-errors --warnings-as-errors -header-filter'),
        takes('search', '-p'),
        medium(flags('--fix -fix')),
      ],
    },
    cppcheck: {
      level: 'low',
      operands: { rest: 'search' },
      others: 'high',
      options: [
        flags(`
          -q --quiet --inline-suppr --force -f --inconclusive --verbose -v --version --xml
        `),
        values(`
          -D -U -i -j --enable --disable --std --error-exitcode --suppress --language --platform
          --check-level --template --max-configs
        `),
        takes('search', '-I'),
        takes('name', '--library'),
      ],
    },
  },
};
