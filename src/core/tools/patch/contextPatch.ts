import { patchError } from './drafts';
import { secrets } from '../../secrets/secrets';

/** A line of a hunk: a line of the file that is kept (" ") or removed ("-"), or a new one ("+"). */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** A hunk located by lines of the file instead of line numbers. */
export interface ContextHunk {
  /** Lines that follow "@@", from the outermost inward: a class, then its method. */
  readonly headers: readonly string[];
  /** True if "@@" gave line numbers. They are ignored. */
  readonly isNumbered: boolean;
  readonly lines: readonly HunkLine[];
  /** True if "*** End of File" marks its lines as the last of the file. */
  readonly isAtEnd: boolean;
}

/** Operation of a patch on one file. */
export type ContextOperation =
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly hunks: readonly ContextHunk[];
    };

const beginMarker = '*** Begin Patch';
const endMarker = '*** End Patch';
const endOfFileMarker = '*** End of File';
const moveMarker = '*** Move to:';
const heading = /^\*\*\* (Add|Update|Delete|Move) File:[ \t]*((?![ \t])[^\r\n]*)$/;
const headings = '"*** Add File: path", "*** Update File: path" or "*** Delete File: path"';

/** True if a line belongs to a Codex (V4A) patch and cannot be part of a unified diff. */
export function isContextMarker(line: string): boolean {
  const marker = line.trim();
  return marker === beginMarker || heading.test(marker);
}

/**
 * Parses a Codex (V4A) patch, "*** Begin Patch" to "*** End Patch". Surrounding text, such as a heredoc or a code
 * fence, is ignored. Throws an `Error` with a message for the model.
 */
export function readContextPatch(patch: string): ContextOperation[] {
  return new ContextPatchReader(patch.replaceAll('\r\n', '\n').split('\n')).read();
}

class ContextPatchReader {
  private position = 0;
  /** Line of the last "*** End Patch", which may be indented. */
  private readonly end: number;

  constructor(private readonly lines: readonly string[]) {
    const trimmed = lines.map((line) => line.trim());
    this.position = trimmed.indexOf(beginMarker) + 1;
    this.end = trimmed.lastIndexOf(endMarker);
    if (this.position === 0) {
      throw patchError(`The patch has no "${beginMarker}" line.`, `It is the first line, before ${headings}.`);
    }
    if (this.end < this.position) {
      throw patchError(
        `The patch has no "${endMarker}" line, so it may be cut off.`,
        'Send all of it; that is its last line.',
      );
    }
    const changesFolder = trimmed.slice(0, this.position).some((line) => /(^|[\s;&(])cd\s/.test(line));
    if (changesFolder) {
      throw patchError('A "cd" before the patch is not run.', 'Remove it and write paths from the workspace folder.');
    }
  }

  read(): ContextOperation[] {
    const operations: ContextOperation[] = [];
    while (this.position < this.end) {
      const line = this.lines[this.position]!.trim();
      if (line === endMarker) this.skipToNextPatch();
      else if (line === '' || line.startsWith('*** Environment ID:')) this.position++;
      else operations.push(this.readOperation(line));
    }
    if (operations.length === 0) throw new Error(`The patch names no file. Begin each file with ${headings}.`);
    return operations;
  }

  /** Models put several complete patches into one call. */
  private skipToNextPatch(): void {
    while (this.position < this.end && this.lines[this.position]!.trim() !== beginMarker) this.position++;
    this.position++;
  }

  private readOperation(line: string): ContextOperation {
    const [, kind, path] = heading.exec(line) ?? [];
    if (kind === undefined || path === undefined) {
      throw patchError(
        `Line ${this.position + 1} of the patch, ${quoteLine(line)}, names no file.`,
        `Begin each file with ${headings}.`,
      );
    }
    if (path === '') {
      throw patchError(
        `Line ${this.position + 1} of the patch, ${quoteLine(line)}, names no file.`,
        'Write the path after the colon.',
      );
    }
    this.position++;
    switch (kind) {
      case 'Add':
        return { kind: 'add', path, text: this.readNewText(path) };
      case 'Delete':
        return { kind: 'delete', path };
      case 'Move':
        return moveOf(path);
      default:
        return { kind: 'update', path, moveTo: this.readMove(), hunks: this.readHunks(path) };
    }
  }

  private readNewText(path: string): string {
    const added: string[] = [];
    for (; this.position < this.end; this.position++) {
      const line = this.lines[this.position]!;
      const marker = line.trim();
      if (line.startsWith('+')) added.push(`${line.slice(1)}\n`);
      else if (marker === endOfFileMarker) continue;
      else if (marker.startsWith('*** ')) break;
      else if (marker !== '' || !this.isBlankUntilMarker()) throw this.withoutPlus(path, line);
    }
    return added.join('');
  }

  private withoutPlus(path: string, line: string): Error {
    const isEmpty = line.trim() === '';
    return patchError(
      `Line ${this.position + 1} of the patch, ${quoteLine(line)}, is in "*** Add File: ${path}".`,
      'It does not begin with "+".',
      isEmpty ? 'An empty line of the new file is "+" alone.' : `Write ${quoteLine(`+${line}`)}.`,
    );
  }

  private isBlankUntilMarker(): boolean {
    const next = this.lines.slice(this.position, this.end + 1).find((line) => line.trim() !== '');
    return next === undefined || next.trim().startsWith('*** ');
  }

  private readMove(): string | undefined {
    let next = this.position;
    while (next < this.end && this.lines[next]!.trim() === '') next++;
    const line = this.lines[next]!.trim();
    if (!line.startsWith(moveMarker)) return undefined;
    const path = line.slice(moveMarker.length).trim();
    if (path === '') {
      throw patchError(
        `Line ${next + 1} of the patch, "${moveMarker}", names no file.`,
        'Write the new path after the colon.',
      );
    }
    this.position = next + 1;
    return path;
  }

  private readHunks(path: string): ContextHunk[] {
    const hunks: ContextHunk[] = [];
    for (let hunk = this.readHunk(path, { isFirst: true }); hunk; hunk = this.readHunk(path, { isFirst: false }))
      hunks.push(hunk);
    return hunks;
  }

  /**
   * Reads the next hunk of a file, or returns undefined at the end of the file's section. Only the first hunk may omit
   * "@@".
   */
  private readHunk(path: string, { isFirst }: { readonly isFirst: boolean }): ContextHunk | undefined {
    while (this.position < this.end && this.lines[this.position]!.trim() === '') this.position++;
    const start = this.position;
    if (this.isSectionEnd()) return undefined;
    const { headers, isNumbered } = this.readHeaders();
    if (this.position === start && !isFirst) {
      throw patchError(
        `Line ${start + 1} of the patch, ${quoteLine(this.lines[start]!)}, begins a hunk for ${path} without "@@".`,
        'Write a line "@@" before it.',
      );
    }
    const lines = this.readHunkLines(path);
    const isAtEnd = this.lines[this.position]!.trimEnd() === endOfFileMarker;
    if (isAtEnd) this.position++;
    if (lines.length === 0) {
      throw patchError(
        `The hunk for ${path} at line ${start + 1} of the patch has no lines.`,
        'Write the lines to change below "@@".',
      );
    }
    return { headers, isNumbered, lines, isAtEnd };
  }

  private readHeaders(): { headers: string[]; isNumbered: boolean } {
    const headers: string[] = [];
    let isNumbered = false;
    for (; this.position < this.end && this.lines[this.position]!.startsWith('@@'); this.position++) {
      const line = this.lines[this.position]!;
      const name = withoutMarks(line);
      if (/^@@\s*-\d+(,\d+)?\s+\+\d+/.test(line)) isNumbered = true;
      else if (name.trim() !== '') headers.push(name);
    }
    return { headers, isNumbered };
  }

  private readHunkLines(path: string): HunkLine[] {
    const lines: HunkLine[] = [];
    let length = 0;
    for (; !this.isSectionEnd() && !this.endsHunk(this.lines[this.position]!); this.position++) {
      const line = this.lines[this.position]!;
      if (line.startsWith('\\ No newline')) continue;
      lines.push(this.readHunkLine(line, path));
      // An empty line without a prefix before "@@" or a marker belongs to the message, not to the file.
      if (line !== '') length = lines.length;
    }
    return lines.slice(0, length);
  }

  private readHunkLine(line: string, path: string): HunkLine {
    const sign = line === '' ? ' ' : line[0]!;
    if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: line.slice(1) };
    throw patchError(
      `Line ${this.position + 1} of the patch, ${quoteLine(line)}, is in a hunk for ${path}.`,
      'Lines of a hunk begin with " " (a line of the file), "-" (removed) or "+" (added).',
    );
  }

  private endsHunk(line: string): boolean {
    return line.startsWith('@@') || line.trimEnd() === endOfFileMarker;
  }

  /** An indented marker inside a hunk is a line of the file. */
  private isSectionEnd(): boolean {
    if (this.position >= this.end) return true;
    const line = this.lines[this.position]!.trimEnd();
    return line.startsWith('*** ') && line !== endOfFileMarker;
  }
}

/** Parses the one-line move of Hermes: "*** Move File: old -> new". */
function moveOf(paths: string): ContextOperation {
  const [path, moveTo, ...more] = paths.split(' -> ').map((name) => name.trim());
  if (!path || !moveTo || more.length > 0) {
    throw patchError(
      `"*** Move File: ${paths}" does not name two files.`,
      `Write "*** Update File: old" and below it "${moveMarker} new".`,
    );
  }
  return { kind: 'update', path, moveTo, hunks: [] };
}

/** Quotes a line of the patch, truncated if it is long. */
export function quoteLine(line: string): string {
  return `"${secrets.truncate(line, 200)}"`;
}

/** Returns the text of a header between its marks; the second mark may be missing. */
function withoutMarks(line: string): string {
  const withoutFirstMark = line.replace(/^@@\s?/, '');
  const trimmed = withoutFirstMark.trimEnd();
  return trimmed.endsWith('@@') ? trimmed.slice(0, -2).trimEnd() : withoutFirstMark;
}
