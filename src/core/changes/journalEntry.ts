import * as z from 'zod';
import { FileDelta } from './fileState';

/**
 * What the journal of checkpoints records beside a log: which action changed which files, and what a person did with
 * the changes.
 */
export const JournalEntry = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('opened'),
    version: z.literal(1),
    at: z.number(),
    /** The folder of the store with the copies. */
    store: z.string(),
    folders: z.array(z.string()),
  }),
  /** An action is about to change files; its copies are on disk. */
  z.object({
    type: z.literal('began'),
    at: z.number(),
    action: z.string(),
    /** The process that does it; absent in journals of earlier versions. */
    by: z.object({ pid: z.number(), start: z.string(), place: z.string().optional() }).optional(),
    /** Of a tool that says which files it edits; absent for a command, which may change any. */
    edits: z.literal(true).optional(),
  }),
  /** What the action changed. `uncovered`: why changes of it may be missing here, or be another's, in words for a person. */
  z.object({
    type: z.literal('changed'),
    at: z.number(),
    action: z.string(),
    files: z.array(FileDelta),
    uncovered: z.string().optional(),
  }),
  /**
   * What changed between two actions while processes of the run were at work: one of them, or another program, did it.
   * `next`: the action before which it was found; absent at the end of a turn.
   */
  z.object({ type: z.literal('between'), at: z.number(), next: z.string().optional(), files: z.array(FileDelta) }),
  /** Files of the agent that somebody else changed. */
  z.object({ type: z.literal('elsewhere'), at: z.number(), files: z.array(FileDelta) }),
  /** A person kept hunks. Each delta is what counts as the state before the agent: without the hunks, and with them. */
  z.object({ type: z.literal('kept'), at: z.number(), id: z.string(), files: z.array(FileDelta), hunks: z.number() }),
  /** A person undid changes. `words` is what the model is told about it. */
  z.object({ type: z.literal('undone'), at: z.number(), id: z.string(), files: z.array(FileDelta), words: z.string() }),
  /** The undoing `of` was taken back. */
  z.object({ type: z.literal('redone'), at: z.number(), id: z.string(), of: z.string(), files: z.array(FileDelta) }),
  /** What a person kept in the entries `kept` is in commits of Git. */
  z.object({ type: z.literal('committed'), at: z.number(), kept: z.array(z.string()), commits: z.array(z.string()) }),
  /** The copies were cleaned up. */
  z.object({ type: z.literal('cleaned'), at: z.number(), why: z.enum(['age', 'size']) }),
]);
export type JournalEntry = z.infer<typeof JournalEntry>;
