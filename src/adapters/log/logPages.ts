import fs from 'node:fs';
import path from 'node:path';
import type { Event } from '../../protocol/events/event';
import { follows, isSealed, readFrame } from '../storage/frame';
import { isFramed } from './header';
import { machineKey } from '../storage/machineKey';
import { maxParents, existingLogPath, readHeader, readEvent } from './readLog';

/** Events that are read from disk on demand, with the part of the array interface that a view needs. */
export interface LogPages {
  readonly length: number;
  /** True if this machine wrote the last event and it is unchanged, together with everything that it is bound to. */
  readonly vouched: boolean;
  readonly end: LogEnd;
  slice(from: number, to?: number): Event[];
}

interface LogEnd {
  /** Size of the file. */
  readonly size: number;
  /** Hash of the last line. */
  readonly hash: string;
}

const pieceBytes = 256 * 1024;
const newline = 10;

/**
 * Opens a log as pages, read from its end, so that the first page costs the same for any length. Returns undefined for
 * a log that must be read as a whole: of another version, with a partial last line, damaged at its end, or different
 * from `end`. Slices throw if the log is damaged or changes.
 */
export function logPages(file: string, end?: LogEnd, depth = 0): LogPages | undefined {
  if (depth > maxParents) return undefined;
  try {
    const place = existingLogPath(file);
    const header = readHeader(place);
    if (!header || !isFramed(header.waymark)) return undefined;
    const { size } = fs.statSync(place);
    const own = new OwnPages(place, size);
    const { seq, hash, vouched } = own.readLast();
    if (end && (end.size !== size || end.hash !== hash)) return undefined;
    if (!header.parent) return pagesOf(seq + 1, vouched, { size, hash }, (from, to) => own.read(from, to));
    const shared = logPages(path.resolve(path.dirname(place), header.parent.file), undefined, depth + 1);
    const first = header.parent.seq + 1;
    if (!shared || shared.length < first) return undefined;
    return pagesOf(seq + 1, vouched, { size, hash }, (from, to) => [
      ...(from < first ? shared.slice(from, Math.min(to, first)) : []),
      ...(to > first ? own.read(Math.max(from, first), to) : []),
    ]);
  } catch {
    return undefined;
  }
}

function pagesOf(length: number, vouched: boolean, end: LogEnd, read: (from: number, to: number) => Event[]): LogPages {
  return {
    length,
    vouched,
    end,
    slice: (from, to = length) => (Math.min(to, length) > from ? read(Math.max(0, from), Math.min(to, length)) : []),
  };
}

interface Line {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** Reads the lines of one file backwards. */
class OwnPages {
  /** For the first event of each page read so far: the offset of its line, and the hash of the line before it. */
  private readonly starts = new Map<number, { readonly offset: number; readonly before: string }>();
  private length = 0;

  constructor(
    private readonly file: string,
    private readonly size: number,
  ) {}

  readLast(): { seq: number; hash: string; vouched: boolean } {
    const [line] = this.linesBefore(this.size, 1);
    const frame = line && readFrame(line.bytes);
    if (!frame) throw new Error('The end of the log is damaged.');
    const { seq } = JSON.parse(`${frame.content.toString('utf8')}}`) as { seq: number };
    this.length = seq + 1;
    this.starts.set(this.length, { offset: this.size, before: frame.hash });
    return { seq, hash: frame.hash, vouched: isSealed(frame, machineKey()) };
  }

  read(from: number, to: number): Event[] {
    const known = Math.min(...[...this.starts.keys()].filter((seq) => seq >= to));
    const { offset, before } = this.starts.get(known)!;
    const [first, ...lines] = this.linesBefore(offset, known - from + 1); // One more line, which the first one is bound to.
    if (lines.length < known - from) throw new Error('The log is shorter than its last event indicates.');
    let previous = readFrame(first!.bytes)?.hash ?? '';
    this.starts.set(from, { offset: lines[0]!.offset, before: previous });
    const events = lines.map(({ bytes }, index) => {
      const frame = readFrame(bytes);
      const { event } =
        frame && follows(frame, previous)
          ? readEvent(`${frame.content.toString('utf8')}}`, from + index, { newer: true })
          : {};
      if (!event || !frame) throw new Error(`The log is damaged or was changed at event ${from + index}.`);
      previous = frame.hash;
      return event;
    });
    if (previous !== before) throw new Error(`The log was changed at event ${known - 1}.`);
    return events.slice(0, to - from);
  }

  /** Returns the `count` lines before the byte offset `end`, in file order; fewer at the beginning of the file. */
  private linesBefore(end: number, count: number): Line[] {
    const descriptor = fs.openSync(this.file, 'r');
    try {
      for (let length = Math.min(pieceBytes, end); ; length = Math.min(length * 4, end)) {
        const bytes = Buffer.alloc(length);
        const start = end - length;
        fs.readSync(descriptor, bytes, 0, length, start);
        const lines = linesFromEnd(bytes, start, count);
        if (lines.length >= count || start === 0) return lines;
      }
    } finally {
      fs.closeSync(descriptor);
    }
  }
}

/** `bytes` begin at the offset `start` in the file, and end with a newline. */
function linesFromEnd(bytes: Buffer, start: number, count: number): Line[] {
  const lines: Line[] = [];
  if (bytes.at(-1) !== newline) return lines;
  for (let end = bytes.length - 1; end > 0 && lines.length < count;) {
    const before = bytes.lastIndexOf(newline, end - 1);
    if (before === -1 && start > 0) break;
    lines.push({ bytes: bytes.subarray(before + 1, end), offset: start + before + 1 });
    end = before;
  }
  return lines.reverse();
}
