/** A range of a text, in UTF-16 code units. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A way to find a quoted text that may not match exactly. */
export interface Strategy {
  readonly name: string;
  /** How the match may differ, for the model: "only the indentation differs". Absent for the exact strategy. */
  readonly differs?: string;
  /** True if matches are similar rather than equal. Such matches are never replaced all at once. */
  readonly approximate?: boolean;
  /** Set if only whole lines match. */
  readonly wholeLines?: true;
  /** Returns all matches in order, not overlapping. */
  places(text: string, part: string): Place[] | Promise<Place[]>;
  /** Adapts the new text to the place: `found` is the text in the file, `part` the quoted text. */
  adapt?(replacement: string, found: string, part: string): string;
}
