import type { Scope } from '../effects/scope';

const expansion = /\$(?:(\w+)|\{(\w+)(?::?[-=]([^{}]*))?\})/g;

/**
 * Replaces variables by the values that the line gives them, without regard to quotes and white space, so that
 * `x="rm -rf /"; $x` becomes readable. Others become their default, as in `${x:-/}`, or stay. Only for a search for
 * commands below the floor.
 */
export const withKnownValues = (text: string, { variables }: Scope): string =>
  text.replace(expansion, (written, plain?: string, braced?: string, fallback?: string) => {
    const value = variables.get(plain ?? braced ?? '');
    return value?.kind === 'literal' ? value.text : (fallback ?? written);
  });
