import * as z from 'zod';
import { AllowRule, Assessment } from './risk';

/** Where a command that waits for consent will run, and what a person may answer beside yes and no. */
export const RunPlace = z.object({
  /**
   * What a plain yes means. `inside`: in the sandbox. `unconfined`: with all rights of the account, since there is no
   * sandbox. `nowhere`: it will not run, since a sandbox is demanded and there is none.
   */
  runs: z.enum(['inside', 'unconfined', 'nowhere']),
  /** The place and what it may touch, in one line for a person. */
  words: z.string(),
  /**
   * Set where a person may let it run outside the sandbox. `first`: the sandbox kept the same
   * command from something when it last ran.
   */
  outside: z.enum(['possible', 'first']).optional(),
  /** What running outside means, in one line for a person. Set with `outside`. */
  outsideWords: z.string().optional(),
  /** Whether a person may answer with another command. */
  editable: z.boolean().optional(),
});
export type RunPlace = z.infer<typeof RunPlace>;

/** The log's record of a question about actions. */
export const confirmationRequested = () => ({
  actionIds: z.array(z.string()),
  /**
   * What each question is about: by id of the action, the hash of its exact input, its
   * folder, the scripts that it runs and its place.
   */
  hashes: z.record(z.string(), z.string()).optional(),
  /** Those that are asked about again, because what they would run is not what was consented to any more. */
  again: z.array(z.string()).optional(),
  /** By id, how those are judged now that were judged otherwise when they were proposed. */
  risks: z.record(z.string(), Assessment).optional(),
  /**
   * By id, where the commands among them will run. Absent in logs of earlier versions, and for what runs no command.
   */
  places: z.record(z.string(), RunPlace).optional(),
});

/** The log's record of the answer. */
export const confirmationResolved = () => ({
  actionIds: z.array(z.string()),
  approved: z.boolean(),
  comment: z.string().optional(),
  by: z.enum(['person', 'rule']),
  /** The question that a person answered, as it was asked. The consent is valid for nothing else. */
  hashes: z.record(z.string(), z.string()).optional(),
  /**
   * Those that a person lets run outside the sandbox, by a word about this very action.
   * Others run inside, where there is a sandbox.
   */
  outside: z.array(z.string()).optional(),
  /** By id, the command that a person wants to run in its place. The action itself is refused then. */
  edited: z.record(z.string(), z.string()).optional(),
});

/** A standing permission, given or taken back. */
export const allowRuleAdded = () => ({
  rule: AllowRule,
  /** It was taken back. */
  revoked: z.boolean().optional(),
});

/** A question of the model to a person. */
export const questionAsked = () => ({ actionId: z.string(), question: z.string(), choices: z.array(z.string()) });
