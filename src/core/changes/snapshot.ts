import * as z from 'zod';
import { splitKeepingEndings } from './lineChanges';

/**
 * State of a path at one moment; `null` means it does not exist. `hash` names a copy in the checkpoint store. It is
 * absent if no copy was saved; then `stamp` distinguishes states.
 */
export const FileState = z.union([
  z.null(),
  z.object({
    kind: z.literal('file'),
    mode: z.number(),
    size: z.number(),
    hash: z.string().optional(),
    stamp: z.string().optional(),
  }),
  z.object({ kind: z.literal('link'), target: z.string() }),
  /** `isCache`: tagged as a cache that a program can create again, so its contents are unknown. */
  z.object({ kind: z.literal('folder'), mode: z.number(), isCache: z.boolean().optional() }),
]);
export type FileState = z.infer<typeof FileState>;

/** A change of one path. Paths are absolute. */
export const FileDelta = z.object({ path: z.string(), before: FileState, after: FileState });
export type FileDelta = z.infer<typeof FileDelta>;

/** Begins the `stamp` of what is neither a file, a folder nor a link: a named pipe, a socket or a device. */
const special = 'special';

/** The stamp of such an entry, which has no content: it is the same as long as it is not created anew. */
export const specialStamp = ({ ino, birthtimeMs }: { readonly ino: number; readonly birthtimeMs: number }): string =>
  `${special}-${ino}-${birthtimeMs}`;

export const isSpecialStamp = (stamp: string | undefined): stamp is string => stamp?.startsWith(special) === true;

export const isSpecial = (state: FileState): boolean => state?.kind === 'file' && isSpecialStamp(state.stamp);

/** True if two states have the same content or link target, and the same permissions. */
export function isSameState(a: FileState, b: FileState): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'file' && b.kind === 'file')
    return a.mode === b.mode && a.size === b.size && a.hash === b.hash && (a.hash !== undefined || a.stamp === b.stamp);
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === 'folder' && b.kind === 'folder' && a.mode === b.mode;
}

/**
 * A path and its content at one moment. `text` has one character per byte, so that nothing is lost whatever the
 * encoding. It is absent if the content is not text or no copy was saved.
 */
export interface Snapshot {
  readonly state: FileState;
  readonly text?: string;
  /** Why there is no copy of an existing file, worded for people. */
  readonly missing?: string;
}

export const noFile: Snapshot = { state: null };

/** True if two snapshots are byte-identical and have the same permissions. */
export function isSameSnapshot(a: Snapshot, b: Snapshot): boolean {
  if (a.text !== undefined && b.text !== undefined) return a.text === b.text && permissionsOf(a) === permissionsOf(b);
  return isSameState(a.state, b.state);
}

/** True for a folder that is marked as a cache. */
export const isCacheFolder = (state: FileState): boolean => state?.kind === 'folder' && state.isCache === true;

/** True if the content can be restored. This includes links, and folders with known contents. */
export function isCopied({ state, text }: Snapshot): boolean {
  if (state?.kind === 'folder') return !isCacheFolder(state);
  return state?.kind !== 'file' || text !== undefined || state.hash !== undefined;
}

/** Why a file cannot be restored, worded for people. */
export const noCopyWords = 'Waymark does not copy files that are too large, contain secrets, or cannot be read.';
const inCacheWords = 'The folder is marked as a cache (CACHEDIR.TAG), so changes in it are neither listed nor undone.';

const rawNameWords = 'The bytes of its name are not UTF-8, and Waymark does not copy such files.';
const specialWords = 'It was a named pipe, a socket or a device, which Waymark cannot create again.';

/** Returns why the content of one of these files at `path` cannot be restored, worded for people. */
export function uncopiedWords(path: string, ...snapshots: readonly Snapshot[]): string {
  if (snapshots.some(({ state }) => isSpecial(state))) return specialWords;
  if (snapshots.some(({ state }) => isCacheFolder(state))) return inCacheWords;
  return path.includes('\ufffd') ? rawNameWords : noCopyWords;
}

/** Permissions of a file or folder. Undefined for links and missing paths. */
export const permissionsOf = ({ state }: Snapshot): number | undefined =>
  state === null || state.kind === 'link' ? undefined : state.mode;

/** Snapshot of a text file with computed content. */
export const textSnapshot = (text: string, mode: number): Snapshot => ({
  state: { kind: 'file', mode, size: text.length },
  text,
});

/** Decodes text for display: as UTF-8 if the bytes are valid, else one character per byte. */
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

/** Returns the lines of a text, cached per snapshot. Empty if there is no text. */
export function linesIn(snapshot: Snapshot): readonly string[] {
  const known = knownLines.get(snapshot);
  if (known) return known;
  const lines = splitKeepingEndings(snapshot.text ?? '');
  knownLines.set(snapshot, lines);
  return lines;
}
