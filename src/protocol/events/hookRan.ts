import * as z from 'zod';

/** The moments of a session at which a program of the folder can run. */
export const HookMoment = z.enum([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
]);
export type HookMoment = z.infer<typeof HookMoment>;

/** The log's record of a hook that ran. */
export const hookRan = () => ({
  on: HookMoment,
  /** Its command line. */
  command: z.string(),
  /** The file that names it, and its place there. */
  path: z.string(),
  place: z.string(),
  /** Hash of the file and the scripts that it names, as they were agreed to. */
  hash: z.string(),
  /** Null where it did not end by itself. */
  exit: z.number().nullable(),
  durationMs: z.number(),
  /** `allow` lets nothing happen that would not anyway; `failed` decides nothing. */
  decision: z.enum(['none', 'allow', 'block', 'failed']),
  /** A line about it for a person. */
  text: z.string(),
  level: z.enum(['info', 'warning']),
  /** What it was asked about: an action, or words of a person by their `seq`. */
  actionId: z.string().optional(),
  message: z.number().optional(),
  reason: z.string().optional(),
  /** What the hook tells the model. */
  context: z.string().optional(),
  /** The end of what it printed, for a person. */
  output: z.string().optional(),
});
