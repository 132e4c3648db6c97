import * as z from 'zod';

/** The moments of a session at which a hook can run. */
export const HookMoment = z.enum([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
]);
export type HookMoment = z.infer<typeof HookMoment>;

/** A hook that ran. */
export const hookRan = () => ({
  on: HookMoment,
  /** Command line of the hook. */
  command: z.string(),
  /** File that defines it, and its position there. */
  path: z.string(),
  place: z.string(),
  /** Hash of the approved file and the scripts that it names. */
  hash: z.string(),
  /** Exit code; null if it did not exit by itself. */
  exit: z.number().nullable(),
  durationMs: z.number(),
  /** `allow` permits nothing that would otherwise be refused; `failed` decides nothing. */
  decision: z.enum(['none', 'allow', 'block', 'failed']),
  /** One-line summary for people. */
  text: z.string(),
  level: z.enum(['info', 'warning']),
  /** What the hook was asked about: an action id, or the `seq` of a person's message. */
  actionId: z.string().optional(),
  message: z.number().optional(),
  reason: z.string().optional(),
  /** Text from the hook for the model. */
  context: z.string().optional(),
  /** End of its output, for people. */
  output: z.string().optional(),
});
