import type { Statement } from 'unbash';
import { forgetChanged, knownIn } from './possibleValues';
import type { Value } from '../syntax/value';
import { withVitalArguments } from '../verdict/arguments';
import { doubt, note, TooMuch, type Scope } from '../effects/scope';

type Node = Statement['command'];
type FunctionNode = Extract<Node, { type: 'Function' }>;
type FunctionBody = FunctionNode['body'];

/** Functions that shells call by themselves: before a prompt, at exit, or for an unknown command. */
const startedByShell =
  /^(?:precmd|preexec|chpwd|periodic|zshaddhistory|zshexit|command_not_found_hand\w*|TRAP\w+|PROMPT_COMMAND)$|_functions$/;

/**
 * Judges a function definition. The body runs only when the function is called; calls in the same line are judged
 * there, and later commands do not know the name. A function with the name of a program, or one that the shell calls by
 * itself, would run instead of another command.
 */
export function judgeFunction({ name, body }: FunctionNode, scope: Scope): void {
  if (multiplies(body, name.text)) {
    scope.effects.push({
      kind: 'other',
      level: 'high',
      floor: true,
      reason: 'Starts copies of itself without end.',
      culprit: name.text,
      part: scope.text.trim(),
    });
  }
  const statements = statementsOf(body);
  const isNewName =
    /^[A-Za-z_][\w-]*$/.test(name.text) &&
    scope.analyser.programNamed(name.text) === undefined &&
    !startedByShell.test(name.text);
  if (isNewName && statements.length > 0 && body.type !== 'Redirected') {
    scope.functions.set(name.text, statements);
    note(scope, 'medium', name.text, 'Defines a function of the shell.');
  } else {
    doubt(scope, name.text, `Makes ${name.text.slice(0, 60)} run another command.`);
  }
  const before = knownIn(scope);
  scope.analyser.judgeStatements(statements, { ...scope, variables: new Map(), functions: new Map(scope.functions) });
  forgetChanged(scope, before);
}

/**
 * Judges a call of a function defined in this line. Its arguments may be anything, because it may change them, and it may
 * set variables.
 */
export function judgeCall(statements: readonly Statement[], words: readonly Value[], scope: Scope): void {
  if (scope.depth >= 8) throw new TooMuch('Is nested too deeply to judge.');
  withVitalArguments(words, scope, (given) => scope.analyser.judgeStatements(statements, given));
  const inside = { ...scope, depth: scope.depth + 1 };
  const before = knownIn(scope);
  scope.analyser.judgeStatements(statements, inside);
  // Variables may be local, and a function may return early.
  forgetChanged(scope, before);
  scope.cwd = inside.cwd;
  scope.formerly = inside.formerly;
}

function statementsOf(body: FunctionBody): readonly Statement[] {
  const inside = body.type === 'Redirected' ? body.command : body;
  switch (inside.type) {
    case 'CompoundList':
      return inside.commands;
    case 'BraceGroup':
    case 'Subshell':
      return inside.body.commands;
    default:
      return [];
  }
}

/** Returns whether a function calls itself more than once or in the background (a fork bomb). */
function multiplies(body: FunctionBody, name: string): boolean {
  const isSelf = (node: Node): boolean => node.type === 'Command' && node.name?.text === name;
  return statementsOf(body).some(({ command, background }) =>
    command.type === 'Pipeline'
      ? command.commands.filter(isSelf).length > 1 || (background === true && command.commands.some(isSelf))
      : background === true && isSelf(command),
  );
}
