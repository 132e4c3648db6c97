import { judgeRole } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  optionalValues,
  type Options,
  optionTable,
  readLeadingOptions,
  takes,
  values,
} from '../../calls/options';
import { doubt, note, touch } from '../../effects/scope';
import { judgeWrapper } from '../shell/wrapping';

/** Commands of gdb and lldb that run the program, stop it and inspect it. Others can start a shell or load code. */
const onlyInspects = new RegExp(
  `^(?:${[
    'r(?:un)?',
    'start',
    'starti',
    'c(?:ontinue)?',
    'n(?:ext)?',
    's(?:tep)?',
    'finish',
    'kill',
    'q(?:uit)?',
    'up',
    'down',
    'bt(?: full| -?\\d+| all)?',
    'backtrace(?: full)?',
    'where',
    'thread (?:apply all (?:bt|backtrace)(?: full)?|backtrace(?: all)?|list)',
    'info [\\w ]+',
    'f(?:rame)?(?: \\d+)?',
    'l(?:ist)?(?: [\\w.:,-]+)?',
    'disas(?:semble)?(?: [\\w:]+)?',
    '(?:t?b(?:reak)?|tbreak|watch) [\\w.:*-]+',
    '(?:p|print|display)(?:/\\w)? [\\w.>\\[\\]*&-]+',
    'x/\\w+ [\\w$+*]+',
    'set (?:pagination|confirm|width|height|disassembly-flavor|print [\\w-]+) \\w+',
    'process launch',
    'register read',
    'image list',
    'target list',
  ].join('|')})$`,
);

const table = optionTable([
  flags(`
      -batch --batch -b -q -quiet --quiet -nx --nx -n -args --args --version -v --help
    `),
  values('-ex -eval-command --ex -o --one-line -k --one-line-on-crash'),
]);

/** Judges `gdb -batch -ex run -ex bt --args ./build/main`. */
const judgeDebuggers: Judge = ({ name, words, scope, whole }) => {
  const { options, rest } = readLeadingOptions(words, table, 'words');
  if (options.length === 1 && rest.length === 0 && /^(?:--version|-v|--help)$/.test(options[0]!.name)) {
    note(scope, 'low', whole);
    return 'done';
  }
  if (!options.some(({ name: optionName }) => /^(?:-batch|--batch|-b)$/.test(optionName)))
    doubt(scope, whole, `Runs what "${name}" gets as input.`);
  for (const { option, name: optionName, value, culprit } of options) {
    if (!option) doubt(scope, culprit, `Uses the unknown option ${optionName.slice(0, 60)} of "${name}".`);
    else if (option.takes === 'next' && (value?.kind !== 'literal' || !onlyInspects.test(value.text.trim())))
      doubt(scope, value?.source ?? culprit, `Gives "${name}" commands that are not known to be harmless.`);
  }
  const [program, core] = rest;
  if (program) judgeRole('script', program, scope, whole);
  const isForProgram =
    options.some(({ name: optionName }) => /^--?args$/.test(optionName)) || words.some(({ text }) => text === '--');
  if (core && !isForProgram) touch(scope, 'reads', core);
  note(scope, 'medium', whole, 'Runs code of this project.');
  return 'done';
};

const readsBinaries = (options: Options): Manual => ({
  level: 'low',
  operands: { rest: 'read' },
  others: 'low',
  options,
});

/** Shows what `perf record` wrote, with the help of other programs. */
const perfReads = (names: string): Manual => ({
  level: 'low',
  operands: { rest: 'text' },
  options: [
    flags(`--stdio ${names}`),
    values('--sort --percent-limit -F --fields'),
    takes('read', '-i --input'),
    high(values('--objdump --addr2line')),
  ],
});

const traces = (options: Options): Manual => ({ level: 'low', judge: judgeWrapper, startsPrograms: true, options });

export const binariesFamily: Family = {
  programs: {
    ...eachNamed(
      'nm objdump readelf size',
      readsBinaries([
        flags(`
        -a -h -l -s -t -T -d -D -g -C -S -x -n -p -r --syms --headers -W -e -A -B --demangle
      `),
        values('-m --mcu --format'),
        high(values('--plugin')),
      ]),
    ),
    ...eachNamed(
      'addr2line symbolizer',
      readsBinaries([
        flags('-f -C -i -p -s -a --functions --inlines --pretty-print'),
        optionalValues('--demangle'),
        takes('read', '-e --exe'),
      ]),
    ),
    ...eachNamed('c++filt rustfilt demangle', {
      level: 'low',
      operands: { rest: 'text' },
      others: 'low',
      options: [flags('-n -p -t -i'), values('-s')],
    }),
    ...eachNamed(
      'dwarfdump readobj bloaty otool lipo_info nm-new',
      readsBinaries([flags('-h -l -L'), values('-d -n -s')]),
    ),
    ...eachNamed('gcov gcovr lcov llvm-cov', {
      level: 'medium',
      reason: 'Writes a report.',
      operands: { rest: 'search' },
      others: 'high',
      options: [
        flags(
          '-b -c -a -n -p -s -f -h -i -j -k -l -m -q -t -u -x --summary-only --print-summary --txt --capture --version --help --all-blocks --branch-probabilities --branch-counts --no-output --function-summaries --human-readable --demangled-names --stdout --branches --sort-uncovered --sort-percentage',
        ),
        values('--exclude -e --remove'),
        takes('search', '-r --root -d --directory'),
        takes('write', '-o --output --html --html-details --xml --json --output-file'),
        takes('read', '--list'),
      ],
    }),
    strip: {
      level: 'medium',
      reason: 'Changes files of the workspace.',
      operands: { rest: 'write' },
      options: [
        flags('-s -g -S -d -x -X --strip-all --strip-debug --strip-unneeded --version'),
        values('-R'),
        takes('write', '-o'),
      ],
    },
    objcopy: {
      level: 'medium',
      reason: 'Changes files of the workspace.',
      operands: { rest: 'write' },
      options: [
        values('-O -I -B -j -R --only-section --remove-section --gap-fill --pad-to'),
        flags('-S -g -x --strip-debug --strip-all --only-keep-debug --version'),
      ],
    },
    ar: {
      level: 'high',
      reason: 'Changes an archive.',
      style: 'words',
      verbs: {
        ...eachNamed('t tv p -t', { level: 'low', operands: { rest: 'read' } }),
        ...eachNamed('rcs cr crs rc r -rcs qc', {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: { rest: 'write' },
        }),
      },
    },
    ranlib: { level: 'medium', reason: 'Changes files of the workspace.', operands: { rest: 'write' }, options: [] },
    ...eachNamed('gdb lldb', { level: 'high', judge: judgeDebuggers }),
    ...eachNamed(
      'strace ltrace',
      traces([
        flags('-f -ff -c -C -t -tt -T -r -y -yy -k -q'),
        values('-e -s -P'),
        takes('write', '-o'),
        high(values('-p -E')),
      ]),
    ),
    valgrind: traces([
      flags('--quiet -q -v --verbose -s --version'),
      values(`
        --leak-check --error-exitcode --show-leak-kinds --track-origins --tool --num-callers
        --errors-for-leak-kinds --track-fds --gen-suppressions --xml
      `),
      takes('read', '--suppressions'),
      takes('write', '--log-file --xml-file --callgrind-out-file --massif-out-file'),
    ]),
    ...eachNamed('heaptrack rr_record', traces([takes('write', '-o --output')])),
    perf: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed(
          'stat record',
          traces([
            flags('-g -d -- -q -B'),
            values('-e -F -r --call-graph'),
            takes('write', '-o'),
            high(flags('-a'), values('-p')),
          ]),
        ),
        ...eachNamed('report annotate list', perfReads('-n -g -v -q -l -P -U --no-children')),
        // Its words are scripts that it runs. `-g` writes one.
        script: { ...perfReads(''), operands: [] },
      },
    },
    ...eachNamed(
      'bear ccache sccache distcc',
      traces([flags('-s --show-stats --version -- --append -z'), takes('write', '-o --output')]),
    ),
    callgrind_annotate: readsBinaries([values('--auto --threshold --inclusive')]),
    ms_print: readsBinaries([values('--threshold --x --y')]),
    ldd: {
      level: 'medium',
      reason: 'May run the file that it inspects.',
      operands: { rest: 'read' },
      options: [flags('-v -u -r -d --version --help --verbose --unused --data-relocs --function-relocs')],
    },
  },
};
