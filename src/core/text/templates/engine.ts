/**
 * The template package, loaded on first use. It does not export all of its value classes; the missing ones are derived
 * from those it exports.
 */
type Jinja = typeof import('@huggingface/jinja');
export type Scope = InstanceType<Jinja['Environment']>;
export type Value = ReturnType<Scope['lookupVariable']>;

export interface Engine {
  readonly jinja: Jinja;
  /** Returns the word of `known` that `word` is probably a typo of. */
  likelyWord(word: string, known: readonly string[]): string | undefined;
}

export async function loadEngine(): Promise<Engine> {
  const [
    jinja,
    {
      default: { closest, distance },
    },
  ] = await Promise.all([import('@huggingface/jinja'), import('fastest-levenshtein')]);
  return {
    jinja,
    likelyWord(word, known) {
      const near = closest(word, known);
      return near !== undefined && distance(word, near) <= Math.max(2, Math.floor(word.length / 3)) ? near : undefined;
    },
  };
}

/** A number that prints like a Python float: 2.0. */
export class Float {
  constructor(readonly value: number) {}
}

/**
 * Returns a function that converts plain values to values of the package. Objects become mappings without a prototype.
 */
export function valuesOf({ jinja: { Environment } }: Engine): (plain: unknown) => Value {
  const FloatValue = new Environment().set('half', 0.5).constructor as new (value: number) => Value;
  return (plain) => (plain instanceof Float ? new FloatValue(plain.value) : new Environment().set('value', plain));
}
