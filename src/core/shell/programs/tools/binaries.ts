import { flags, high, optionalValues, takes, type Options, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import { judgeDebuggers } from '../special/debuggers';
import { judgeWrapper } from '../special/wrappers';

const looks = (options: Options): Manual => ({ level: 'low', operands: { rest: 'read' }, others: 'low', options });
const traces = (options: Options): Manual => ({ level: 'low', judge: judgeWrapper, startsPrograms: true, options });

/** What looks at compiled programs, changes them, or watches them run. `programNamed` finds these with the prefix of a cross compiler too. */
export const binaryTools: Manuals = {
  ...each(
    'nm objdump readelf size',
    looks([
      flags(`
        -a -h -l -s -t -T -d -D -g -C -S -x -n -p -r --syms --headers -W -e -A -B --demangle
      `),
      values('-m --mcu --format'),
      high(values('--plugin')),
    ]),
  ),
  ...each(
    'addr2line symbolizer',
    looks([
      flags('-f -C -i -p -s -a --functions --inlines --pretty-print'),
      optionalValues('--demangle'),
      takes('read', '-e --exe'),
    ]),
  ),
  ...each('c++filt rustfilt demangle', {
    level: 'low',
    operands: { rest: 'text' },
    others: 'low',
    options: [flags('-n -p -t -i'), values('-s')],
  }),
  ...each('dwarfdump readobj bloaty otool lipo_info nm-new', looks([flags('-h -l -L'), values('-d -n -s')])),
  ...each('gcov gcovr lcov llvm-cov', {
    level: 'medium',
    reason: 'It writes a report.',
    operands: { rest: 'search' },
    others: 'high',
    options: [
      flags('-b -c -a -n -p -s --summary-only --print-summary --txt --capture --version'),
      values('--exclude -e --remove'),
      takes('search', '-r --root -d --directory'),
      takes('write', '-o --output --html --html-details --xml --json --output-file'),
      takes('read', '--list'),
    ],
  }),
  strip: {
    level: 'medium',
    reason: 'It changes files of the workspace.',
    operands: { rest: 'write' },
    options: [
      flags('-s -g -S -d -x -X --strip-all --strip-debug --strip-unneeded --version'),
      values('-R'),
      takes('write', '-o'),
    ],
  },
  objcopy: {
    level: 'medium',
    reason: 'It changes files of the workspace.',
    operands: { rest: 'write' },
    options: [
      values('-O -I -B -j -R --only-section --remove-section --gap-fill --pad-to'),
      flags('-S -g -x --strip-debug --strip-all --only-keep-debug --version'),
    ],
  },
  ar: {
    level: 'high',
    reason: 'It changes an archive.',
    style: 'words',
    verbs: {
      ...each('t tv p -t', { level: 'low', operands: { rest: 'read' } }),
      ...each('rcs cr crs rc r -rcs qc', {
        level: 'medium',
        reason: 'It changes files of the workspace.',
        operands: { rest: 'write' },
      }),
    },
  },
  ranlib: { level: 'medium', reason: 'It changes files of the workspace.', operands: { rest: 'write' }, options: [] },
  ...each('gdb lldb', { level: 'high', judge: judgeDebuggers }),
  ...each(
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
  ...each('heaptrack rr_record', traces([takes('write', '-o --output')])),
  perf: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each(
        'stat record',
        traces([
          flags('-g -d -- -q -B'),
          values('-e -F -r --call-graph'),
          takes('write', '-o'),
          high(flags('-a'), values('-p')),
        ]),
      ),
      ...each('report annotate script list', {
        level: 'low',
        operands: { rest: 'text' },
        options: [flags('--stdio -n -g --no-children'), values('--sort --percent-limit'), takes('read', '-i')],
      }),
    },
  },
  ...each(
    'bear ccache sccache distcc',
    traces([flags('-s --show-stats --version -- --append -z'), takes('write', '-o --output')]),
  ),
  callgrind_annotate: looks([values('--auto --threshold --inclusive')]),
  ms_print: looks([values('--threshold --x --y')]),
};
