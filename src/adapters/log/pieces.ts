import fs from 'node:fs';

/**
 * Work that can be left and gone on with: it asks for what a file holds by its path, or says
 * with nothing that others may have a turn.
 */
export type Pieces<Result> = Generator<string | undefined, Result, Buffer>;

/** Milliseconds that one turn may take before others have theirs. */
const turn = 15;
const nothing = Buffer.alloc(0);

/** A file that is not there holds nothing. Throws where one is there and cannot be read. */
export function atOnce<Result>(work: Pieces<Result>): Result {
  let step = work.next(nothing);
  while (!step.done) {
    const file = step.value;
    step =
      file === undefined
        ? work.next(nothing)
        : answered(work, () => (isThere(file, statOf(file)) ? fs.readFileSync(file) : nothing));
  }
  return step.value;
}

/** The same, while everything else goes on. */
export async function inTurns<Result>(work: Pieces<Result>): Promise<Result> {
  let until = performance.now() + turn;
  let step = work.next(nothing);
  while (!step.done) {
    if (step.value !== undefined) {
      const read = await bytesOf(step.value).then(
        (bytes) => () => bytes,
        (error: unknown) => () => {
          throw error;
        },
      );
      until = performance.now() + turn;
      step = answered(work, read);
    } else {
      if (performance.now() > until) {
        await new Promise((resolve) => setImmediate(resolve));
        until = performance.now() + turn;
      }
      step = work.next(nothing);
    }
  }
  return step.value;
}

/** A caller that asks for a file gets the error, and may go on without the file. */
function answered<Result>(work: Pieces<Result>, read: () => Buffer): IteratorResult<string | undefined, Result> {
  let bytes;
  try {
    bytes = read();
  } catch (error) {
    return work.throw(error);
  }
  return work.next(bytes);
}

function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file);
  } catch (error) {
    return unlessMissing(error);
  }
}

/** Versions of Node differ in what `throwIfNoEntry` says where a folder on the way is a file. */
function unlessMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

async function bytesOf(file: string): Promise<Buffer> {
  const stat = await fs.promises.stat(file).catch(unlessMissing);
  return isThere(file, stat) ? fs.promises.readFile(file) : nothing;
}

/** A log can name any file as the one that it goes on from; a pipe or a device would never end. */
function isThere(file: string, stat: fs.Stats | undefined): boolean {
  if (stat && !stat.isFile()) throw new Error(`${file} is no file, so it cannot be read.`);
  return stat !== undefined;
}
