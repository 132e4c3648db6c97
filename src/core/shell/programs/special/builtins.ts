import { joined, placeOf } from '../../syntax/place';
import { doubt, linkedPlaces, note, refuse, touch, writtenOnlyBy, type Scope } from '../../effects/scope';
import type { Judge } from '../../calls/manual';
import { judgeFound } from '../../calls/scriptText';

/** Goes to another folder: later paths are seen from there. */
export const judgeCd: Judge = ({ words, scope, whole }) => {
  const [target, ...more] = words.filter(({ text, kind }) => kind !== 'literal' || !/^-[LPe@]+$|^--$/.test(text));
  const each =
    target?.kind === 'glob' &&
    more.length === 0 &&
    /^(\.\/)?[a-z][\w-]*\/(\*\/?)$/i.test(target.text) &&
    placeOf(target, scope.cwd, scope.context.workspace).where === 'inside' &&
    linkedPlaces(target, scope).length === 0;
  if (each && scope.variables.size > 0) {
    scope.cwd = joined(scope.cwd ?? '.', target.text);
    return 'done';
  }
  if (more.length > 0 || target?.kind !== 'literal' || /^[-+]/.test(target.text)) {
    scope.cwd = undefined;
    if (target?.text === '-' && more.length === 0) note(scope, 'low', whole);
    else if (target || more.length > 0) doubt(scope, whole, 'Where it goes is only known when it runs.');
    else {
      scope.cwd = '~';
      note(scope, 'medium', whole, 'It leaves the workspace folder.');
    }
    return 'done';
  }
  const place = placeOf(target, scope.cwd, scope.context.workspace);
  if (place.where === 'outside') {
    note(scope, 'medium', whole, 'It leaves the workspace folder.');
    touch(scope, 'lists', target);
  }
  if (linkedPlaces(target, scope).length > 0) {
    touch(scope, 'lists', target);
    scope.cwd = undefined;
    return 'done';
  }
  scope.cwd = scope.cwd === undefined && place.where === 'unknown' ? undefined : joined('.', place.path);
  return 'done';
};

/** `-v` stores, and stores run what is between brackets. */
export const judgePrintf: Judge = ({ words, scope, whole }) => {
  if (words[0]?.text.startsWith('-') && words[0].text !== '--') refuse(scope, whole, 'It stores text in a variable.');
  return undefined;
};

export const judgeTest: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => /^-[vR]$/.test(text))) refuse(scope, whole, 'This test runs what is between brackets.');
  words.forEach(({ text }, at) => {
    const next = words[at + 1];
    if (/^-[efdsrwxLhbcpSugkOGN]$/.test(text) && next && next.kind === 'literal') touch(scope, 'lists', next);
  });
  return 'done';
};

/** Without words it shows every variable. */
export const judgeShellOptions: Judge = ({ words, scope, whole }) => {
  if (words.length === 0) refuse(scope, whole, 'It shows the variables, which may hold secrets.');
  return undefined;
};

/** `exec 2>&1`: without a command it only changes where later commands read and print. */
export const judgeRedirects: Judge = ({ words, scope, whole }) => {
  if (words.length > 0) return undefined;
  note(scope, 'medium', whole, 'It changes where later commands of this shell read and print.');
  return 'done';
};

/** Shows the variables it is given. */
export const judgePrintVariables: Judge = ({ words, scope, flow, whole }) => {
  if (words.length === 0 && flow.narrowed) {
    note(scope, 'medium', whole, 'It shows a part of the environment; secrets that are known are masked.');
    return 'done';
  }
  if (
    words.length > 0 &&
    words.every(
      ({ kind, text }) =>
        kind === 'literal' &&
        /^(PATH|HOME|USER|SHELL|LANG|LC_\w+|PWD|TERM|CI|NODE_ENV|EDITOR|TZ|VIRTUAL_ENV|GOPATH|JAVA_HOME)$/.test(text),
    )
  )
    note(scope, 'low', whole);
  else refuse(scope, whole, 'It shows variables that may hold secrets.');
  return 'done';
};

/** Whether nothing was written in this line but new environments of Python, by the programs that make them. */
const onlyEnvironmentsMade = (scope: Scope): boolean => writtenOnlyBy(scope, ({ whole }) => makesEnvironment(whole));

const makesEnvironment = (command: string): boolean =>
  /^(?:(?:python[\d.]*|py) -m venv|virtualenv|uv venv)(?: |$)/.test(command);

/** Only the environment of a Python project is known. */
export const judgeSource: Judge = ({ words, scope, whole }) => {
  const [file, ...more] = words;
  if (
    file?.kind === 'literal' &&
    /^(\.\/)?(\.?venv|env)\/bin\/activate$/.test(file.text) &&
    more.length === 0 &&
    scope.cwd === '.' &&
    onlyEnvironmentsMade(scope)
  )
    note(scope, 'medium', whole, 'It switches to the Python environment of the project.');
  else {
    const place = file && placeOf(file, scope.cwd, scope.context.workspace);
    if (file?.kind === 'literal' && place?.where === 'inside') judgeFound('file', place.path, '', scope, whole);
    refuse(scope, whole, 'It runs another file in this shell.');
  }
  return 'done';
};
