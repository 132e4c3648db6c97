import type { TestExpression } from 'unbash';
import { refuse, type Scope, spend } from '../effects/scope';
import { plainNumber, resolve } from './words';

/** Judges what stands between `[[` and `]]`. */
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
      if (/^-[vR]$/.test(expression.operator))
        refuse(scope, expression.operand.text, 'This test runs what is between brackets.');
      return;
    case 'TestBinary': {
      for (const side of [expression.left, expression.right]) {
        // A regular expression may hold bare parentheses.
        if (expression.operator !== '=~' || /`|\$[({]|[<>]\(/.test(side.text)) resolve(side, scope);
        if (
          /^-(eq|ne|lt|le|gt|ge)$/.test(expression.operator) &&
          !plainNumber(side.text.replace(/^"?\$?\{?|\}?"?$/g, ''), scope)
        )
          refuse(scope, side.text, 'A comparison of numbers runs what its variables hold.');
      }
    }
  }
}
