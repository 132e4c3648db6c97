import { isSameState, type FileState } from './fileState';
import { linesOf } from './lineChanges';

/**
 * A path at one moment with what it held. `text` has one character for each byte, so that nothing is lost whatever the
 * encoding; it is absent for what is no text, and where no copy was kept.
 */
export interface Snapshot {
  readonly state: FileState;
  readonly text?: string;
  /** Why there is no copy although there was a file, in words for a person. */
  readonly missing?: string;
}

export const nothing: Snapshot = { state: null };

/** Whether two snapshots are the same to the byte, with the same rights. */
export function isSameSnapshot(a: Snapshot, b: Snapshot): boolean {
  if (a.text !== undefined && b.text !== undefined) return a.text === b.text && modeOf(a) === modeOf(b);
  return isSameState(a.state, b.state);
}

/** Whether what a path held can be brought back: links can, and folders whose content is known. */
export function isCopied({ state, text }: Snapshot): boolean {
  if (state?.kind === 'folder') return state.isCache !== true;
  return state?.kind !== 'file' || text !== undefined || state.hash !== undefined;
}

/** Why a file cannot be brought back, for people. */
export const noCopyWords = 'Waymark copies no file that is too large, holds secrets, or cannot be read.';
const inCacheWords =
  'The folder marks itself as a cache (CACHEDIR.TAG), so what is in it is neither listed nor undone.';

/** Why what one of these held cannot be brought back, for people. */
export const uncopiedWords = (...snapshots: readonly Snapshot[]): string =>
  snapshots.some(({ state }) => state?.kind === 'folder' && state.isCache) ? inCacheWords : noCopyWords;

/** The rights of a file or folder; undefined for links and nothing. */
export const modeOf = ({ state }: Snapshot): number | undefined =>
  state === null || state.kind === 'link' ? undefined : state.mode;

/** A text file that was made out of others. */
export const textSnapshot = (text: string, mode: number): Snapshot => ({
  state: { kind: 'file', mode, size: text.length },
  text,
});

/** What a person reads: UTF-8 where the bytes are that, else one character for each byte. */
export function shownText(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return text;
  }
}

const knownLines = new WeakMap<Snapshot, readonly string[]>();

/** The lines of a text, cut once for all who compare it; none where there is no text. */
export function linesIn(snapshot: Snapshot): readonly string[] {
  const known = knownLines.get(snapshot);
  if (known) return known;
  const lines = linesOf(snapshot.text ?? '');
  knownLines.set(snapshot, lines);
  return lines;
}
