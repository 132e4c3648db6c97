import type { CompoundList, Statement, TestExpression } from 'unbash';
import { evaluatesWords } from '../effects/context';
import { refuse, refuseFloor, type Scope, spend, type Flow } from '../effects/scope';
import { forgetChanged, knownIn } from './possibleValues';
import { evaluatesNames, plainNumber, resolve } from './words';
import { settable } from '../syntax/environmentNames';
import { literal, unknown, type Value } from '../syntax/value';
import { onlyBelowFloor } from '../verdict/floor';

type If = Extract<Statement['command'], { type: 'If' }>;
type Case = Extract<Statement['command'], { type: 'Case' }>;

/** `if a; then b; elif c; then d; else e; fi` */
export function judgeIf({ clause, then, elif, else: otherwise }: If, scope: Scope): void {
  const lists = [then, ...elif.flatMap((one) => [one.clause, one.then])];
  const { cwd } = scope;
  scope.analyser.judgeStatements(clause.commands, scope);
  judgeBranches(otherwise ? [...lists, otherwise] : lists, scope);
  if (scope.cwd !== cwd) scope.cwd = undefined;
}

/** `case word in pattern) a;; esac` */
export function judgeCase({ word, items }: Case, scope: Scope): void {
  resolve(word, scope);
  for (const { pattern } of items) for (const one of pattern) resolve(one, scope);
  judgeBranches(
    items.map(({ body }) => body),
    scope,
  );
}

/**
 * Judges lists of which some may not run. If they change the folder, the folder after them is unknown, and so are
 * variables that they change. Returns whether they change some.
 */
function judgeBranches(lists: readonly CompoundList[], scope: Scope): boolean {
  const start = scope.cwd;
  let changed = false;
  for (const list of lists) {
    const before = knownIn(scope);
    scope.analyser.judgeStatements(list.commands, scope);
    if (forgetChanged(scope, before)) changed = true;
  }
  if (scope.cwd !== start) scope.cwd = undefined;
  return changed;
}

/** Judges the expression inside `[[ … ]]`. */
export function judgeTest(expression: TestExpression, scope: Scope): void {
  spend(scope);
  switch (expression.type) {
    case 'TestLogical':
      for (const one of expression.operands) judgeTest(one, scope);
      return;
    case 'TestNot':
      return judgeTest(expression.operand, scope);
    case 'TestGroup':
      return judgeTest(expression.expression, scope);
    case 'TestUnary':
      resolve(expression.operand, scope);
      // `-v name[index]` evaluates the index.
      if (/^-[vR]$/.test(expression.operator))
        refuse(scope, expression.operand.text, 'Runs the code between brackets in a test.');
      if (expression.operator === '-t' && evaluatesWords(scope.context) && !plainNumber(expression.operand.text, scope))
        refuse(scope, expression.operand.text, evaluatesNames);
      return;
    case 'TestBinary':
      judgeComparison(expression, scope);
  }
}

type Comparison = Extract<TestExpression, { type: 'TestBinary' }>;

function judgeComparison({ operator, left, right }: Comparison, scope: Scope): void {
  const comparesNumbers = /^-(eq|ne|lt|le|gt|ge)$/.test(operator);
  for (const side of [left, right]) {
    // A regular expression may contain unquoted parentheses.
    const values = operator !== '=~' || /`|\$[({]|[<>]\(/.test(side.text) ? resolve(side, scope) : [];
    const printsNumbers =
      values.length > 0 && values.every(({ kind, text }) => kind === 'literal' && /^\d+$/.test(text));
    if (comparesNumbers && !printsNumbers && !plainNumber(side.text.replace(/^"?\$?\{?|\}?"?$/g, ''), scope))
      refuse(scope, side.text, 'Compares numbers, which runs code in the compared variables.');
  }
}

type For = Extract<Statement['command'], { type: 'For' }>;
type While = Extract<Statement['command'], { type: 'While' }>;

/** `for name in words; do body; done`: the body is judged once per word. */
export function judgeFor({ name, wordlist, body }: For, scope: Scope): void {
  refuseBackground([body], scope);
  const values = wordlist?.flatMap((word) => resolve(word, scope));
  if (!values || !settable(name.value)) {
    refuse(scope, name.text, 'Loops over items that are not written out.');
    return onlyBelowFloor(scope, (inside) => void judgeBranches([body], inside));
  }
  let changed = false;
  for (const value of values) {
    scope.variables.set(name.value, value);
    if (judgeBranches([body], scope)) changed = true;
  }
  // A pattern stands for several words, and `break` ends the loop at any of them.
  const isOne = values.length === 1 && values[0]!.kind === 'literal';
  if (changed && !isOne) judgeBranches([body], scope);
  if (!isOne) scope.variables.set(name.value, unknown('', name.text));
}

/**
 * `while clause; do body; done`. If the clause is `read NAME` and its input is known (paths from a pipe, or the lines
 * of a file), the body is judged once per line.
 */
export function judgeWhile({ clause, body }: While, scope: Scope, flow: Flow): void {
  refuseBackground([clause, body], scope);
  if (startsWithoutEnd(clause, body)) refuseFloor(scope, '&', 'Starts processes without end.');
  const name = nameRead(clause);
  const values = flow.paths ?? fileLines(flow.lines, scope);
  if (name === undefined || values === undefined) {
    const changes = judgeBranches([clause, body], scope);
    // What it changed has another value the next time.
    if (changes) judgeBranches([clause, body], scope);
    return;
  }
  judgeBranches([clause], scope);
  for (const value of values) {
    spend(scope);
    scope.variables.set(name, value);
    judgeBranches([body], scope);
  }
  scope.variables.set(name, unknown('', name));
}

/** A loop that starts background processes may start any number of them. */
function refuseBackground(lists: readonly CompoundList[], scope: Scope): void {
  if (lists.some(({ commands }) => commands.some(({ background }) => background)))
    refuse(scope, '&', 'Leaves any number of processes running.');
}

/** Returns whether a loop never ends or waits and starts a process in the background each time. */
function startsWithoutEnd(clause: CompoundList, body: CompoundList): boolean {
  const names = ({ commands }: CompoundList): (string | undefined)[] =>
    commands.map(({ command }) => (command.type === 'Command' ? command.name?.text : undefined));
  const isEndless = names(clause).every((name) => name === 'true' || name === ':');
  const waits = names(body).some((name) => name === undefined || /^(?:sleep|wait|read|break|exit|return)$/.test(name));
  return isEndless && !waits && body.commands.some(({ background }) => background);
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
