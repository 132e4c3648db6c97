import type { FileSnapshot, Files } from '../../ports/files';
import { maxChangedLines } from '../files/fileChange';
import { readIfThere, staleness } from '../files/changeFile';
import type { ToolContext } from '../../ports/tool';
import { withCommas } from '../../text/withCommas';

/**
 * A file while a patch is applied. `before` is null if the file does not exist, `after` is null if it is deleted.
 * `path` is spelled as in the risk analysis.
 */
export interface PatchDraft {
  readonly path: string;
  readonly before: FileSnapshot | null;
  after: string | null;
}

/** Files changed by one patch. Each is opened once, so that a later section sees the result of an earlier one. */
export class Drafts {
  private readonly drafts = new Map<string, PatchDraft>();

  /** With `keepsExisting`, added or moved files never overwrite existing ones. */
  constructor(
    private readonly files: Files,
    private readonly versionSeen: ToolContext['versionSeen'],
    private readonly keepsExisting = false,
  ) {}

  /** Opens a file. Throws if it has changed since the model read it. */
  async open(path: string): Promise<PatchDraft> {
    const before = await readIfThere(path, this.files);
    const key = before?.path ?? path;
    const known = this.drafts.get(key);
    if (known) return known;
    const stale = before && staleness(before, this.versionSeen(before.path));
    if (stale) throw new Error(stale);
    const fresh: PatchDraft = { path, before, after: before?.text ?? null };
    this.drafts.set(key, fresh);
    return fresh;
  }

  isSeen({ path, before }: PatchDraft): boolean {
    return this.versionSeen(before?.path ?? path) !== undefined;
  }

  /**
   * Replaces the whole text of a file, or deletes the file if `after` is null. The log only stores old lines up to a
   * limit. A longer file that the model never read is refused, because its text would be lost.
   */
  replace(draft: PatchDraft, after: string | null): void {
    const { before } = draft;
    const isKept = this.keepsExisting && draft.after !== null && after !== null;
    if (isKept) throw new Error(`${before?.path ?? draft.path} exists already.`);
    const isInLog = lineCount(before?.text ?? '') + lineCount(after ?? '') <= maxChangedLines;
    if (before && !isInLog && !this.isSeen(draft)) {
      const lines = withCommas(lineCount(before.text));
      const done = after === null ? 'deleted' : 'overwritten';
      throw new Error(`${before.path} has ${lines} lines and was not read yet, so it was not ${done}. Read it first.`);
    }
    draft.after = after;
  }

  /** Returns the drafts that differ from disk. */
  changed(): PatchDraft[] {
    return [...this.drafts.values()].filter(({ before, after }) => (before?.text ?? null) !== after);
  }
}

function lineCount(text: string): number {
  const lines = text.split('\n');
  return lines[lines.length - 1] === '' ? lines.length - 1 : lines.length;
}

/** Changes of a patch to one file, in either patch format. Errors use the terms of that format. */
export interface PatchSection {
  /** Every path that it would write, create, delete or rename. */
  readonly paths: readonly string[];
  /** Paths that are replaced completely if they exist. */
  readonly replaces: readonly string[];
  /**
   * Applies the change to the drafts without writing to disk. Resolves to what the model should check afterwards.
   * Throws an `Error` with a message for the model if the change cannot be made.
   */
  draft(drafts: Drafts): Promise<readonly string[]>;
}

/** Creates an error that refuses a patch, in sentences for the model: what is wrong, why, what to do. */
export function patchError(...sentences: readonly string[]): Error {
  return new Error(sentences.join(' '));
}
