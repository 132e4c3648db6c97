import type { Statement } from 'unbash';
import { doubt, note, TooMuch, type Scope } from '../effects/scope';

type Node = Statement['command'];
type FunctionNode = Extract<Node, { type: 'Function' }>;
type FunctionBody = FunctionNode['body'];

/** Functions that a shell starts by itself: before each prompt, at its end, or where a command is missing. */
const startedByShell =
  /^(?:precmd|preexec|chpwd|periodic|zshaddhistory|zshexit|command_not_found_hand\w*|TRAP\w+|PROMPT_COMMAND)$|_functions$/;

/**
 * A function does nothing until its name is used. In this line it is judged again there; later commands do not know
 * the name. One
 * that takes the name of a program, or that the shell starts by itself, would run behind another command.
 */
export function judgeFunction({ name, body }: FunctionNode, scope: Scope): void {
  if (multiplies(body, name.text)) {
    scope.effects.push({
      kind: 'other',
      level: 'high',
      floor: true,
      reason: 'It starts copies of itself without end.',
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
    note(scope, 'medium', name.text, 'It defines a function of the shell.');
  } else {
    doubt(scope, name.text, `It makes ${name.text.slice(0, 60)} mean another command.`);
  }
  scope.analyser.judgeStatements(statements, { ...scope, variables: new Map(), functions: new Map(scope.functions) });
}

/** What a function of this line does where its name is used. It may be told anything, and may set variables. */
export function judgeCall(statements: readonly Statement[], scope: Scope): void {
  if (scope.depth >= 8) throw new TooMuch('It is nested too deeply to judge.');
  const inside = { ...scope, depth: scope.depth + 1 };
  scope.analyser.judgeStatements(statements, inside);
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

/** A function that starts itself more than once, or behind its own back. */
function multiplies(body: FunctionBody, name: string): boolean {
  const isSelf = (node: Node): boolean => node.type === 'Command' && node.name?.text === name;
  return statementsOf(body).some(({ command, background }) =>
    command.type === 'Pipeline'
      ? command.commands.filter(isSelf).length > 1 || (background === true && command.commands.some(isSelf))
      : background === true && isSelf(command),
  );
}
