/**
 * Files inside the workspace folders. One resolver handles every path: it resolves `..`, symlinks and spelling before
 * any access, and throws a `FileProblem` with code `outside` for paths outside the folders.
 */
export interface Files {
  /** Throws a `FileProblem` with code missing, folder, binary, too_large, outside, not_permitted or special. */
  read(path: string): Promise<FileSnapshot>;
  /** Returns the bytes of a file on disk, at most `most`. Throws a `FileProblem` like `read`, but never `binary`. */
  readBytes(path: string, most: number): Promise<FileBytes>;
  /**
   * Writes all changes or none. `expected` is the version the new text is based on; null means the file must not exist.
   * If a file has changed meanwhile, the call throws a `FileProblem` with code `changed`. Keeps EOL, BOM, encoding and
   * mode. `text: null` deletes the file.
   */
  write(changes: readonly FileWrite[]): Promise<FileSnapshot[]>;
  /**
   * Moves one file of any type and creates missing folders. Keeps its bytes and mode, and never overwrites.
   * `expected` is the version of its text, or null if it has no text. Resolves to the new path.
   */
  move(from: string, to: string, expected: string | null): Promise<string>;
  /**
   * Deletes one file of any type and resolves to its path. Like `move`, refuses symbolic links instead of following
   * them.
   */
  remove(path: string, expected: string | null): Promise<string>;
  /**
   * Lists entries below `path`, folders first, down to `depth` levels and at most `limit`. Skips what .gitignore
   * ignores.
   */
  list(
    path: string,
    options: { depth: number; limit: number },
  ): Promise<{ entries: DirectoryEntry[]; truncated: boolean }>;
}

/** Current state of a text file: the unsaved buffer if an editor has one. Line endings are normalized to "\n". */
export interface FileSnapshot {
  /** Path relative to its workspace folder, with "/", as the model and people see it. */
  readonly path: string;
  readonly text: string;
  /** Changes whenever the text changes. Equal text of the same file has equal versions. */
  readonly version: string;
  /** True if nobody may write the file that was read or replaced. Absent if somebody may, or if it was not checked. */
  readonly readOnly?: boolean;
  /**
   * True if the editor changed the text further when saving the file, for example with a formatter. `text` is what was
   * saved.
   */
  readonly wasFormatted?: boolean;
}

/** Contents of a file on disk, of any type. */
export interface FileBytes {
  /** See `FileSnapshot`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Changes whenever the bytes change. */
  readonly version: string;
}

/** An entry of a folder. */
export interface DirectoryEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * One change of a batch that is written completely or not at all. `text`: null deletes the file. `expected`: the text
 * the file must have, null if it must not exist.
 */
export interface FileWrite {
  readonly path: string;
  readonly text: string | null;
  readonly expected: string | null;
}

/** Why a file cannot be read or written. */
export type FileProblemCode =
  | 'missing'
  | 'folder'
  | 'binary'
  | 'too_large'
  | 'outside'
  | 'left_out'
  | 'not_permitted'
  | 'special'
  | 'changed'
  | 'exists'
  | 'untrusted'
  | 'no_space';

/** A failed file operation. The message says what happened, why, and what to do. */
export class FileProblem extends Error {
  constructor(
    readonly code: FileProblemCode,
    message: string,
  ) {
    super(message);
    this.name = 'FileProblem';
  }
}
