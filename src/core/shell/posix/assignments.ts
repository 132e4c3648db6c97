import type { Assignment } from 'unbash';
import { environmentProblem, loadsWorkspace, settable } from '../syntax/environmentNames';
import { doubt, note, refuse, reportStarted, type Scope } from '../effects/scope';
import { loadWorkspace } from '../calls/scriptText';
import { literal, unknown, type Value } from '../syntax/value';
import { resolve } from './words';

/**
 * Returns the values of an argument that looks like `a=b`. It is a plain word to the command, but may contain
 * substitutions, which are judged. Of an array, only the name is returned.
 */
export function assignmentWord({ value, text, name }: Assignment, scope: Scope): Value[] {
  if (value.type !== 'Word') {
    for (const element of value.elements) resolve(element, scope);
    return [literal(name, text)];
  }
  return resolve(value, scope).map((one) => ({ ...one, text: `${name}=${one.text}`, source: text }));
}

/** Judges `name=value`, alone or before a command. */
export function judgeAssignment(assignment: Assignment, forCommand: boolean, scope: Scope): void {
  const { name, value, index, append, text } = assignment;
  // An array index is arithmetic, which evaluates the values of variables as code.
  const isPlace = index === undefined || /^\d+$/.test(index.text);
  const isOfList = value.type !== 'Word' || index !== undefined || append === true;
  if (!isPlace || (isOfList && (forCommand || !settable(name))))
    return refuse(scope, text, 'Sets a variable in a way that may run code.');
  if (value.type !== 'Word') {
    for (const element of value.elements) resolve(element, scope);
    return setUnknown(name, text, scope);
  }
  const [found, ...more] = resolve(value, scope);
  if (!found || more.length > 0) return doubt(scope, text, 'Sets a variable in a way that is not known to be safe.');
  if (isOfList) return setUnknown(name, text, scope);
  reportStarted([literal('env'), { ...found, text: `${name}=${found.text}` }], scope);
  if (scope.context.started && !forCommand) scope.variables.set(name, found);
  const problem = environmentProblem(name, found, scope.context.confined);
  if (forCommand) {
    if (problem) refuse(scope, text, problem);
    else if (loadsWorkspace(name, found)) loadWorkspace(found, scope, text);
    return;
  }
  const isHarmless = settable(name) || (problem === undefined && !loadsWorkspace(name, found));
  if (!isHarmless) return refuse(scope, text, 'Sets a variable that can change what later commands do.');
  scope.variables.set(name, found);
  note(scope, 'medium', text, 'Sets a variable of the shell.');
}

/** Records an array or an appended value, whose content is not tracked. */
function setUnknown(name: string, text: string, scope: Scope): void {
  scope.variables.set(name, unknown('', text));
  note(scope, 'medium', text, 'Sets a variable of the shell.');
}
