import fs from 'node:fs';
import path from 'node:path';
import type { Worktree } from '../../protocol/events/event';
import { bringPlan, mergedInto, type BringPlan } from '../../core/changes/bringPlan';
import { wholeRun, type ChangeScope } from '../../core/changes/changesOf';
import { isSameSnapshot, type Snapshot } from '../../core/changes/snapshot';
import type { FileRestore, UndoChoice, UndoProblem } from '../../core/changes/undoPlan';
import { changeSource } from '../checkpoints/changeSource';
import type { CheckpointStore } from '../checkpoints/checkpointStore';
import { appendToJournal } from '../checkpoints/journal';
import { deltasToRestore, restore, whileRestoring } from '../checkpoints/restoring/restore';
import { RunChanges, type IsDoneElsewhere } from '../checkpoints/restoring/runChanges';
import { RunFolders } from '../checkpoints/runFolders';
import { isInGit } from '../git/borrowingRepository';
import { isWithin } from '../storage/diskPaths';

/** Result of bringing changes back. */
type BringBackResult =
  | { readonly status: 'done'; readonly plan: BringPlan }
  | { readonly status: 'nothing'; readonly plan: BringPlan }
  | { readonly status: 'refused'; readonly plan: BringPlan };

/** Result of reverting a bring-back. */
type TakenBack =
  | { readonly status: 'done'; readonly restores: readonly FileRestore[] }
  | { readonly status: 'nothing' }
  | { readonly status: 'refused'; readonly problems: readonly UndoProblem[] };

/** The session whose changes return from its worktree. */
export interface BringParts {
  /** Log of the session in the worktree. */
  readonly log: string;
  /** Folder in which that session worked. */
  readonly root: string;
  readonly worktree: Worktree;
  readonly store: CheckpointStore;
  /** Returns the content of a workspace file as an editor has it, if it differs from the disk. */
  readonly asSeen?: (path: string, disk: Snapshot) => Snapshot;
  /** Files that the caller writes because an editor has them open. */
  readonly isDoneElsewhere?: IsDoneElsewhere;
  /**
   * Throws an `Error` with a message for people if a workspace file must not be written now. Called before anything
   * changes.
   */
  readonly refuse?: (path: string) => void;
}

/**
 * Brings changes of a worktree to the workspace, and can revert that. Writes to the workspace are recorded in a
 * separate journal, with copies of the earlier content. Changes that were brought back are not offered again.
 */
export class BringBack {
  /** What was written to the workspace. */
  private readonly written: RunChanges;
  private readonly worktreeChanges: RunChanges;

  constructor(private readonly parts: BringParts) {
    const { log, store, worktree, root } = parts;
    this.worktreeChanges = new RunChanges(log, store, (file) => path.relative(root, file));
    this.written = new RunChanges(`${log}.brought`, store, (file) => path.relative(worktree.of, file));
  }

  /** Returns what would be written, without writing anything. */
  async preview(choice: UndoChoice): Promise<BringPlan> {
    await this.worktreeChanges.refresh();
    return this.plan(choice);
  }

  private async plan(choice: UndoChoice): Promise<BringPlan> {
    return bringPlan(await this.worktreeChanges.changes(this.scope), choice, {
      placeOf: (file) => this.placeOf(file),
      now: (file) => this.snapshotNow(file),
    });
  }

  /** Returns the workspace path of a worktree file; undefined for a file that is never brought back. */
  private placeOf(file: string): string | undefined {
    const { root, worktree } = this.parts;
    const relative = path.relative(root, file);
    return !isWithin(file, root) || isInGit(relative) ? undefined : path.join(worktree.of, relative);
  }

  /** If the worktree is deleted, the stored copies tell what the session left there. */
  private get scope(): ChangeScope {
    return { ...wholeRun, untilNow: fs.existsSync(this.parts.root) };
  }

  /** Writes everything that was chosen, or nothing. Throws file system errors, or `RestoreConflict`. */
  async bring(choice: UndoChoice): Promise<BringBackResult> {
    const { store, worktree, isDoneElsewhere = () => false } = this.parts;
    const id = crypto.randomUUID();
    await Promise.all([this.worktreeChanges.refresh(), this.written.refresh()]);
    const brought = await whileRestoring(store, async (): Promise<BringBackResult> => {
      const plan = await this.plan(choice);
      if (plan.problems.length > 0 || plan.unknown.length > 0) return { status: 'refused', plan };
      if (plan.hunks.length === 0) return { status: 'nothing', plan };
      this.refuseSome(plan.restores);
      const onDisk = plan.restores.filter((each) => !isDoneElsewhere(each));
      const files = await deltasToRestore(onDisk, new RunFolders({ folders: [worktree.of] }), store);
      if (files.length > 0) {
        this.openJournal();
        const entry = { type: 'changed' as const, at: Date.now(), action: id, files };
        await restore(files, {
          store,
          places: { folders: [worktree.of] },
          journal: this.written.record.journal,
          entry,
        });
      }
      return { status: 'done', plan };
    });
    if (brought.status !== 'done') return brought;
    const written = await this.inFiles(brought.plan);
    if (written.length > 0) await this.worktreeChanges.keep({ hunks: written }, id);
    return brought;
  }

  /**
   * Returns the hunks that are in files. A change that only an editor has may be closed unsaved, so it stays pending.
   */
  private async inFiles({ hunks, restores }: BringPlan): Promise<string[]> {
    const { isDoneElsewhere = () => false } = this.parts;
    const found: string[] = [];
    for (const { id, path: file } of hunks) {
      const place = this.placeOf(file) ?? file;
      const planned = restores.find((each) => each.path === place) ?? (await this.emptyRestore(place));
      if (!isDoneElsewhere(planned)) found.push(id);
    }
    return found;
  }

  /** Returns a restore that leaves a file unchanged. */
  private async emptyRestore(place: string): Promise<FileRestore> {
    const now = await this.snapshotNow(place);
    return { path: place, before: now, after: now };
  }

  private openJournal(): void {
    const { store, worktree } = this.parts;
    if (this.written.record.isKept) return;
    store.register(this.written.record.journal);
    appendToJournal(this.written.record.journal, {
      type: 'opened',
      version: 1,
      at: Date.now(),
      store: store.folder,
      folders: [worktree.of],
    });
  }

  /** Id of the last bring-back that was not reverted. */
  get last(): string | undefined {
    const undone = new Set(this.written.record.entries.flatMap((entry) => (entry.type === 'undone' ? [entry.id] : [])));
    const brought = this.written.record.entries.flatMap((entry) => (entry.type === 'changed' ? [entry.action] : []));
    return brought.findLast((id) => !undone.has(id));
  }

  /** Reverts the last bring-back in the workspace; its changes are pending in the worktree again. */
  async takeBack(): Promise<TakenBack> {
    const { store, worktree, isDoneElsewhere = () => false } = this.parts;
    await Promise.all([this.worktreeChanges.refresh(), this.written.refresh()]);
    const { last } = this;
    if (last === undefined) return { status: 'nothing' };
    const { restores: planned, problems: known } = await this.planBack(last);
    if (known.length > 0) return { status: 'refused', problems: known };
    this.refuseSome(planned);
    // The changes become pending first: if the process is killed, they are in both folders rather than in neither.
    await this.worktreeChanges.unkeep(last);
    return whileRestoring(store, async (): Promise<TakenBack> => {
      const { restores, problems } = await this.planBack(last);
      if (problems.length > 0) return { status: 'refused', problems };
      const onDisk = restores.filter((each) => !isDoneElsewhere(each));
      const files = await deltasToRestore(onDisk, new RunFolders({ folders: [worktree.of] }), store);
      const entry = { type: 'undone' as const, at: Date.now(), id: last, files, words: '' };
      await restore(files, { store, places: { folders: [worktree.of] }, journal: this.written.record.journal, entry });
      return { status: 'done', restores };
    });
  }

  private refuseSome(restores: readonly FileRestore[]): void {
    for (const { path: file } of restores) this.parts.refuse?.(file);
  }

  /** Plans the earlier content, merged with what the user changed since. */
  private async planBack(id: string): Promise<{ readonly restores: FileRestore[]; readonly problems: UndoProblem[] }> {
    const restores: FileRestore[] = [];
    const problems: UndoProblem[] = [];
    const { entries } = this.written.record;
    const source = changeSource(entries, this.parts.store.blobs, (file) => this.snapshotNow(file));
    for (const entry of entries) {
      if (entry.type !== 'changed' || entry.action !== id) continue;
      for (const { path: file, before, after } of entry.files) {
        const now = await this.snapshotNow(file);
        const [was, became] = [await source.load(before), await source.load(after)];
        const outcome = await mergedInto(now, became, was);
        if ('problem' in outcome) problems.push({ path: file, ...outcome.problem });
        else if (!isSameSnapshot(now, outcome.after)) restores.push({ path: file, before: now, after: outcome.after });
      }
    }
    return { restores, problems };
  }

  /** Returns the current content of a workspace file. */
  private snapshotNow(file: string): Promise<Snapshot> {
    const { worktree, store, asSeen } = this.parts;
    const disk = new RunFolders({ folders: [worktree.of] }).snapshot(file, store.limits);
    return Promise.resolve(asSeen ? asSeen(file, disk) : disk);
  }
}
