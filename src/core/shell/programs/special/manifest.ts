import { fieldsAt } from '../../files/manifestFields';
import { placeOf } from '../../syntax/place';
import { doubt, note, refuse, type Scope } from '../../effects/scope';
import { literal, type Value } from '../../syntax/value';
import type { Judge } from '../../calls/manual';

const byItself = (reason: string, culprit: string, scope: Scope): void => {
  scope.effects.push({ kind: 'other', level: 'high', guarded: true, reason, culprit });
};

function judgeField(path: string, value: Value, verb: 'changes' | 'takes away', scope: Scope): void {
  for (const { field, script, says, byItself: always } of fieldsAt(path)) {
    const what =
      script !== undefined
        ? `the script “${script}” of package.json${always ? ', which runs by itself when packages are installed or published' : ''}`
        : says === undefined
          ? 'the scripts of package.json'
          : `“${field}” in package.json, which says ${says}`;
    if (always && verb === 'changes') byItself(`It ${verb} ${what}.`, value.source, scope);
    else refuse(scope, value.source, `It ${verb} ${what}.`);
  }
}

/** `npm pkg set FIELD=VALUE`, `npm pkg delete FIELD`: what makes others run something is asked about, other fields are plain settings. */
export const judgePackageFields: Judge = ({ name, words, scope, whole }) => {
  const deletes = name.endsWith('delete');
  if (
    scope.cwd === undefined ||
    placeOf(literal('package.json'), scope.cwd, scope.context.workspace).where !== 'inside'
  )
    refuse(scope, whole, 'It changes package.json of another folder.');
  for (const word of words) {
    if (/^(--json|-s|--silent)$/.test(word.text)) continue;
    const path = deletes ? word.text : /^([^=]+)=/s.exec(word.text)?.[1];
    if (word.kind === 'unknown' || word.text.startsWith('-') || path === undefined) {
      doubt(scope, word.source, 'Which field of package.json it changes is not written out.');
      continue;
    }
    if (
      !deletes &&
      /^((dev|peer|optional)?dependencies|bundled?Dependencies|overrides|resolutions|pnpm\.overrides)\b/i.test(path)
    )
      refuse(scope, word.source, 'It declares another package, which the next installation downloads.');
    judgeField(path, word, deletes ? 'takes away' : 'changes', scope);
  }
  if (!deletes) scope.written.add('package.json');
  note(scope, 'medium', whole, 'It changes package.json.');
  return 'done';
};

/** `npm set-script NAME COMMAND`. */
export const judgeSetScript: Judge = ({ words: [script], scope, whole }) => {
  if (script?.kind === 'literal') judgeField(`scripts.${script.text}`, script, 'changes', scope);
  else doubt(scope, whole, 'Which script it changes is only known when it runs.');
  scope.written.add('package.json');
  return 'done';
};
