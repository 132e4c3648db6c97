import { flags, values } from '../../calls/options';
import { judgeRole } from '../../calls/judgeByManual';
import { optionTable, readArguments } from '../../calls/options';
import { placeOf } from '../../syntax/place';
import { judgeForwardedArguments } from '../../calls/forwardedArguments';
import { doubt, note, refuse, run, touch, type Scope } from '../../effects/scope';
import type { Value } from '../../syntax/value';
import type { Judge } from '../../calls/manual';

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

/** Memory, and switches of the machine that start nothing. `-XX:OnError=…` would run a command. */
const harmlessSetting =
  /^-(?:X(?:mx|ms|ss|mn)\d+[kKmMgG]?|Xint|Xlog:gc|XX:[+-][A-Z]\w*|XX:(?!On|Flags|VMOptions)[A-Z]\w*=\w+|ea(?::[\w.]+)?|D[\w.]+(?:=[\w.,:@+-]*)?)$/;

/** `java -cp out Main`: runs classes of the workspace. */
export const judgeJava: Judge = ({ words, scope, whole }) => {
  // What stands behind the archive or the module are words of the program.
  const chosen = words.findIndex(({ text }) => /^(?:-jar|-m|--module)$/.test(text));
  const { options, rest } = readArguments(chosen < 0 ? words : words.slice(0, chosen), table, 'words', true);
  const only = options.length === 1 && rest.length === 0 && chosen < 0 ? options[0]!.name : '';
  if (/^(?:--?version|-help|--help|-h)$/.test(only)) {
    note(scope, 'low', whole);
    return 'done';
  }
  for (const { option, name, value, culprit } of options) {
    if (!option) {
      if (!harmlessSetting.test(culprit))
        doubt(scope, culprit, `What the option ${name.slice(0, 60)} of "java" does is not known.`);
    } else if (value && /^(?:-cp|-classpath|--class-path|-p|--module-path)$/.test(name)) {
      judgeClassPath(value, scope);
    }
  }
  const [first, ...more] = chosen < 0 ? rest : words.slice(chosen + 1);
  if (!first) {
    note(scope, 'low', whole);
    return 'done';
  }
  note(scope, 'medium', whole, 'It runs code of this project.');
  const isFile = words[chosen]?.text === '-jar' || /\.java$/.test(first.text);
  const isNamed = first.kind === 'literal' && /^[A-Za-z_$][\w.$/]*$/.test(first.text);
  if (isFile) judgeRole('script', first, scope, whole);
  else if (isNamed) run(scope, [first, ...more].map(({ text }) => text).join(' '), whole);
  else doubt(scope, first.source, 'What it runs is only known when it runs.');
  judgeForwardedArguments(more, scope);
  return 'done';
};

/** Folders and archives of the workspace. Code from elsewhere may be anything. */
export function judgeClassPath(value: Value, scope: Scope): void {
  if (value.kind === 'unknown') return doubt(scope, value.source, 'Which code it loads is only known when it runs.');
  for (const part of value.text.split(/[:;]/).filter((text) => text !== '')) {
    const place = { ...value, text: part };
    if (placeOf(place, scope.cwd, scope.context.workspace).where !== 'inside')
      refuse(scope, value.source, 'It runs a program outside the workspace.');
    else touch(scope, 'searches', place);
  }
}
