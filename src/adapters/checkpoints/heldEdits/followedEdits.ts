import { splitKeepingEndings, transferChanges } from '../../../core/changes/lineChanges';
import { FileProblem, type Files } from '../../../core/ports/files';
import { readIfThere } from '../../../core/tools/files/changeFile';
import { isSameHeld, type HeldEditsFile, type HeldFile } from './heldEditsFile';

/** `file`: the held edit; absent if there is none. `conflict`: why it cannot be applied, as a message. */
interface FollowedEdit {
  readonly file?: HeldFile;
  readonly conflict?: string;
}

/** The held edits of a run, merged with what others changed in the real files meanwhile. */
export class FollowedEdits {
  /** `files`: the files on disk or in editors, without held edits. */
  constructor(
    private readonly saved: HeldEditsFile,
    private readonly files: Files,
  ) {}

  /** Returns a held file, updated with what others changed in the real file. */
  async follow(absolute: string): Promise<FollowedEdit> {
    for (;;) {
      const file = this.saved.files.get(absolute);
      if (!file) return {};
      const { next, conflict } = await merged(file, this.files);
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

  /** Returns the text of a file without held edits; null if it does not exist. */
  readReal(absolute: string): Promise<string | null> {
    return readTextIfExists(this.files, absolute);
  }
}

const editedLines = 'was changed at the lines of a held edit after the agent wrote the edit.';

/**
 * Merges what others changed in a file into the held edit. `next` is the same object if nothing changed, and absent if
 * the edit is already made.
 */
async function merged(file: HeldFile, files: Files): Promise<{ readonly next?: HeldFile; readonly conflict?: string }> {
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
  const text = lines.join('');
  return text === now ? {} : { next: { ...file, before: now, after: text } };
}

const readTextIfExists = async (files: Files, path: string): Promise<string | null> =>
  (await readIfThere(path, files))?.text ?? null;
