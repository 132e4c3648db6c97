import * as z from 'zod';

export const currentVersion = 3;

/**
 * Whether logs of a version have lines that are bound to each other. Version 3 differs from 2 in events
 * alone, so both are gone on with as they are.
 */
export const isFramed = (version: number): boolean => version >= 2 && version <= currentVersion;

/** The first line of a log: what the file is, for this and later versions. */
export const LogHeader = z.object({
  /** Version of the format. */
  waymark: z.number(),
  /** Tells two logs apart that say the same. */
  id: z.string().optional(),
  /** The log whose first events are those of this one; its own begin after them. */
  parent: z
    .object({
      session: z.string(),
      /** Where that log is, from the folder of this one, with "/". */
      file: z.string(),
      /** The last event that both have. */
      seq: z.number().int().nonnegative(),
      /** Of that event's line. */
      hash: z.string(),
    })
    .optional(),
});
export type LogHeader = z.infer<typeof LogHeader>;
export type LogParent = NonNullable<LogHeader['parent']>;

export const newHeader = (parent?: LogParent): LogHeader => ({
  waymark: currentVersion,
  id: crypto.randomUUID(),
  ...(parent && { parent }),
});
