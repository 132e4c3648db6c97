import fs from 'node:fs';

/** Work that can be suspended: it yields the path of a file to read, or undefined to let other work run. */
export type Pieces<Result> = Generator<string | undefined, Result, Buffer>;

/** Maximum duration of one slice of work, in ms. */
const turn = 15;
const nothing = Buffer.alloc(0);

/** Runs the work synchronously. A missing file is empty. Throws if a file exists and cannot be read. */
export function atOnce<Result>(work: Pieces<Result>): Result {
  let step = work.next(nothing);
  while (!step.done) {
    const file = step.value;
    step =
      file === undefined
        ? work.next(nothing)
        : resumeWithFile(work, () => (isThere(file, statOf(file)) ? fs.readFileSync(file) : nothing));
  }
  return step.value;
}

/** Runs the work, yielding to other work in between. */
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
      step = resumeWithFile(work, read);
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

/** Errors are thrown into the generator that asked for the file, which may continue without it. */
function resumeWithFile<Result>(work: Pieces<Result>, read: () => Buffer): IteratorResult<string | undefined, Result> {
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

/** Versions of Node.js differ in how `throwIfNoEntry` treats a path below a file. */
function unlessMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

async function bytesOf(file: string): Promise<Buffer> {
  const stat = await fs.promises.stat(file).catch(unlessMissing);
  return isThere(file, stat) ? fs.promises.readFile(file) : nothing;
}

/** A log can name any file as its parent; reading a pipe or a device would never end. */
function isThere(file: string, stat: fs.Stats | undefined): boolean {
  if (stat && !stat.isFile()) throw new Error(`${file} is not a file, so it cannot be read.`);
  return stat !== undefined;
}
