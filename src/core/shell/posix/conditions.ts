import type { CompoundList, Statement, TestExpression } from 'unbash';
import { refuse, type Scope, spend } from '../effects/scope';
import { plainNumber, resolve } from './words';

type Node = Statement['command'];
type If = Extract<Node, { type: 'If' }>;
type Case = Extract<Node, { type: 'Case' }>;

/** `if a; then b; elif c; then d; else e; fi` */
export function judgeIf({ clause, then, elif, else: otherwise }: If, scope: Scope): void {
  const lists = [clause, then, ...elif.flatMap((one) => [one.clause, one.then])];
  judgeBranches(otherwise ? [...lists, otherwise] : lists, scope);
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

/** Judges lists of which some may not run. If they change the folder, the folder after them is unknown. */
export function judgeBranches(lists: readonly CompoundList[], scope: Scope): void {
  const start = scope.cwd;
  for (const list of lists) scope.analyser.judgeStatements(list.commands, scope);
  if (scope.cwd !== start) scope.cwd = undefined;
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
    if (operator !== '=~' || /`|\$[({]|[<>]\(/.test(side.text)) resolve(side, scope);
    if (comparesNumbers && !plainNumber(side.text.replace(/^"?\$?\{?|\}?"?$/g, ''), scope))
      refuse(scope, side.text, 'Compares numbers, which runs code in the compared variables.');
  }
}
