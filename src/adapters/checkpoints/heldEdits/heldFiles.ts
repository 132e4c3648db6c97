import { FileProblem, type FileBytes, type Files, type FileSnapshot, type FileWrite } from '../../../core/ports/files';
import { bytesVersion, textVersion } from '../../files/textVersion';
import type { WorkspacePaths } from '../../files/workspacePaths';
import type { FollowedEdits } from './followedEdits';
import { isSameHeld, type HeldEditsFile, type HeldFile } from './heldEditsFile';

interface HeldFilesParts {
  readonly paths: Pick<WorkspacePaths, 'resolve' | 'display'>;
  readonly saved: HeldEditsFile;
  readonly followed: FollowedEdits;
  /** True if new edits are held. Edits of a file that has held edits are held in any case. */
  isOn(): boolean;
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

/** The files of a run as it sees them: with the held edits. What it writes is held. */
export class HeldFiles {
  constructor(private readonly parts: HeldFilesParts) {}

  /** `files`: the real files. `action`: the action that edits them. */
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
    this.parts.saved.refresh();
    return (
      this.parts.isOn() || spelled.some((each) => this.parts.saved.files.has(this.placeOf(each, 'write').absolute))
    );
  }

  private placeOf(spelled: string, use: 'read' | 'write'): { readonly absolute: string; readonly display: string } {
    return this.parts.paths.resolve(spelled, use);
  }

  private async read(spelled: string, files: Files): Promise<FileSnapshot> {
    const { absolute, display } = this.placeOf(spelled, 'read');
    this.parts.saved.refresh();
    if (!this.parts.saved.files.has(absolute)) return files.read(spelled);
    const { file } = await this.parts.followed.follow(absolute);
    if (!file) return files.read(spelled);
    if (file.after === null) throw deleted(display);
    return { path: display, text: file.after, version: textVersion(file.after) };
  }

  private async readBytes(spelled: string, most: number, files: Files): Promise<FileBytes> {
    const { absolute, display } = this.placeOf(spelled, 'read');
    this.parts.saved.refresh();
    if (!this.parts.saved.files.has(absolute)) return files.readBytes(spelled, most);
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
      after === null ? [] : [{ path: this.parts.paths.display(path), text: after, version: textVersion(after) }],
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
    this.parts.saved.update(() => {
      const other = changes.find(({ heldFile, next }) => !isSameHeld(heldFile, this.parts.saved.files.get(next.path)));
      if (other) throw changedSince(this.parts.paths.display(other.next.path));
      for (const { next } of changes) this.parts.saved.set(next);
    });
  }

  /** Returns the text of a file as the run sees it (null if it does not exist), and its held edit. */
  private async textNow(absolute: string): Promise<TextNow> {
    this.parts.saved.refresh();
    const { file } = this.parts.saved.files.has(absolute)
      ? await this.parts.followed.follow(absolute)
      : { file: undefined };
    if (file) return { text: file.after, held: file };
    return { text: await this.parts.followed.readReal(absolute), held: undefined };
  }

  /** Does the same for a file that must exist and be text: other contents could not be shown. */
  private async neededText(absolute: string): Promise<TextNow & { readonly text: string }> {
    const display = this.parts.paths.display(absolute);
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
