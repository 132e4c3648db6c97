import * as z from 'zod';

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
