import { isRecord } from '../../core/text/parseJson';

export const currentVersion = 3;

/**
 * Returns whether logs of a version have lines that are bound to each other. Version 3 differs from 2 only in its
 * events, so logs of both are continued without conversion.
 */
export const isFramed = (version: number): boolean => version >= 2 && version <= currentVersion;

/** The first line of a log, which identifies the file for this and later versions. */
export interface LogHeader {
  /** Version of the format. */
  readonly waymark: number;
  /** Distinguishes logs with the same contents. */
  readonly id?: string;
  /** The log whose first events this one shares; its own events follow them. */
  readonly parent?: LogParent;
}

/** The log that a forked session continues. */
export interface LogParent {
  readonly session: string;
  /** Path of that log relative to the folder of this one, with "/". */
  readonly file: string;
  /** The last shared event. */
  readonly seq: number;
  /** Hash of the line of that event. */
  readonly hash: string;
}

/**
 * Parses the first line of a log. Returns undefined if it is not a header. Validated by hand: a run reads its own
 * header as it ends, and loading zod would take longer than all the rest of that.
 */
export function headerIn(line: unknown): LogHeader | undefined {
  if (!isRecord(line)) return undefined;
  const { waymark, id, parent } = line;
  if (typeof waymark !== 'number') return undefined;
  if (id !== undefined && typeof id !== 'string') return undefined;
  if (parent !== undefined && !isParent(parent)) return undefined;
  return { waymark, ...(id !== undefined && { id }), ...(parent !== undefined && { parent }) };
}

function isParent(read: unknown): read is LogParent {
  if (!isRecord(read)) return false;
  const { session, file, seq, hash } = read;
  return (
    [session, file, hash].every((each) => typeof each === 'string') && Number.isSafeInteger(seq) && Number(seq) >= 0
  );
}

export const newHeader = (parent?: LogParent): LogHeader => ({
  waymark: currentVersion,
  id: crypto.randomUUID(),
  ...(parent && { parent }),
});
