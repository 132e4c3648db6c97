/** A name in a file. `symbol` is looked for in the line, which is counted from 1. */
export interface CodePlace {
  readonly path: string;
  readonly line: number;
  readonly symbol: string;
}

/** A place that a language service told. Line and column are counted from 1. */
export interface CodeLocation {
  /** As the tools spell it; absolute outside the workspace. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** Whether tools may read it. */
  readonly isInside: boolean;
}

/** A name that a file declares. `depth`: 0 for the outermost. */
export interface CodeSymbol {
  readonly name: string;
  /** "function", "class". */
  readonly kind: string;
  readonly fromLine: number;
  readonly toLine: number;
  readonly depth: number;
}

/** Something that a language service offers to do about some lines. */
export interface OfferedAction {
  readonly title: string;
  /** "quickfix", "refactor.extract.function"; empty where it has none. */
  readonly kind: string;
  /** False where it runs a command of the editor: what that would do cannot be shown before. */
  readonly isEdit: boolean;
}

/** Lines of a file, counted from 1; both ends belong to it. */
export interface LineRange {
  readonly path: string;
  readonly fromLine: number;
  readonly toLine: number;
}

/** What is wrong in files, as far as language services looked at them. */
export interface KnownProblems {
  /** "src/a.ts:3:5 error ts(2322): …", errors first. */
  readonly lines: readonly string[];
  readonly errors: number;
  readonly warnings: number;
}

/**
 * A whole text that a file would get, as `FileWrite`: `expected` is the version it was
 * made from, null where there is no file yet.
 */
export interface PlannedWrite {
  readonly path: string;
  readonly text: string;
  readonly expected: string | null;
}

/**
 * The language services of an editor. Each method throws an `Error` in words for the model where the place is wrong or
 * where no service answers, which editors do not tell from having nothing to say.
 */
export interface CodeServices {
  references(place: CodePlace, signal: AbortSignal): Promise<readonly CodeLocation[]>;
  definitions(place: CodePlace, signal: AbortSignal): Promise<readonly CodeLocation[]>;
  symbols(path: string, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  /** Of one file, or of all that services spoke of. */
  problems(path: string | undefined, signal: AbortSignal): Promise<KnownProblems>;
  /** What a rename would write. Nothing is changed by asking. */
  rename(place: CodePlace, name: string, signal: AbortSignal): Promise<readonly PlannedWrite[]>;
  actions(range: LineRange, signal: AbortSignal): Promise<readonly OfferedAction[]>;
  /** What the action of that title would write. */
  applying(range: LineRange, title: string, signal: AbortSignal): Promise<readonly PlannedWrite[]>;
}
