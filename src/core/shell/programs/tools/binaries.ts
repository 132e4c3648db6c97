import type { Manual, Manuals } from '../../calls/manual';
import { judgeDebuggers } from '../special/debuggers';
import { judgeWrapper } from '../special/wrappers';

const looks = (options: string): Manual => ({ level: 'low', operands: 'read…', others: 'low', options });
const traces = (options: string): Manual => ({ level: 'low', judge: judgeWrapper, startsPrograms: true, options });

/** What looks at compiled programs, changes them, or watches them run. `programNamed` finds these with the prefix of a cross compiler too. */
export const binaryTools: Manuals = {
  'nm objdump readelf size': looks(
    '-a -h -l -s -t -T -d -D -g -C -S -x -n -p -r -m= --mcu= --syms --headers -W -e -A -B --format= --demangle --plugin=!',
  ),
  'addr2line symbolizer': looks(
    '-e=read -f -C -i -p -s -a --exe=read --functions --demangle? --inlines --pretty-print',
  ),
  'c++filt rustfilt demangle': { level: 'low', operands: 'text…', others: 'low', options: '-n -p -t -i -s=' },
  'dwarfdump readobj bloaty otool lipo_info nm-new': looks('-d= -n= -s= -h -l -L'),
  'gcov gcovr lcov llvm-cov': {
    level: 'medium',
    reason: 'It writes a report.',
    operands: 'search…',
    others: 'high',
    options:
      '-r=search -o=write --output=write --html=write --html-details=write --xml=write --json=write -b -c -a -n -p -s --summary-only --root=search --exclude= -e= --print-summary --txt -d=search --directory=search --capture --output-file=write --remove= --list=read --version',
  },
  strip: {
    level: 'medium',
    reason: 'It changes files of the workspace.',
    operands: 'write…',
    options: '-s -g -S -d -x -X -o=write --strip-all --strip-debug --strip-unneeded -R= --version',
  },
  objcopy: {
    level: 'medium',
    reason: 'It changes files of the workspace.',
    operands: 'write…',
    options:
      '-O= -I= -B= -j= -R= -S -g -x --strip-debug --strip-all --only-section= --remove-section= --gap-fill= --pad-to= --only-keep-debug --version',
  },
  ar: {
    level: 'high',
    reason: 'It changes an archive.',
    style: 'words',
    verbs: {
      't tv p -t': { level: 'low', operands: 'read…' },
      'rcs cr crs rc r -rcs qc': { level: 'medium', reason: 'It changes files of the workspace.', operands: 'write…' },
    },
  },
  ranlib: { level: 'medium', reason: 'It changes files of the workspace.', operands: 'write…', options: '' },
  'gdb lldb': { level: 'high', judge: judgeDebuggers },
  'strace ltrace': traces('-f -ff -c -C -t -tt -T -r -y -yy -k -q -e= -s= -o=write -P= -p=! -E=!'),
  valgrind: traces(
    '--leak-check= --error-exitcode= --show-leak-kinds= --track-origins= --tool= --quiet -q -v --verbose --num-callers= --errors-for-leak-kinds= --track-fds= --gen-suppressions= --suppressions=read --log-file=write --xml= --xml-file=write --callgrind-out-file=write --massif-out-file=write -s --version',
  ),
  'heaptrack rr_record': traces('-o=write --output=write'),
  perf: {
    level: 'high',
    options: '--version',
    verbs: {
      'stat record': traces('-e= -g -F= -o=write -r= -a! -p=! -d --call-graph= -- -q -B'),
      'report annotate script list': {
        level: 'low',
        operands: 'text…',
        options: '-i=read --stdio -n -g --sort= --no-children --percent-limit=',
      },
    },
  },
  'bear ccache sccache distcc': traces('-s --show-stats --version -o=write --output=write -- --append -z'),
  callgrind_annotate: looks('--auto= --threshold= --inclusive='),
  ms_print: looks('--threshold= --x= --y='),
};
