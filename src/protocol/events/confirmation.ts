import * as z from 'zod';
import { AllowRule, Assessment } from './risk';

/** Where a command that waits for approval will run, and the possible answers besides yes and no. */
export const RunPlace = z.object({
  /**
   * Effect of a plain approval. `inside`: runs in the sandbox. `unconfined`: runs with all rights of the account,
   * because there is no sandbox. `nowhere`: does not run, because a sandbox is required and there is none.
   */
  runs: z.enum(['inside', 'unconfined', 'nowhere']),
  /** One line for people: the place and what the command can access there. */
  words: z.string(),
  /**
   * Set if a person may let it run outside the sandbox. `first`: the sandbox blocked the same command when it last ran.
   */
  outside: z.enum(['possible', 'first']).optional(),
  /** One line for people about the consequences of running outside. Set with `outside`. */
  outsideWords: z.string().optional(),
  /** True if it needs the network, which the sandbox does not have. Set with `outside`. */
  needsNetwork: z.boolean().optional(),
  /** True if a person may answer with another command. */
  editable: z.boolean().optional(),
});
export type RunPlace = z.infer<typeof RunPlace>;

/** A request for approval of actions. */
export const confirmationRequested = () => ({
  actionIds: z.array(z.string()),
  /**
   * Subject of each question: by action id, a hash of the exact input, the folder, the scripts that it runs, and its
   * place.
   */
  hashes: z.record(z.string(), z.string()).optional(),
  /** Ids of actions that need approval again, because what they would run has changed since they were approved. */
  again: z.array(z.string()).optional(),
  /** New risk assessments, by action id, if they differ from those at the time of the proposal. */
  risks: z.record(z.string(), Assessment).optional(),
  /** Where commands will run, by action id. Absent in logs of earlier versions, and for actions without a command. */
  places: z.record(z.string(), RunPlace).optional(),
});

/** The answer to a request for approval. */
export const confirmationResolved = () => ({
  actionIds: z.array(z.string()),
  approved: z.boolean(),
  comment: z.string().optional(),
  by: z.enum(['person', 'rule']),
  /** Hashes of the question that the person answered. The approval is valid for nothing else. */
  hashes: z.record(z.string(), z.string()).optional(),
  /**
   * Ids of actions that the person explicitly allowed to run outside the sandbox. Others run inside, if there is a
   * sandbox.
   */
  outside: z.array(z.string()).optional(),
  /** Commands that the person wants to run instead, by action id. The original action is refused. */
  edited: z.record(z.string(), z.string()).optional(),
});

/** A permanent permission, granted or revoked. */
export const allowRuleAdded = () => ({
  rule: AllowRule,
  /** True if the permission was revoked. */
  revoked: z.boolean().optional(),
});

/** A question from the model to a person. */
export const questionAsked = () => ({ actionId: z.string(), question: z.string(), choices: z.array(z.string()) });
