import fs from 'node:fs';

const pieceBytes = 256 * 1024;

/** A line of a file, without its line ending. `end`: the byte offset after its line ending. */
interface FileLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the complete lines of a file one by one, in little memory. Text after the last line ending is skipped. A
 * missing file yields no lines.
 */
export function* wholeLines(file: string): Generator<FileLine> {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    const piece = Buffer.alloc(pieceBytes);
    let rest: Buffer[] = [];
    let start = 0;
    let pieceStart = 0;
    for (let read = fs.readSync(descriptor, piece); read > 0; read = fs.readSync(descriptor, piece)) {
      let from = 0;
      for (let end = piece.indexOf(10, from); end !== -1 && end < read; end = piece.indexOf(10, from)) {
        rest.push(Buffer.from(piece.subarray(from, end)));
        const next = pieceStart + end + 1;
        yield { text: Buffer.concat(rest).toString('utf8'), start, end: next };
        rest = [];
        start = next;
        from = end + 1;
      }
      rest.push(Buffer.from(piece.subarray(from, read)));
      pieceStart += read;
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Truncates the partial last line that a killed program left. */
export function cutTornLine(file: string): void {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let whole = 0;
  for (const { end } of wholeLines(file)) whole = end;
  if (whole < size) fs.truncateSync(file, whole);
}

/**
 * Appends text and flushes it to disk before it returns. If that fails, the file is truncated to its previous length.
 */
export function appendDurably(file: string, text: string): void {
  const descriptor = fs.openSync(file, 'a', 0o600);
  const before = fs.fstatSync(descriptor).size;
  try {
    let rest = Buffer.from(text);
    while (rest.length > 0) rest = rest.subarray(fs.writeSync(descriptor, rest));
    fs.fdatasyncSync(descriptor);
  } catch (error) {
    fs.ftruncateSync(descriptor, before);
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}
