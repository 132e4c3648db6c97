import * as z from 'zod';

/**
 * What was at a path at one moment; `null` means nothing. `hash` names a copy in the store of checkpoints. It is absent
 * if no copy was kept; then `stamp` tells states apart.
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
  /** `isCache`: it says by its tag that a program can make it again, so what is in it is not known. */
  z.object({ kind: z.literal('folder'), mode: z.number(), isCache: z.boolean().optional() }),
]);
export type FileState = z.infer<typeof FileState>;

/** A path and what became of it. Paths are absolute. */
export const FileDelta = z.object({ path: z.string(), before: FileState, after: FileState });
export type FileDelta = z.infer<typeof FileDelta>;

/** Whether two states hold the same, links, contents and rights alike. */
export function isSameState(a: FileState, b: FileState): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'file' && b.kind === 'file')
    return a.mode === b.mode && a.size === b.size && a.hash === b.hash && (a.hash !== undefined || a.stamp === b.stamp);
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === 'folder' && b.kind === 'folder' && a.mode === b.mode;
}
