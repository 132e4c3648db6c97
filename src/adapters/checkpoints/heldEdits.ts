import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { changesIn, type FileChanges } from '../../core/changes/changesOf';
import { baseWithHunks, newReview, reviewAfter, withoutHunks, type FileReview } from '../../core/changes/fileReview';
import { carriedOver, linesOf } from '../../core/changes/lineChanges';
import { nothing, textSnapshot, type Snapshot } from '../../core/changes/snapshot';
import { undoneInWords, undoPlan, type UndoChoice, type UndoPlan } from '../../core/changes/undoPlan';
import {
  FileProblem,
  type Checkpoints,
  type FileBytes,
  type Files,
  type FileSnapshot,
  type FileWrite,
  type HeldNotes,
} from '../../core/ports/environment';
import type { Effect } from '../../core/ports/tool';
import { bytesVersion, textVersion } from '../files/textVersion';
import type { WorkspacePaths } from '../files/workspacePaths';
import { makeFolder, writeDurably } from '../storage/durableFile';
import { framed, isSealed, readFrame } from '../storage/frame';
import { machineKey } from '../storage/machineKey';
import { RestoreConflict } from './restoreConflict';

/** A file as a run wants it to be, which waits for review. `null` is no file. */
const HeldFile = z.object({
  /** Absolute. */
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Where it was moved from. */
  movedFrom: z.string().optional(),
  /** The action that edited it last. */
  action: z.string(),
});
type HeldFile = z.infer<typeof HeldFile>;

const Held = z.object({ version: z.literal(1), files: z.array(HeldFile) });

/** The held edits of the run with the log `log`: they lie beside it. */
export const heldEditsOf = (log: string): string => `${log}.held.json`;

/** Writes files as the doing of an action, with a checkpoint before it. */
export type WriteAs = (
  action: string,
  paths: readonly string[],
  work: (files: Files) => Promise<unknown>,
) => Promise<void>;

/** Writes with the checkpoints of a run. `filesOf`: files as an action writes them. */
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

export interface HeldEditsOptions {
  readonly log: string;
  readonly paths: Pick<WorkspacePaths, 'resolve' | 'display'>;
  /** The files as they are. */
  readonly files: Files;
  readonly writeAs: WriteAs;
  /** Whether edits are held from now on. Those that are held stay so in any case. */
  isOn(): boolean;
}

/** What came of applying or discarding. `words` is what the model is to be told. */
export interface HeldDecision {
  readonly plan: UndoPlan;
  readonly words: string;
}

/** Edits of a run that change no file before a person accepted them. The run sees its files as if they were made. */
export class HeldEdits implements HeldNotes {
  private readonly file: string;
  private held = new Map<string, HeldFile>();
  /** Which version of the file was read or written last. */
  private known = '';

  constructor(private readonly options: HeldEditsOptions) {
    this.file = heldEditsOf(options.log);
  }

  get isOn(): boolean {
    return this.options.isOn();
  }

  get isEmpty(): boolean {
    this.refresh();
    return this.held.size === 0;
  }

  /** Another window or terminal may have applied or discarded some. */
  private refresh(): void {
    const stamp = stampOf(this.file);
    if (stamp === this.known) return;
    this.known = stamp;
    this.held = new Map(readHeld(this.file).map((each) => [each.path, each]));
  }

  holdsAny(paths: readonly string[]): boolean {
    this.refresh();
    return paths.some((each) => this.held.has(this.placeOf(each, 'read').absolute));
  }

  /** What the model is told after an action while edits are held; undefined where that is nothing. */
  noteAfter(effect: Effect): string | undefined {
    if (this.isEmpty || (effect !== 'writes' && effect !== 'executes')) return undefined;
    const names = this.names();
    if (effect === 'executes')
      return `Edits are held back for review (${names}), so this ran on the files without them. If it needs them, ask the user to apply them first.`;
    return `Held back for review: ${names}. The file itself is unchanged until the user applies the edit. read_file shows it as edited; commands and searches see it without the edit.`;
  }

  private names(): string {
    const paths = [...this.held.keys()].map((each) => this.options.paths.display(each));
    const listed = paths.slice(0, mostNamed).join(', ');
    return paths.length > mostNamed ? `${listed} and ${paths.length - mostNamed} more` : listed;
  }

  /** Files as the run sees them. `action`: who edits them. */
  over(files: Files, action: string): Files {
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
    this.refresh();
    return this.isOn || spelled.some((each) => this.held.has(this.placeOf(each, 'write').absolute));
  }

  private placeOf(spelled: string, use: 'read' | 'write'): { readonly absolute: string; readonly display: string } {
    return this.options.paths.resolve(spelled, use);
  }

  private async read(spelled: string, files: Files): Promise<FileSnapshot> {
    const { absolute, display } = this.placeOf(spelled, 'read');
    this.refresh();
    if (!this.held.has(absolute)) return files.read(spelled);
    const { file } = await this.followed(absolute);
    if (!file) return files.read(spelled);
    if (file.after === null) throw deleted(display);
    return { path: display, text: file.after, version: textVersion(file.after) };
  }

  private async readBytes(spelled: string, most: number, files: Files): Promise<FileBytes> {
    const { absolute, display } = this.placeOf(spelled, 'read');
    this.refresh();
    if (!this.held.has(absolute)) return files.readBytes(spelled, most);
    const { text } = await this.read(spelled, files);
    const bytes = Buffer.from(text).subarray(0, most);
    return { path: display, bytes, version: bytesVersion(bytes) };
  }

  /** Holds all of the changes or none. */
  private async hold(changes: readonly FileWrite[], action: string): Promise<FileSnapshot[]> {
    const prepared: HeldFile[] = [];
    for (const { path, text, expected } of changes) {
      const { absolute, display } = this.placeOf(path, 'write');
      const now = await this.textNow(absolute);
      refuseOther(display, now, expected);
      const known = this.held.get(absolute);
      prepared.push({ ...known, path: absolute, before: known ? known.before : now, after: text, action });
    }
    for (const each of prepared) this.set(each);
    this.save();
    return prepared.flatMap(({ path, after }) =>
      after === null ? [] : [{ path: this.options.paths.display(path), text: after, version: textVersion(after) }],
    );
  }

  private async holdMove(from: string, to: string, expected: string | null, action: string): Promise<string> {
    const [source, target] = [this.placeOf(from, 'write'), this.placeOf(to, 'write')];
    const text = await this.neededText(source.absolute);
    refuseOther(source.display, text, expected);
    refuseOther(target.display, await this.textNow(target.absolute), null);
    const known = this.held.get(source.absolute);
    const wasThere = this.held.get(target.absolute)?.before ?? null;
    const movedFrom = known?.movedFrom ?? (known && known.before === null ? undefined : source.absolute);
    this.set({ ...known, path: source.absolute, before: known ? known.before : text, after: null, action });
    this.set({
      path: target.absolute,
      before: wasThere,
      after: text,
      action,
      ...(movedFrom !== undefined && { movedFrom }),
    });
    this.save();
    return target.display;
  }

  private async holdRemoval(path: string, expected: string | null, action: string): Promise<string> {
    const { absolute, display } = this.placeOf(path, 'write');
    const text = await this.neededText(absolute);
    refuseOther(display, text, expected);
    const known = this.held.get(absolute);
    this.set({ ...known, path: absolute, before: known ? known.before : text, after: null, action });
    this.save();
    return display;
  }

  /** The text of a file as the run sees it; null where there is none. */
  private async textNow(absolute: string): Promise<string | null> {
    if (!this.held.has(absolute)) return textOf(this.options.files, absolute);
    const { file } = await this.followed(absolute);
    return file ? file.after : textOf(this.options.files, absolute);
  }

  /** The same of a file that has to be there, and to hold text: of what else is there nothing could be shown. */
  private async neededText(absolute: string): Promise<string> {
    const display = this.options.paths.display(absolute);
    try {
      const text = await this.textNow(absolute);
      if (text === null) throw deleted(display);
      return text;
    } catch (problem) {
      if (!(problem instanceof FileProblem) || (problem.code !== 'binary' && problem.code !== 'too_large'))
        throw problem;
      throw new FileProblem(
        problem.code,
        `${display} is no text file that could be shown for review, and edits are held back for review. Nothing was done. Ask the user to do it.`,
      );
    }
  }

  /** A held file with what others did to the real one since. `isContested`: they changed the same lines. */
  private async followed(absolute: string): Promise<{ readonly file?: HeldFile; readonly isContested: boolean }> {
    const file = this.held.get(absolute)!;
    const now = await textOf(this.options.files, absolute);
    if (now === file.before) return { file, isContested: false };
    if (now === file.after) {
      // Somebody made the very edit.
      this.held.delete(absolute);
      this.save();
      return { isContested: false };
    }
    if (now === null || file.before === null || file.after === null) return { file, isContested: true };
    const { lines, left } = await carriedOver(linesOf(file.after), linesOf(file.before), linesOf(now));
    if (left.length > 0) return { file, isContested: true };
    const merged = { ...file, before: now, after: lines.join('') };
    this.set(merged);
    this.save();
    return { file: merged, isContested: false };
  }

  /** What waits, net for each file and with its hunks, as the changes that were made are shown. */
  async changes(): Promise<FileChanges[]> {
    const reviews: FileReview[] = [];
    const contested = new Set<string>();
    this.refresh();
    for (const path of [...this.held.keys()]) {
      const { file, isContested } = await this.followed(path);
      if (!file) continue;
      if (isContested) contested.add(path);
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

  /** Makes edits in the files. Throws `RestoreConflict` in words where somebody else changed the same lines. */
  async apply(choice: UndoChoice): Promise<HeldDecision> {
    const { plan, reviews } = await this.chosen(choice, 'applied');
    const wanted = reviews.map((review) => {
      const own = plan.hunks.filter(({ path }) => path === review.path);
      return { file: this.held.get(review.path)!, text: textIn(baseWithHunks(review, own)) };
    });
    for (const action of new Set(wanted.map(({ file }) => file.action))) {
      const own = wanted.filter(({ file }) => file.action === action);
      const paths = own.map(({ file }) => file.path);
      await this.options.writeAs(action, paths, (files) => applyTo(files, own));
      for (const { file, text } of own) this.set({ ...file, before: text });
      this.save();
    }
    const names = [...new Set(plan.hunks.map(({ path }) => this.options.paths.display(path)))].join(', ');
    const rest = this.isEmpty ? '' : ` Still held back: ${this.names()}.`;
    return { plan, words: `The user applied your edits that were held back: ${names}.${rest}` };
  }

  /** Forgets edits. The files stay as they are. */
  async discard(choice: UndoChoice): Promise<HeldDecision> {
    const { plan, reviews } = await this.chosen(choice, 'discarded');
    for (const review of reviews) {
      const own = plan.hunks.filter(({ path }) => path === review.path);
      this.set({ ...this.held.get(review.path)!, after: textIn(withoutHunks(review, own)) });
    }
    this.save();
    return { plan, words: undoneInWords(plan.hunks, (path) => this.options.paths.display(path)) };
  }

  private async chosen(
    choice: UndoChoice,
    verb: 'applied' | 'discarded',
  ): Promise<{ readonly plan: UndoPlan; readonly reviews: readonly FileReview[] }> {
    const changes = await this.changes();
    const plan = undoPlan(changes, choice);
    const conflict = verb === 'applied' ? plan.hunks.find(({ isContested }) => isContested) : undefined;
    if (conflict) {
      const words = 'was changed at the lines of a held edit after the agent wrote that. Nothing was applied.';
      throw new RestoreConflict(`${this.options.paths.display(conflict.path)} ${words}`, conflict.path);
    }
    if (plan.unknown.length > 0 || plan.hunks.length === 0)
      throw new RestoreConflict(`The edit is not held back any more. Nothing was ${verb}.`, '');
    const paths = new Set(plan.hunks.map(({ path }) => path));
    const reviews = changes.flatMap((change) => change.reviews).filter(({ path }) => paths.has(path));
    return { plan, reviews };
  }

  private set(file: HeldFile): void {
    if (file.before === file.after) this.held.delete(file.path);
    else this.held.set(file.path, file);
  }

  private save(): void {
    if (this.held.size === 0) fs.rmSync(this.file, { force: true });
    else {
      const text = JSON.stringify({ version: 1, files: [...this.held.values()] });
      makeFolder(path.dirname(this.file));
      writeDurably(this.file, [framed(text, '', machineKey()).line]);
    }
    this.known = stampOf(this.file);
  }
}

const mostNamed = 5;

/** Another one after each write; empty where there is no file. */
function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : '';
}

/** Only what this machine sealed counts: it is offered to a person as what the agent wants. */
function readHeld(file: string): readonly HeldFile[] {
  try {
    const [line = ''] = fs.readFileSync(file, 'utf8').split('\n');
    const frame = readFrame(Buffer.from(line));
    if (!frame || !isSealed(frame, machineKey())) return [];
    return Held.safeParse(JSON.parse(line)).data?.files ?? [];
  } catch {
    return [];
  }
}

const deleted = (display: string): FileProblem =>
  new FileProblem('missing', `You deleted ${display}. The deletion is held back until the user applies it.`);

/** As the disk refuses it: an edit is of a text that the agent saw. */
function refuseOther(display: string, now: string | null, expected: string | null): void {
  if (expected === null && now !== null)
    throw new FileProblem(
      'exists',
      `${display} exists already, and was not there when this was prepared. Read it first.`,
    );
  if (expected !== null && (now === null || textVersion(now) !== expected))
    throw new FileProblem('changed', `${display} was changed since it was read. Nothing was written. Read it again.`);
}

async function textOf(files: Files, path: string): Promise<string | null> {
  try {
    return (await files.read(path)).text;
  } catch (problem) {
    if (problem instanceof FileProblem && problem.code === 'missing') return null;
    throw problem;
  }
}

/** Texts of changes have one character for each byte. */
const snapshotOf = (text: string | null): Snapshot =>
  text === null ? nothing : textSnapshot(Buffer.from(text).toString('latin1'), 0o644);

const textIn = ({ state, text }: Snapshot): string | null =>
  state === null ? null : Buffer.from(text ?? '', 'latin1').toString();

interface Wanted {
  readonly file: HeldFile;
  readonly text: string | null;
}

/** Moves what was only moved, which keeps its bytes and rights; writes the rest, all of it or nothing. */
async function applyTo(files: Files, wanted: readonly Wanted[]): Promise<void> {
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
