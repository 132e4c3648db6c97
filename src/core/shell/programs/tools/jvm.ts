import { flags, high, optionalValues, takes, type Options, values } from '../../calls/options';
import { each, type Operands } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import { judgeAsks } from '../special/asks';
import { judgeJava } from '../special/jvm';

const looks = (options: Options, operands: Operands = { rest: 'text' }): Manual => ({
  level: 'low',
  operands,
  others: 'high',
  style: 'words',
  options: [flags('-h -help --help -version --version'), ...options],
});
const compiles: Manual = {
  level: 'medium',
  reason: 'It compiles.',
  style: 'words',
  operands: { rest: 'read' },
  options: [
    flags(`
        -version --version -help --help -g -g:none -nowarn -parameters -Werror -Xlint:all -verbose
        -deprecation -proc:none -include-runtime -no-stdlib --enable-preview
      `),
    values('--release -source -target -encoding -jvm-target'),
    optionalValues('-Xlint -Xdoclint'),
    takes('write', '-d'),
    takes('search', '-cp -classpath --class-path -sourcepath --source-path'),
  ],
};

/** Java's own programs. Gradle, Maven and sbt are in `languages.ts`. */
export const jvmTools: Manuals = {
  java: { level: 'high', judge: judgeJava },
  ...each('javac kotlinc scalac groovyc', compiles),
  javap: looks(
    [
      flags(`
        -c -v -p -s -l -public -protected -package -private -constants -sysinfo -verbose
      `),
      takes('search', '-cp -classpath --class-path'),
    ],
    { rest: 'search' },
  ),
  jdeps: looks(
    [
      flags(`
        -s -v -q -summary -verbose --list-deps --print-module-deps --ignore-missing-deps -recursive
      `),
      values('--multi-release'),
      takes('search', '-cp -classpath --class-path'),
    ],
    { rest: 'search' },
  ),
  javadoc: {
    level: 'medium',
    reason: 'It makes documents of files of the workspace.',
    style: 'words',
    operands: { rest: 'search' },
    options: [
      flags('-quiet -private -version'),
      values('-subpackages'),
      optionalValues('-Xdoclint'),
      takes('write', '-d'),
      takes('search', '-sourcepath -cp'),
    ],
  },
  jps: looks([flags('-l -v -m -q -V -lv -lm -lmv -mlv -mlvV')]),
  jstack: looks([flags('-l -e')]),
  jstat: looks([flags('-gc -gcutil -gccapacity -gcnew -gcold -class -compiler -options -t -gccause'), values('-h')]),
  // A picture of the memory is a file that holds everything that is secret in it.
  jmap: looks([flags('-histo:live -clstats -finalizerinfo'), optionalValues('-histo')]),
  jinfo: looks([flags('-flags'), high(flags('-sysprops'), values('-flag'))]),
  jcmd: {
    level: 'high',
    reason: 'It controls a running program.',
    judge: judgeAsks,
    asks: /^$|^[\w.]+ (?:help|VM\.(?:version|flags|uptime|command_line|native_memory|classloader_stats)|Thread\.print|GC\.(?:heap_info|class_histogram))( [\w=]+)*$/,
    options: [flags('-l -h')],
  },
  jshell: { level: 'high', reason: 'It runs what it is given.', options: [flags('--version')] },
  jar: {
    level: 'high',
    style: 'words',
    verbs: {
      ...each('tf tvf -tf -tvf t --list', looks([takes('read', '-f --file')], { rest: 'read' })),
      ...each('cf cvf xf xvf cfe -cf -xf', {
        level: 'medium',
        reason: 'It changes files of the workspace.',
        operands: { rest: 'write' },
        options: [takes('search', '-C')],
      }),
    },
  },
};
