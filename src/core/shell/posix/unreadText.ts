import type { Scope } from '../effects/scope';
import { onlyBelowFloor } from '../verdict/floor';

const expansion = /\$(?:(\w+)|\{(\w+)(?::?[-=]([^{}]*))?\})/g;

/**
 * Replaces variables by the values that the line gives them, without regard to quotes and white space, so that
 * `x="rm -rf /"; $x` becomes readable. Others become their default, as in `${x:-/}`, or stay, without braces. Only for a
 * search for commands below the floor.
 */
export const withKnownValues = (text: string, { variables }: Scope): string =>
  text.replace(expansion, (written, plain?: string, braced?: string, fallback?: string) => {
    const value = variables.get(plain ?? braced ?? '');
    if (value?.kind === 'literal') return value.text;
    return fallback ?? (braced === undefined ? written : `$${braced}`);
  });

/**
 * Records what is below the floor in something that may run. Its programs are not reported as started: their folder and
 * words may be others.
 */
export function judgePossible(scope: Scope, judge: (inside: Scope) => void): void {
  const { started: _notReported, ...context } = scope.context;
  onlyBelowFloor({ ...scope, context }, judge);
}

export const judgePossibleText = (text: string, scope: Scope): void =>
  judgePossible(scope, (inside) => inside.analyser.judgeText(text, inside));
