import { changesIn, type FileChanges } from '../../core/changes/changesOf';
import {
  baseWithHunks,
  newReview,
  reviewAfter,
  withoutHunks,
  type FileReview,
  type ReviewedHunk,
} from '../../core/changes/fileReview';
import { transferChanges, splitKeepingEndings } from '../../core/changes/lineChanges';
import { noFile, textSnapshot, type Snapshot } from '../../core/changes/snapshot';
import { undoneMessage, undoPlan, type UndoChoice, type UndoPlan } from '../../core/changes/undoPlan';
import { FileProblem, type FileBytes, type Files, type FileSnapshot, type FileWrite } from '../../core/ports/files';
import { readIfThere } from '../../core/tools/files/changeFile';
import type { Checkpoints, HeldNotes } from '../../core/ports/checkpoints';
import type { ActionEffect } from '../../protocol/events/event';
import { shownName } from '../../core/text/shownName';
import { bytesVersion, textVersion } from '../files/textVersion';
import type { WorkspacePaths } from '../files/workspacePaths';
import { HeldEditsFile, heldEditsOf, type HeldFile } from './heldEditsFile';
import { RestoreConflict } from './restoreConflict';
import { errorMessage } from '../../core/text/errorMessage';

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

  constructor(private readonly options: HeldEditsOptions) {
    this.saved = new HeldEditsFile(heldEditsOf(options.log));
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
      ? `The held edits cannot be read: ${this.saved.path} is damaged, or was not written on this machine. They changed no file.`
      : undefined;
  }

  holdsAny(paths: readonly string[]): boolean {
    this.saved.refresh();
    return paths.some((each) => this.saved.files.has(this.placeOf(each, 'read').absolute));
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
    const action = this.options.workFor ?? by;
    return {
      read: (path) => this.read(path, files),
      readBytes: (path, most) => this.readBytes(path, most, files),
      list: (path, options) => files.list(path, options),
      write: (changes) =>
        this.holds(changes.map(({ path }) => path)) ? this.hold(changes, action) : files.write(changes),
      move: (from, to, expected) =>
        this.holds([from, to]) ? this.holdMove(from, to, expected, action) : files.move(from, to, expected),
      remove: (path, expected) =>
        this.holds([path]) ? this.holdRemoval(path, expected, action) : files.remove(path, expected),
    };
  }

  private holds(spelled: readonly string[]): boolean {
    this.saved.refresh();
    return this.isOn || spelled.some((each) => this.saved.files.has(this.placeOf(each, 'write').absolute));
  }

  private placeOf(spelled: string, use: 'read' | 'write'): { readonly absolute: string; readonly display: string } {
    return this.options.paths.resolve(spelled, use);
  }

  private async read(spelled: string, files: Files): Promise<FileSnapshot> {
    const { absolute, display } = this.placeOf(spelled, 'read');
    this.saved.refresh();
    if (!this.saved.files.has(absolute)) return files.read(spelled);
    const { file } = await this.followed(absolute);
    if (!file) return files.read(spelled);
    if (file.after === null) throw deleted(display);
    return { path: display, text: file.after, version: textVersion(file.after) };
  }

  private async readBytes(spelled: string, most: number, files: Files): Promise<FileBytes> {
    const { absolute, display } = this.placeOf(spelled, 'read');
    this.saved.refresh();
    if (!this.saved.files.has(absolute)) return files.readBytes(spelled, most);
    const { text } = await this.read(spelled, files);
    const bytes = Buffer.from(text).subarray(0, most);
    return { path: display, bytes, version: bytesVersion(bytes) };
  }

  /** Holds all of the changes or none. */
  private async hold(changes: readonly FileWrite[], action: string): Promise<FileSnapshot[]> {
    const prepared: HeldChange[] = [];
    for (const { path, text, expected } of changes) {
      const { absolute, display } = this.placeOf(path, 'write');
      const { text: now, held: heldFile } = await this.textNow(absolute);
      refuseOther(display, now, expected);
      const before = heldFile ? heldFile.before : now;
      // As it would be read back from a file: lone surrogates are replaced.
      const after = text === null ? null : Buffer.from(text).toString();
      prepared.push({ heldFile, next: { ...heldFile, path: absolute, before, after, action } });
    }
    this.holdNow(prepared);
    return prepared.flatMap(({ next: { path, after } }) =>
      after === null ? [] : [{ path: this.options.paths.display(path), text: after, version: textVersion(after) }],
    );
  }

  private async holdMove(from: string, to: string, expected: string | null, action: string): Promise<string> {
    const [source, target] = [this.placeOf(from, 'write'), this.placeOf(to, 'write')];
    const { text, held: heldFile } = await this.neededText(source.absolute);
    refuseOther(source.display, text, expected);
    const { text: there, held: knownThere } = await this.textNow(target.absolute);
    refuseOther(target.display, there, null);
    const movedFrom = heldFile?.movedFrom ?? (heldFile && heldFile.before === null ? undefined : source.absolute);
    const gone: HeldFile = {
      ...heldFile,
      path: source.absolute,
      before: heldFile ? heldFile.before : text,
      after: null,
      action,
    };
    const came: HeldFile = {
      path: target.absolute,
      before: knownThere?.before ?? null,
      after: text,
      action,
      ...(movedFrom !== undefined && { movedFrom }),
    };
    this.holdNow([
      { heldFile, next: gone },
      { heldFile: knownThere, next: came },
    ]);
    return target.display;
  }

  private async holdRemoval(path: string, expected: string | null, action: string): Promise<string> {
    const { absolute, display } = this.placeOf(path, 'write');
    const { text, held: heldFile } = await this.neededText(absolute);
    refuseOther(display, text, expected);
    const before = heldFile ? heldFile.before : text;
    this.holdNow([{ heldFile, next: { ...heldFile, path: absolute, before, after: null, action } }]);
    return display;
  }

  /** Holds edits, unless their base was applied, discarded or edited in the meantime. */
  private holdNow(changes: readonly HeldChange[]): void {
    this.saved.update(() => {
      const other = changes.find(({ heldFile, next }) => !isSameHeld(heldFile, this.saved.files.get(next.path)));
      if (other) throw changedSince(this.options.paths.display(other.next.path));
      for (const { next } of changes) this.saved.set(next);
    });
  }

  /** Returns the text of a file as the run sees it (null if it does not exist), and its held edit. */
  private async textNow(absolute: string): Promise<TextNow> {
    this.saved.refresh();
    const { file } = this.saved.files.has(absolute) ? await this.followed(absolute) : { file: undefined };
    if (file) return { text: file.after, held: file };
    return { text: await readTextIfExists(this.options.files, absolute), held: undefined };
  }

  /** Does the same for a file that must exist and be text: other contents could not be shown. */
  private async neededText(absolute: string): Promise<TextNow & { readonly text: string }> {
    const display = this.options.paths.display(absolute);
    try {
      const { text, held } = await this.textNow(absolute);
      if (text === null) throw deleted(display);
      return { text, held };
    } catch (problem) {
      if (!(problem instanceof FileProblem) || (problem.code !== 'binary' && problem.code !== 'too_large'))
        throw problem;
      throw new FileProblem(
        problem.code,
        `${display} is not a text file, so it cannot be reviewed, and edits are held back for review. Nothing was done. Ask the user to do it.`,
      );
    }
  }

  /** Returns a held file, updated with what others changed in the real file. */
  private async followed(absolute: string): Promise<Followed> {
    for (;;) {
      const file = this.saved.files.get(absolute);
      if (!file) return {};
      const { next, conflict } = await followedBy(file, this.options.files);
      if (next === file) return { file, ...(conflict !== undefined && { conflict }) };
      const isTaken = this.saved.update(() => {
        const isStill = isSameHeld(file, this.saved.files.get(absolute));
        if (isStill && next) this.saved.set(next);
        if (isStill && !next) this.saved.delete(absolute);
        return isStill;
      });
      if (isTaken) return next ? { file: next } : {};
    }
  }

  /** The pending edits, net for each file and with hunks, in the form of made changes. */
  async changes(): Promise<FileChanges[]> {
    const reviews: FileReview[] = [];
    const contested = new Set<string>();
    this.saved.refresh();
    for (const path of [...this.saved.files.keys()]) {
      const { file, conflict } = await this.followed(path);
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
      const { conflict } = await this.followed(contested.path);
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

/** A change of the held edit of a file; `heldFile` is the previous one, undefined if there was none. */
interface HeldChange {
  readonly heldFile: HeldFile | undefined;
  readonly next: HeldFile;
}

interface TextNow {
  readonly text: string | null;
  readonly held: HeldFile | undefined;
}

/** `file`: the held edit; absent if there is none. `conflict`: why it cannot be applied, as a message. */
interface Followed {
  readonly file?: HeldFile;
  readonly conflict?: string;
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

const isSameHeld = (a: HeldFile | undefined, b: HeldFile | undefined): boolean =>
  a?.before === b?.before && a?.after === b?.after && a?.path === b?.path;

const editedLines = 'was changed at the lines of a held edit after the agent wrote the edit.';

/**
 * Merges what others changed in a file into the held edit. `next` is the same object if nothing changed, and absent if
 * the edit is already made.
 */
async function followedBy(
  file: HeldFile,
  files: Files,
): Promise<{ readonly next?: HeldFile; readonly conflict?: string }> {
  let now: string | null;
  try {
    now = await readTextIfExists(files, file.path);
  } catch (problem) {
    // It is not text any more, or may not be accessed. One such file must not block the others.
    if (!(problem instanceof FileProblem)) throw problem;
    return { next: file, conflict: 'is no longer a text file, or must not be edited now.' };
  }
  const { before, after } = file;
  if (now === before) return { next: file };
  // Somebody made exactly this edit.
  if (now === after) return {};
  if (now === null || before === null || after === null) return { next: file, conflict: editedLines };
  const { lines, untransferred } = await transferChanges(
    splitKeepingEndings(after),
    splitKeepingEndings(before),
    splitKeepingEndings(now),
  );
  if (untransferred.length > 0) return { next: file, conflict: editedLines };
  const merged = lines.join('');
  return merged === now ? {} : { next: { ...file, before: now, after: merged } };
}

const maxNamed = 5;

/** Lists some paths on one line, with special characters escaped. */
function somePaths(paths: readonly string[]): string {
  const listed = paths.slice(0, maxNamed).map(shownName).join(', ');
  return paths.length > maxNamed ? `${listed} and ${paths.length - maxNamed} more` : listed;
}

const deleted = (display: string): FileProblem =>
  new FileProblem('missing', `You deleted ${display}. The deletion is held back until the user applies it.`);

/** Throws as the disk does if the file is not the one that the agent saw. */
function refuseOther(display: string, now: string | null, expected: string | null): void {
  if (expected === null && now !== null)
    throw new FileProblem('exists', `${display} already exists, but did not when this was prepared. Read it first.`);
  if (expected !== null && (now === null || textVersion(now) !== expected)) throw changedSince(display);
}

const changedSince = (display: string): FileProblem =>
  new FileProblem('changed', `${display} has changed since it was read. Nothing was written. Read it again.`);

const editedNow = (display: string, file: string, verb: 'applied' | 'discarded'): RestoreConflict =>
  new RestoreConflict(`The agent edited ${display} again just now. Nothing was ${verb}. Review the edit again.`, file);

const readTextIfExists = async (files: Files, path: string): Promise<string | null> =>
  (await readIfThere(path, files))?.text ?? null;

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
