import path from 'node:path';
import { changesIn, type FileChanges } from '../../../core/changes/changesOf';
import {
  baseWithHunks,
  newReview,
  reviewAfter,
  withoutHunks,
  type FileReview,
  type ReviewedHunk,
} from '../../../core/changes/fileReview';
import { noFile, textSnapshot, type Snapshot } from '../../../core/changes/snapshot';
import { undoneMessage, undoPlan, type UndoChoice, type UndoPlan } from '../../../core/changes/undoPlan';
import type { Files, FileWrite } from '../../../core/ports/files';
import type { Checkpoints, HeldNotes } from '../../../core/ports/checkpoints';
import type { ActionEffect } from '../../../protocol/events/event';
import { shownName } from '../../../core/text/shownName';
import { textVersion } from '../../files/textVersion';
import type { WorkspacePaths } from '../../files/workspacePaths';
import { FollowedEdits } from './followedEdits';
import { HeldEditsFile, heldEditsOf, isSameHeld, type HeldFile } from './heldEditsFile';
import { HeldFiles } from './heldFiles';
import { RestoreConflict } from '../restoreConflict';
import { errorMessage } from '../../../core/text/errorMessage';

/** Writes files on behalf of an action, with a checkpoint before it. */
export type WriteAs = (
  action: string,
  paths: readonly string[],
  work: (files: Files) => Promise<unknown>,
) => Promise<void>;

/** Creates a writer that uses the checkpoints of a run. `filesOf`: file access on behalf of an action. */
export function writingWith(checkpoints: Checkpoints, filesOf: (action: string) => Files): WriteAs {
  return async (action, paths, work) => {
    const checkpoint = await checkpoints.before(action, paths);
    try {
      await work(filesOf(action));
    } finally {
      await checkpoint.after();
    }
  };
}

interface HeldEditsOptions {
  /** The log of the run; for a child session, the log of the outermost session. */
  readonly log: string;
  /** For a child run: the action of the outermost run that started it, to which its edits are attributed. */
  readonly workFor?: string | undefined;
  readonly paths: Pick<WorkspacePaths, 'resolve' | 'display'>;
  /** The files on disk or in editors, without held edits. */
  readonly files: Files;
  readonly writeAs: WriteAs;
  /** True if new edits are held. Edits that are already held stay so in any case. */
  isOn(): boolean;
}

/** The result of applying or discarding edits. */
interface HeldDecision {
  /** The edits that were applied or discarded. */
  readonly plan: UndoPlan;
  /** The message for the model. */
  readonly words: string;
  /** Which of the chosen edits could not be applied, and why, as a message for people; absent if all were applied. */
  readonly left?: string;
}

/**
 * Edits of a run that change no file until the user accepts them. The run sees its files as if the edits had been made.
 */
export class HeldEdits implements HeldNotes {
  private readonly saved: HeldEditsFile;
  private readonly followed: FollowedEdits;
  private readonly heldFiles: HeldFiles;

  constructor(private readonly options: HeldEditsOptions) {
    const { paths, files } = options;
    this.saved = new HeldEditsFile(heldEditsOf(options.log));
    this.followed = new FollowedEdits(this.saved, files);
    const { saved, followed } = this;
    this.heldFiles = new HeldFiles({ paths, saved, followed, isOn: () => options.isOn() });
  }

  get isOn(): boolean {
    return this.options.isOn();
  }

  get isEmpty(): boolean {
    this.saved.refresh();
    return this.saved.files.size === 0;
  }

  /** Why held edits cannot be shown, as a message for people; undefined if there is no problem. */
  get problem(): string | undefined {
    this.saved.refresh();
    return this.saved.isDamaged
      ? `The held edits cannot be read: the file ${path.basename(this.saved.path)} beside the log is damaged, or was not written on this machine. They changed no file.`
      : undefined;
  }

  holdsAny(paths: readonly string[]): boolean {
    this.saved.refresh();
    return paths.some((each) => this.saved.files.has(this.options.paths.resolve(each, 'read').absolute));
  }

  /** The message for the model after an action while edits are held; undefined if there is none. */
  noteAfter(effect: ActionEffect): string | undefined {
    if (this.isEmpty || !effectsToReport.has(effect)) return undefined;
    const names = this.names();
    if (effect === 'executes')
      return `Edits are held back for review (${names}), so this ran on the files without these edits. If it needs them, ask the user to apply them first.`;
    return `Held back for review: ${names}. The file itself is unchanged until the user applies the edit. read_file shows it as edited; commands and searches see it without the edit.`;
  }

  private names(): string {
    return somePaths([...this.saved.files.keys()].map((each) => this.options.paths.display(each)));
  }

  /** Returns the files as the run sees them. `by`: the action that edits them. */
  over(files: Files, by: string): Files {
    return this.heldFiles.over(files, this.options.workFor ?? by);
  }

  /** The pending edits, net for each file and with hunks, in the form of made changes. */
  async changes(): Promise<FileChanges[]> {
    const reviews: FileReview[] = [];
    const contested = new Set<string>();
    this.saved.refresh();
    for (const path of [...this.saved.files.keys()]) {
      const { file, conflict } = await this.followed.follow(path);
      if (!file) continue;
      if (conflict !== undefined) contested.add(path);
      const [before, after] = [snapshotOf(file.before), snapshotOf(file.after)];
      reviews.push(await reviewAfter(newReview(path, before), { action: file.action }, before, after));
    }
    const changes = await changesIn(reviews);
    return changes.map((change) => ({
      ...change,
      isHeld: true,
      hunks: change.hunks.map((hunk) => (contested.has(hunk.path) ? { ...hunk, isContested: true } : hunk)),
    }));
  }

  /**
   * Applies edits to the files. Throws `RestoreConflict` with a message for people if somebody else changed the same
   * lines.
   */
  async apply(choice: UndoChoice): Promise<HeldDecision> {
    const { plan, chosen } = await this.chosen(choice, 'applied');
    const wanted = chosen.map(({ file, review, hunks }) => ({ file, text: textIn(baseWithHunks(review, hunks)) }));
    const groups = [...byAction(wanted)];
    const applied = new Set<string>();
    let left: string | undefined;
    for (const [index, [action, own]] of groups.entries()) {
      const paths = own.map(({ file }) => file.path);
      try {
        await this.options.writeAs(action, paths, (files) => applyTo(files, own));
      } catch (error) {
        if (applied.size === 0) throw error;
        left = this.notApplied(groups.slice(index), error);
        break;
      }
      this.saved.update(() => own.forEach(({ file, text }) => this.noteApplied(file, text)));
      for (const path of paths) applied.add(path);
    }
    const done = partOf(plan, applied);
    const names = somePaths([...new Set(done.hunks.map(({ path }) => this.options.paths.display(path)))]);
    const rest = this.isEmpty ? '' : ` Still held back: ${this.names()}.`;
    const words = `The user applied your held edits: ${names}.${rest}`;
    return { plan: done, words, ...(left !== undefined && { left }) };
  }

  private notApplied(groups: readonly (readonly [string, readonly WantedFile[]])[], error: unknown): string {
    const names = groups.flatMap(([, own]) => own.map(({ file }) => this.options.paths.display(file.path)));
    return `Not applied: ${somePaths(names)}. ${errorMessage(error)}`;
  }

  /** Records that a file contains `text`. If the run has edited it again in the meantime, that edit stays held. */
  private noteApplied({ path, before }: HeldFile, text: string | null): void {
    const now = this.saved.files.get(path);
    if (now && now.before === before) this.saved.set({ ...now, before: text });
  }

  /** Discards edits. The files stay unchanged. */
  async discard(choice: UndoChoice): Promise<HeldDecision> {
    const { plan, chosen } = await this.chosen(choice, 'discarded');
    this.saved.update(() => {
      const other = chosen.find(({ file }) => !isSameHeld(file, this.saved.files.get(file.path)));
      if (other) throw editedNow(this.options.paths.display(other.file.path), other.file.path, 'discarded');
      for (const { file, review, hunks } of chosen)
        this.saved.set({ ...file, after: textIn(withoutHunks(review, hunks)) });
    });
    return { plan, words: undoneMessage(plan.hunks, (path) => this.options.paths.display(path)) };
  }

  private async chosen(choice: UndoChoice, verb: 'applied' | 'discarded'): Promise<Chosen> {
    const changes = await this.changes();
    const plan = undoPlan(changes, choice);
    const contested = verb === 'applied' ? plan.hunks.find(({ isContested }) => isContested) : undefined;
    if (contested) {
      const { conflict } = await this.followed.follow(contested.path);
      const words = conflict ?? 'was changed just now.';
      const display = this.options.paths.display(contested.path);
      throw new RestoreConflict(`${display} ${words} Nothing was applied.`, contested.path);
    }
    if (plan.unknown.length > 0 || plan.hunks.length === 0)
      throw new RestoreConflict(`The edit is no longer held back. Nothing was ${verb}.`, '');
    const chosen = changes.flatMap(({ reviews }) => reviews).flatMap((review) => this.chosenOf(review, plan, verb));
    return { plan, chosen };
  }

  private chosenOf(review: FileReview, plan: UndoPlan, verb: 'applied' | 'discarded'): ChosenFile[] {
    const { path, base, current } = review;
    const hunks = plan.hunks.filter((hunk) => hunk.path === path);
    if (hunks.length === 0) return [];
    const file = this.saved.files.get(path);
    const isSeen = file && isSameText(file.before, base) && isSameText(file.after, current);
    if (!isSeen) throw editedNow(this.options.paths.display(path), path, verb);
    return [{ file, review, hunks }];
  }
}

interface ChosenFile {
  readonly file: HeldFile;
  readonly review: FileReview;
  readonly hunks: readonly ReviewedHunk[];
}

interface Chosen {
  readonly plan: UndoPlan;
  readonly chosen: readonly ChosenFile[];
}

/**
 * Effects after which the model is notified: edits of its own, commands that may depend on them, and edits of its child
 * runs.
 */
const effectsToReport: ReadonlySet<ActionEffect> = new Set(['writes', 'executes', 'delegates']);

/** The part of a plan that concerns these files. */
const partOf = (plan: UndoPlan, files: ReadonlySet<string>): UndoPlan => ({
  ...plan,
  hunks: plan.hunks.filter(({ path: file }) => files.has(file)),
  restores: plan.restores.filter(({ path: file }) => files.has(file)),
});

const maxNamed = 5;

/** Lists some paths on one line, with special characters escaped. */
function somePaths(paths: readonly string[]): string {
  const listed = paths.slice(0, maxNamed).map(shownName).join(', ');
  return paths.length > maxNamed ? `${listed} and ${paths.length - maxNamed} more` : listed;
}

const editedNow = (display: string, file: string, verb: 'applied' | 'discarded'): RestoreConflict =>
  new RestoreConflict(`The agent edited ${display} again just now. Nothing was ${verb}. Review the edit again.`, file);

/** Texts of changes have one character per byte. */
const snapshotOf = (text: string | null): Snapshot =>
  text === null ? noFile : textSnapshot(Buffer.from(text).toString('latin1'), 0o644);

const isSameText = (text: string | null, seen: Snapshot): boolean => snapshotOf(text).text === seen.text;

const textIn = ({ state, text }: Snapshot): string | null =>
  state === null ? null : Buffer.from(text ?? '', 'latin1').toString();

interface WantedFile {
  readonly file: HeldFile;
  readonly text: string | null;
}

/**
 * Groups edits by the last action that edited the file. The deletion of a moved file belongs to the action of its new
 * file.
 */
function byAction(wanted: readonly WantedFile[]): Map<string, WantedFile[]> {
  const became = new Map(wanted.flatMap(({ file, text }) => (text === null ? [] : [[file.movedFrom, file] as const])));
  const groups = new Map<string, WantedFile[]>();
  for (const each of wanted) {
    const { action } = (each.text === null ? became.get(each.file.path) : undefined) ?? each.file;
    groups.set(action, [...(groups.get(action) ?? []), each]);
  }
  return groups;
}

/** Moves files that were only moved, which preserves their bytes and permissions. Writes the rest, all or nothing. */
async function applyTo(files: Files, wanted: readonly WantedFile[]): Promise<void> {
  const changes: FileWrite[] = [];
  const moved = new Set<string>();
  for (const { file, text } of wanted) {
    const source = wanted.find(({ file: other, text: left }) => other.path === file.movedFrom && left === null);
    const before = source?.file.before;
    if (text === null || typeof before !== 'string') continue;
    const version = textVersion(before);
    await files.move(source!.file.path, file.path, version);
    moved.add(source!.file.path).add(file.path);
    if (text !== before) changes.push({ path: file.path, text, expected: version });
  }
  for (const { file, text } of wanted.filter((each) => !moved.has(each.file.path)))
    if (text !== file.before)
      changes.push({ path: file.path, text, expected: file.before === null ? null : textVersion(file.before) });
  if (changes.length > 0) await files.write(changes);
}
