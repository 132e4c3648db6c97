/** A name in a file. `symbol` is searched for in `line`, which is 1-based. */
export interface CodePlace {
  readonly path: string;
  readonly line: number;
  readonly symbol: string;
}

/** A location reported by a language service. Line and column are 1-based. */
export interface CodeLocation {
  /** Path as tools write it; absolute outside the workspace. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** True if tools may read it. */
  readonly isInside: boolean;
}

/** A name that a file declares. `depth` is 0 for top-level symbols. */
export interface CodeSymbol {
  readonly name: string;
  /** Such as "function" or "class". */
  readonly kind: string;
  readonly fromLine: number;
  readonly toLine: number;
  readonly depth: number;
}

/** A code action that a language service offers for some lines. */
export interface OfferedAction {
  readonly title: string;
  /** Such as "quickfix" or "refactor.extract.function". Empty if it has none. */
  readonly kind: string;
  /** False if it runs an editor command, whose effect cannot be previewed. */
  readonly isEdit: boolean;
}

/** Lines of a file, 1-based and inclusive. */
export interface LineRange {
  readonly path: string;
  readonly fromLine: number;
  readonly toLine: number;
}

/** Problems in the files that language services have checked. */
export interface KnownProblems {
  /** "src/a.ts:3:5 error ts(2322): …", errors first. */
  readonly lines: readonly string[];
  readonly errors: number;
  readonly warnings: number;
}

/**
 * The complete new text of a file, as in `FileWrite`. `expected` is the version it is based on, or null if there is no
 * file yet.
 */
export interface PlannedWrite {
  readonly path: string;
  readonly text: string;
  readonly expected: string | null;
}

/**
 * The language services of an editor. Each method throws an `Error` with a message for the model if the position is
 * wrong or no service answers, which editors do not distinguish from an empty result.
 */
export interface CodeServices {
  references(place: CodePlace, signal: AbortSignal): Promise<readonly CodeLocation[]>;
  definitions(place: CodePlace, signal: AbortSignal): Promise<readonly CodeLocation[]>;
  symbols(path: string, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  /** Problems of one file, or of all files that services reported on. */
  problems(path: string | undefined, signal: AbortSignal): Promise<KnownProblems>;
  /** Returns the edits of a rename without applying them. */
  rename(place: CodePlace, name: string, signal: AbortSignal): Promise<readonly PlannedWrite[]>;
  actions(range: LineRange, signal: AbortSignal): Promise<readonly OfferedAction[]>;
  /** Returns the edits of the code action with that title without applying them. */
  applying(range: LineRange, title: string, signal: AbortSignal): Promise<readonly PlannedWrite[]>;
}
