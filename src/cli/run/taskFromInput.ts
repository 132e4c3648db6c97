import { readSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { decodeText } from '../../adapters/files/textEncoding';
import { errorCode } from '../../adapters/files/fileProblems';

/** Maximum length of a task, in megabytes. No model accepts a request of this size. */
const maxMegabytes = 20;
const maxBytes = maxMegabytes * 1_000_000;
/** Time between two attempts to read from a pipe that does not block and has nothing yet, in milliseconds. */
const waitMs = 20;

/** Returns the task on standard input. Rejects with an `Error` with a message for people if there is none. */
export async function taskFromInput(): Promise<string> {
  const decoded = decodeText(await readInput());
  if (typeof decoded === 'string')
    throw new Error(
      'The task on standard input is not text in UTF-8, UTF-16 or Latin-1. Convert it, for example with "iconv".',
    );
  return decoded.text;
}

/** Reads standard input to its end. A terminal can be read again afterwards, unlike with `process.stdin`. */
async function readInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let bytes = 0; ;) {
    const part = await nextPart();
    if (part.length === 0) return Buffer.concat(parts);
    bytes += part.length;
    if (bytes > maxBytes)
      throw new Error(
        `The task on standard input is longer than ${maxMegabytes} megabytes. Shorten it, or name a file in it that the agent can read.`,
      );
    parts.push(part);
  }
}

/** Returns what can be read now, and waits for it if necessary. Empty at the end. */
async function nextPart(): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(65_536);
  for (;;) {
    try {
      return buffer.subarray(0, readSync(0, buffer));
    } catch (error) {
      const code = errorCode(error);
      // Windows reports the end of a pipe as an error.
      if (code === 'EOF') return Buffer.alloc(0);
      if (code === 'EISDIR')
        throw new Error('Standard input is a folder. Pass a file with the task.', { cause: error });
      if (code !== 'EAGAIN') throw error;
      await setTimeout(waitMs);
    }
  }
}
