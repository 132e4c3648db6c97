import * as z from 'zod';
import { FileDelta } from './snapshot';

/** Files of an action of which not everything is certain, with the reason, worded for people. */
export const Doubt = z.object({ words: z.string(), files: z.array(z.string()) });
export type Doubt = z.infer<typeof Doubt>;

/** A path that was renamed. Both are absolute. */
export const Move = z.object({ from: z.string(), to: z.string() });
export type Move = z.infer<typeof Move>;

/** A process. */
const By = z.object({ pid: z.number(), start: z.string(), place: z.string().optional() });

/**
 * The checkpoint journal, stored next to a log. It records which action changed which files, and what a person did with
 * the changes.
 */
export const JournalEntry = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('opened'),
    version: z.literal(1),
    at: z.number(),
    /** Folder of the store with the copies. */
    store: z.string(),
    folders: z.array(z.string()),
    /** The same folders with their links resolved. Absent in journals of earlier versions. */
    real: z.array(z.string()).optional(),
    /** Their permissions. Absent in journals of earlier versions. */
    modes: z.array(z.number()).optional(),
  }),
  /** An action is about to change files. Copies of them are on disk. */
  z.object({
    type: z.literal('began'),
    at: z.number(),
    action: z.string(),
    /** The process that runs it. Absent in journals of earlier versions. */
    by: By.optional(),
    /** Set for a tool that declares which files it edits. Absent for a command, which may change any file. */
    edits: z.literal(true).optional(),
  }),
  /**
   * Changes of the action. `uncovered`: why some may be missing here or belong to another program, worded for people.
   * `doubts`: the same for certain files. Absent in journals of earlier versions, which have it in `uncovered`.
   */
  z.object({
    type: z.literal('changed'),
    at: z.number(),
    action: z.string(),
    files: z.array(FileDelta),
    uncovered: z.string().optional(),
    doubts: z.array(Doubt).optional(),
    /** Folders that the action moved inside the workspace, and files without copies. */
    moved: z.array(Move).optional(),
  }),
  /**
   * Changes between two actions while processes of the run were active. They were made by one of them or by another
   * program. `next`: the following action; absent at the end of a turn. `began`: hooks or processes of the run may change
   * files from now on. `ended`: that is over, and what they changed is recorded.
   */
  z.object({
    type: z.literal('between'),
    at: z.number(),
    next: z.string().optional(),
    files: z.array(FileDelta),
    began: z.object({ after: z.string(), by: By }).optional(),
    ended: z.literal(true).optional(),
  }),
  /** Files of the agent that something else changed. */
  z.object({ type: z.literal('elsewhere'), at: z.number(), files: z.array(FileDelta) }),
  /** A person kept hunks. Each delta is the base state without and with the hunks. */
  z.object({ type: z.literal('kept'), at: z.number(), id: z.string(), files: z.array(FileDelta), hunks: z.number() }),
  /** A person undid changes. `words` is the message to the model about it. */
  z.object({
    type: z.literal('undone'),
    at: z.number(),
    id: z.string(),
    files: z.array(FileDelta),
    words: z.string(),
    /** What the undo moved back, because there is no copy of it. */
    moves: z.array(Move).optional(),
  }),
  /** The undo `of` was reverted. */
  z.object({ type: z.literal('redone'), at: z.number(), id: z.string(), of: z.string(), files: z.array(FileDelta) }),
  /** The changes kept in the entries `kept` were committed to Git. */
  z.object({ type: z.literal('committed'), at: z.number(), kept: z.array(z.string()), commits: z.array(z.string()) }),
  /** The copies were deleted. */
  z.object({ type: z.literal('cleaned'), at: z.number(), why: z.enum(['age', 'size']) }),
]);
export type JournalEntry = z.infer<typeof JournalEntry>;

/** A file that an action changed, whether or not a person kept or undid that since. */
export interface ActionChange extends FileDelta {
  readonly action: string;
  readonly kind: 'created' | 'modified' | 'deleted';
  /** True unless a tool made it that declares which files it edits. */
  readonly isByCommand: boolean;
}

/** Maximum number of files. The latest ones are named. */
const maxChanges = 500;

/** Returns the files that actions changed according to the journal of a run, the latest ones, in order. */
export function actionChanges(entries: readonly JournalEntry[]): readonly ActionChange[] {
  const edits = new Set(entries.flatMap((entry) => (entry.type === 'began' && entry.edits ? [entry.action] : [])));
  const latest: ActionChange[] = [];
  for (let at = entries.length - 1; at >= 0 && latest.length < maxChanges; at--) {
    const entry = entries[at]!;
    if (entry.type !== 'changed') continue;
    const { action } = entry;
    for (const delta of entry.files.slice(latest.length - maxChanges).reverse()) {
      const kind = kindOf(delta);
      if (kind) latest.push({ ...delta, action, kind, isByCommand: !edits.has(action) });
    }
  }
  return latest.reverse();
}

/** Undefined for a folder, whose files are listed separately. */
function kindOf({ before, after }: FileDelta): ActionChange['kind'] | undefined {
  if ((after ?? before)?.kind === 'folder') return undefined;
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'modified';
}
