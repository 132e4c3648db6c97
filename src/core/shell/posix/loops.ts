import type { CompoundList, Statement } from 'unbash';
import { type Flow, refuse, type Scope, spend } from '../effects/scope';
import { settable } from '../syntax/environmentNames';
import { literal, type Value } from '../syntax/value';
import { judgeBranches } from './conditions';
import { resolve } from './words';

type Node = Statement['command'];
type For = Extract<Node, { type: 'For' }>;
type While = Extract<Node, { type: 'While' }>;

/** `for name in words; do body; done`: the body is judged once per word. */
export function judgeFor({ name, wordlist, body }: For, scope: Scope): void {
  refuseBackground([body], scope);
  const values = wordlist?.flatMap((word) => resolve(word, scope));
  if (!values || !settable(name.value)) return refuse(scope, name.text, 'Loops over items that are not written out.');
  for (const value of values) {
    scope.variables.set(name.value, value);
    judgeBranches([body], scope);
  }
}

/**
 * `while clause; do body; done`. If the clause is `read NAME` and its input is known (paths from a pipe, or the lines
 * of a file), the body is judged once per line.
 */
export function judgeWhile({ clause, body }: While, scope: Scope, flow: Flow): void {
  refuseBackground([clause, body], scope);
  const name = nameRead(clause);
  const values = flow.paths ?? fileLines(flow.lines, scope);
  if (name === undefined || values === undefined) return judgeBranches([clause, body], scope);
  judgeBranches([clause], scope);
  for (const value of values) {
    spend(scope);
    scope.variables.set(name, value);
    judgeBranches([body], scope);
  }
}

/** A loop that starts background processes may start any number of them. */
function refuseBackground(lists: readonly CompoundList[], scope: Scope): void {
  if (lists.some(({ commands }) => commands.some(({ background }) => background)))
    refuse(scope, '&', 'Leaves any number of processes running.');
}

/** Returns the variable that `read -r NAME` sets, or undefined if the clause is anything else. */
function nameRead({ commands: [statement, ...more] }: CompoundList): string | undefined {
  const command = statement?.command;
  if (more.length > 0 || command?.type !== 'Command' || command.name?.text !== 'read') return undefined;
  const names = command.args.map((argument) => argument.text).filter((text) => !/^-[rsE]+$/.test(text));
  const [name] = names;
  return names.length === 1 && name !== undefined && settable(name) ? name : undefined;
}

/** Maximum number of different lines of a file that a loop is judged for. */
const maxLines = 100;

/** Returns the lines of a file without duplicates, or undefined if they are unknown or too many. */
function fileLines(path: string | undefined, { context, written }: Scope): readonly Value[] | undefined {
  if (path === undefined || written.has(path)) return undefined;
  const text = context.lookUp?.('text', path, '.')?.text;
  if (text === undefined) return undefined;
  const trimmed = text.split('\n').map((line) => line.trim());
  const lines = [...new Set(trimmed.filter((line) => line !== ''))];
  return lines.length > maxLines ? undefined : lines.map((line) => literal(line));
}
