import { anyOf, sequence } from '../../../text/alternatives';
import { judgeForwardedArguments } from '../../calls/forwardedArguments';
import { judgeRole } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual, type Operands } from '../../calls/manual';
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
import { doubt, note, refuse, recordScriptRun, type Scope, touch } from '../../effects/scope';
import { resolvePlace } from '../../syntax/place';
import type { Value } from '../../syntax/value';
import { changesFolder } from '../files/archives';
import { judgeQueries } from '../shared/asks';
import { judgeTasks } from '../shared/buildTasks';
import { changesFiles, checksOrBuilds, readingManual, runsProject, runsTasks } from '../shared/kinds';
import { judgeFormats, judgeTests } from '../shared/projectCode';

const table = optionTable([
  flags(`
      -version --version -showversion -help --help -h -ea -da -esa -enableassertions
      -disableassertions --enable-preview --dry-run
    `),
  values(`
      -cp -classpath --class-path -p --module-path --source --add-modules --add-opens
      --add-exports
    `),
]);

/** Memory settings, and JVM switches that start nothing. `-XX:OnError=…` would run a command. */
const harmlessSetting = sequence([
  /^-/,
  anyOf([
    /X(?:mx|ms|ss|mn)\d+[kKmMgG]?/,
    'Xint Xlog:gc',
    /XX:[+-][A-Z]\w*/,
    /XX:(?!On|Flags|VMOptions)[A-Z]\w*=\w+/,
    /ea(?::[\w.]+)?/,
    /D[\w.]+(?:=[\w.,:@+-]*)?/,
  ]),
  /$/,
]);

/** Judges `java -cp out Main`, which runs classes of the workspace. */
const judgeJava: Judge = ({ words, scope, whole }) => {
  // Words after the archive or module are arguments of the program.
  const chosen = words.findIndex(({ text }) => /^(?:-jar|-m|--module)$/.test(text));
  const { options, rest } = readLeadingOptions(chosen < 0 ? words : words.slice(0, chosen), table, 'words');
  const only = options.length === 1 && rest.length === 0 && chosen < 0 ? options[0]!.name : '';
  if (/^(?:--?version|-help|--help|-h)$/.test(only)) {
    note(scope, 'low', whole);
    return 'done';
  }
  for (const { option, name, value, culprit } of options) {
    if (!option) {
      if (!harmlessSetting.test(culprit))
        doubt(scope, culprit, `Uses the unknown option ${name.slice(0, 60)} of "java".`);
    } else if (value && /^(?:-cp|-classpath|--class-path|-p|--module-path)$/.test(name)) {
      judgeClassPath(value, scope);
    }
  }
  const [first, ...more] = chosen < 0 ? rest : words.slice(chosen + 1);
  if (!first) {
    note(scope, 'low', whole);
    return 'done';
  }
  note(scope, 'medium', whole, 'Runs code of this project.');
  const isFile = words[chosen]?.text === '-jar' || /\.java$/.test(first.text);
  const isNamed = first.kind === 'literal' && /^[A-Za-z_$][\w.$/]*$/.test(first.text);
  if (isFile) judgeRole('script', first, scope, whole);
  else if (isNamed) recordScriptRun(scope, [first, ...more].map(({ text }) => text).join(' '), whole);
  else doubt(scope, first.source, 'Runs something that is only known when it runs.');
  judgeForwardedArguments(more, scope);
  return 'done';
};

/** Allows folders and archives of the workspace. Code from elsewhere may do anything. */
function judgeClassPath(value: Value, scope: Scope): void {
  if (value.kind === 'unknown') return doubt(scope, value.source, 'Loads code that is only known when it runs.');
  for (const part of value.text.split(/[:;]/).filter((text) => text !== '')) {
    const place = { ...value, text: part };
    if (resolvePlace(place, scope.cwd, scope.context).where !== 'inside')
      refuse(scope, value.source, 'Runs a program outside the workspace.');
    else touch(scope, 'searches', place);
  }
}

const inspects = (options: Options, operands: Operands = { rest: 'text' }): Manual => ({
  level: 'low',
  operands,
  others: 'high',
  style: 'words',
  options: [flags('-h -help --help -version --version'), ...options],
});

/** A process is named by its number. `12@example.org` is one of another machine. */
const judgeOwnProcess: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => /[@/]/.test(text))) refuse(scope, whole, 'Connects to another machine.');
  return undefined;
};

const compiles: Manual = {
  level: 'medium',
  reason: 'Compiles code.',
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

const jvm = [
  flags(`
      -h -help --help -i -w -S -q -B -U -o -e -ntp --no-transfer-progress -am -amd -fae -ff -fn -X -v -m --version
      --status --profile --all --types --quiet --batch-mode --offline --no-daemon --daemon --parallel
      --stacktrace --info --debug
    `),
  values('-T -P -pl -x --group --task --tests --configuration --dependency --warning-mode --console'),
  flags('--continue --rerun-tasks --no-build-cache --build-cache --dry-run'),
  takes('search', '-f --file -p'),
  optionalValues('-DskipTests -DskipITs -DskipUTs -Dmaven.test.skip -Dtest -Dit.test'),
  high(flags('--scan'), values('--init-script -I -s --settings -g -b'), optionalValues('-D')),
];

export const jvmFamily: Family = {
  programs: {
    scons: { ...runsTasks, options: [...runsTasks.options!, flags('-n --dry-run --just-print -c -Q -k --tree')] },
    mill: runsTasks,
    ant: {
      ...runsTasks,
      options: [
        flags(
          '-version -help -h -p -projecthelp -q -quiet -S -silent -v -verbose -d -debug -e -emacs -k -keep-going -diagnostics -noinput -nouserlib',
        ),
        takes('search', '-f -file -buildfile'),
        high(values('-lib -logger -listener -inputhandler -main -propertyfile -find -s -logfile -l')),
      ],
      style: 'words',
    },
    java: { level: 'high', judge: judgeJava },
    ...eachNamed('javac kotlinc scalac groovyc', compiles),
    javap: inspects(
      [
        flags(`
        -c -v -p -s -l -public -protected -package -private -constants -sysinfo -verbose
      `),
        takes('search', '-cp -classpath --class-path'),
      ],
      { rest: 'search' },
    ),
    jdeps: inspects(
      [
        flags(`
        -s -v -q -summary -verbose --list-deps --list-reduced-deps --print-module-deps --ignore-missing-deps -recursive
        -R -P -profile -apionly --api-only -jdkinternals --jdk-internals --compile-time -I --inverse --no-recursive
      `),
        values('-p -package -e -regex --require -f -filter -include --add-modules -m --module'),
        takes('search', '--module-path'),
        takes('write', '-dotoutput --dot-output'),
        values('--multi-release'),
        takes('search', '-cp -classpath --class-path'),
      ],
      { rest: 'search' },
    ),
    javadoc: {
      level: 'medium',
      reason: 'Creates documents from files of the workspace.',
      style: 'words',
      operands: { rest: 'search' },
      options: [
        flags(
          '-quiet -private -public -protected -package -version -help --help -author -use -linksource -nodeprecated -notree -noindex -html5 --no-fonts',
        ),
        values(
          '-subpackages -exclude -docencoding -encoding -charset -source --release -windowtitle -doctitle -header -footer -bottom -link -tag',
        ),
        optionalValues('-Xdoclint'),
        takes('write', '-d'),
        takes('search', '-sourcepath -cp'),
      ],
    },
    // Its words are other machines.
    jps: inspects([flags('-l -v -m -q -V -lv -lm -lmv -mlv -mlvV')], []),
    jstack: inspects([flags('-l -e -m')]),
    jstat: {
      ...inspects([
        flags(
          '-gc -gcutil -gccapacity -gcnew -gcnewcapacity -gcold -gcoldcapacity -class -compiler -options -t -gccause',
        ),
        values('-h'),
      ]),
      judge: judgeOwnProcess,
    },
    // A heap dump is a file that contains every secret in memory.
    jmap: inspects([flags('-histo:live -clstats -finalizerinfo'), optionalValues('-histo')]),
    jinfo: inspects([flags('-flags'), high(flags('-sysprops'), values('-flag'))]),
    jcmd: {
      level: 'high',
      reason: 'Controls a running program.',
      judge: judgeQueries,
      asks: anyOf([
        /^$/,
        sequence([
          /^[\w.]+ /,
          anyOf([
            'help',
            /VM\.(?:version|flags|uptime|command_line|native_memory|classloader_stats)/,
            'Thread.print',
            /GC\.(?:heap_info|class_histogram)/,
          ]),
          /( [\w=]+)*$/,
        ]),
      ]),
      options: [flags('-l -h')],
    },
    jshell: { level: 'high', reason: 'Runs the code that it is given.', options: [flags('--version')] },
    jar: {
      level: 'high',
      style: 'words',
      verbs: {
        ...eachNamed('tf tvf -tf -tvf t --list', inspects([takes('read', '-f --file')], { rest: 'read' })),
        ...eachNamed('xf xvf -xf', {
          level: 'medium',
          reason: 'Packs or unpacks files.',
          operands: { rest: 'read' },
          judge: ({ scope, whole }) => void changesFolder(scope, whole),
        }),
        ...eachNamed('cf cvf cfe -cf', {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: { rest: 'write' },
          options: [takes('search', '-C')],
        }),
      },
    },
    'scala-cli': {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('compile test doc', {
          ...checksOrBuilds(
            [
              flags('--watch -w --js --native --progress'),
              values('--jvm -S --scala --scala-version --test-only --server --platform --suppress-warning'),
            ],
            { rest: 'search' },
          ),
          judge: judgeTests,
        }),
        run: {
          ...runsProject,
          judge: judgeTests,
          options: [flags('--watch -w --js --native'), values('-S --scala --scala-version --jvm --main-class -M')],
        },
        fmt: {
          ...changesFiles,
          operands: { rest: 'write' },
          judge: judgeFormats,
          options: [flags('--check'), values('--scalafmt-dialect')],
        },
        version: readingManual,
      },
    },
    ...eachNamed('mvn mvnw', { level: 'high', judge: judgeTasks, options: jvm, style: 'words' }),
    ...eachNamed('gradle gradlew', { level: 'high', judge: judgeTasks, options: jvm, style: 'words' }),
    sbt: { level: 'high', judge: judgeTasks, options: jvm, style: 'words' },
    detekt: {
      level: 'low',
      operands: [],
      judge: judgeTests,
      others: 'high',
      options: [
        flags('--build-upon-default-config --all-rules --parallel --version'),
        values('--excludes'),
        takes('search', '-i --input -c --config'),
      ],
    },
  },
};
