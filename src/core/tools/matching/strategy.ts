/** A stretch of a text, in UTF-16 units. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** One way to find a quoted text that may not stand there letter by letter. */
export interface Strategy {
  readonly name: string;
  /** How what was found differs, for the model: "only the indentation differs". Nothing for the exact text. */
  readonly differs?: string;
  /** True where a find is a likeness and no equality: then several are never replaced at once. */
  readonly approximate?: boolean;
  /** True where only whole lines are found. */
  readonly wholeLines?: true;
  /** All places that do not overlap, in order. */
  places(text: string, part: string): Place[] | Promise<Place[]>;
  /** The new text in the form that the place asks for: `found` is what stands there, `part` what was quoted. */
  adapt?(replacement: string, found: string, part: string): string;
}
