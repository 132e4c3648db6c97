/**
 * What a shell word stands for, as far as the text says. `glob`: a pattern of paths; `hidden` when it also finds
 * names that begin with a dot.
 * `unknown`: only known when it runs; `text` then holds the part in front that is written down.
 */
export interface Value {
  readonly kind: 'literal' | 'glob' | 'unknown';
  readonly text: string;
  /** As it stands in the command. */
  readonly source: string;
  readonly hidden?: boolean;
  /** It, or a part of it, is what a substitution prints. */
  readonly computed?: true;
}

export const literal = (text: string, source = text): Value => ({ kind: 'literal', text, source });
export const glob = (text: string, source = text, hidden = false): Value => ({
  kind: 'glob',
  text,
  source,
  ...(hidden && { hidden }),
});
export const unknown = (text: string, source = text): Value => ({ kind: 'unknown', text, source });
