import type { Manual, Manuals } from '../../calls/manual';
import { judgeAsks } from '../special/asks';
import { judgeJava } from '../special/jvm';

const looks = (options: string, operands = 'text…'): Manual => ({
  level: 'low',
  operands,
  others: 'high',
  style: 'words',
  options: `-h -help --help -version --version ${options}`,
});
const compiles: Manual = {
  level: 'medium',
  reason: 'It compiles.',
  style: 'words',
  operands: 'read…',
  options:
    '-version --version -help --help -d=write -cp=search -classpath=search --class-path=search -sourcepath=search --source-path=search --release= -source= -target= -encoding= -g -g:none -nowarn -parameters -Werror -Xlint? -Xlint:all -Xdoclint? -verbose -deprecation -proc:none -include-runtime -jvm-target= -no-stdlib --enable-preview',
};

/** Java's own programs. Gradle, Maven and sbt are in `languages.ts`. */
export const jvmTools: Manuals = {
  java: { level: 'high', judge: judgeJava },
  'javac kotlinc scalac groovyc': compiles,
  javap: looks(
    '-c -v -p -s -l -public -protected -package -private -constants -sysinfo -verbose -cp=search -classpath=search --class-path=search',
    'search…',
  ),
  jdeps: looks(
    '-s -v -q -summary -verbose --list-deps --print-module-deps --multi-release= --ignore-missing-deps -cp=search -classpath=search --class-path=search -recursive',
    'search…',
  ),
  javadoc: {
    level: 'medium',
    reason: 'It makes documents of files of the workspace.',
    style: 'words',
    operands: 'search…',
    options: '-d=write -sourcepath=search -cp=search -quiet -private -Xdoclint? -subpackages= -version',
  },
  jps: looks('-l -v -m -q -V -lv -lm -lmv -mlv -mlvV'),
  jstack: looks('-l -e'),
  jstat: looks('-gc -gcutil -gccapacity -gcnew -gcold -class -compiler -options -t -h= -gccause'),
  // A picture of the memory is a file that holds everything that is secret in it.
  jmap: looks('-histo? -histo:live -clstats -finalizerinfo'),
  jinfo: looks('-flags -sysprops! -flag=!'),
  jcmd: {
    level: 'high',
    reason: 'It controls a running program.',
    judge: judgeAsks,
    asks: /^$|^[\w.]+ (?:help|VM\.(?:version|flags|uptime|command_line|native_memory|classloader_stats)|Thread\.print|GC\.(?:heap_info|class_histogram))( [\w=]+)*$/,
    options: '-l -h',
  },
  jshell: { level: 'high', reason: 'It runs what it is given.', options: '--version' },
  jar: {
    level: 'high',
    style: 'words',
    verbs: {
      'tf tvf -tf -tvf t --list': looks('-f=read --file=read', 'read…'),
      'cf cvf xf xvf cfe -cf -xf': {
        level: 'medium',
        reason: 'It changes files of the workspace.',
        operands: 'write…',
        options: '-C=search',
      },
    },
  },
};
