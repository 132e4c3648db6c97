import { isRecord } from '../../core/text/fields';

export const currentVersion = 3;

/**
 * Whether logs of a version have lines that are bound to each other. Version 3 differs from 2 in events
 * alone, so both are gone on with as they are.
 */
export const isFramed = (version: number): boolean => version >= 2 && version <= currentVersion;

/** The first line of a log: what the file is, for this and later versions. */
export interface LogHeader {
  /** Version of the format. */
  readonly waymark: number;
  /** Tells two logs apart that say the same. */
  readonly id?: string;
  /** The log whose first events are those of this one; its own begin after them. */
  readonly parent?: LogParent;
}

export interface LogParent {
  readonly session: string;
  /** Where that log is, from the folder of this one, with "/". */
  readonly file: string;
  /** The last event that both have. */
  readonly seq: number;
  /** Of that event's line. */
  readonly hash: string;
}

/**
 * What the first line of a log says; undefined where that is no header. Checked by hand: a run reads its own as it ends,
 * and to load zod takes longer than all the rest of that.
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
