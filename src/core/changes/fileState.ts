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

/** The `stamp` of what is neither a file, a folder nor a link: a named pipe, a socket or a device. It has no content. */
export const specialStamp = 'special';

export const isSpecial = (state: FileState): boolean => state?.kind === 'file' && state.stamp === specialStamp;

/** True if two states have the same content or link target, and the same permissions. */
export function isSameState(a: FileState, b: FileState): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'file' && b.kind === 'file')
    return a.mode === b.mode && a.size === b.size && a.hash === b.hash && (a.hash !== undefined || a.stamp === b.stamp);
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === 'folder' && b.kind === 'folder' && a.mode === b.mode;
}
