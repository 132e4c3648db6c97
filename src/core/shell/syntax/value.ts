/**
 * The value of a shell word, as far as the text determines it. `glob`: a pattern of paths, `hidden` if it also matches
 * dot files. `unknown`: known only at run time; `text` is then the literal prefix.
 */
export interface Value {
  readonly kind: 'literal' | 'glob' | 'unknown';
  readonly text: string;
  /** The word as written in the command. */
  readonly source: string;
  readonly hidden?: boolean;
  /** True if it is, or contains, the output of a substitution. */
  readonly computed?: true;
  /** True for the value of a variable that cannot be set again. */
  readonly fixed?: true;
}

export const literal = (text: string, source = text): Value => ({ kind: 'literal', text, source });
export const glob = (text: string, source = text): Value => ({ kind: 'glob', text, source });
/** A pattern that also matches dot files. */
export const globWithDotFiles = (text: string, source = text): Value => ({ ...glob(text, source), hidden: true });
export const unknown = (text: string, source = text): Value => ({ kind: 'unknown', text, source });

/** Splits a list of names at white space. */
export const splitWords = (list: string): string[] => list.split(/\s+/).filter(Boolean);
