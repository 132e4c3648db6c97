import fs from 'node:fs';
import path from 'node:path';
import { FileProblem } from '../../core/ports/environment';

/**
 * Throws `FileProblem` `no_space` where the disk of `file` says that it has no room for
 * `bytes` more. One that says nothing has room.
 */
export function refuseFullDisk(file: string, display: string, bytes: number): void {
  if (roomBeside(file) < bytes)
    throw new FileProblem('no_space', `The disk is full: ${display} was not changed. Free some space, then try again.`);
}

/** Bytes that this process can still write on the disk of `file`; Infinity where the disk does not say. */
export function roomBeside(file: string): number {
  try {
    const { bavail, bfree, blocks, bsize } = fs.statfsSync(folderThatIs(path.dirname(file)));
    // What is reserved is for root.
    return blocks === 0 ? Infinity : (process.geteuid?.() === 0 ? bfree : bavail) * bsize;
  } catch {
    return Infinity;
  }
}

const folderThatIs = (folder: string): string =>
  fs.existsSync(folder) || path.dirname(folder) === folder ? folder : folderThatIs(path.dirname(folder));

/**
 * What a file held before another program overwrites it where it is, which may leave the
 * beginning of the new text and nothing else.
 */
export interface KeptContent {
  /**
   * Puts it back where only the beginning of `text` is there; what somebody else wrote meanwhile stays. False where it
   * should have been put back and could not.
   */
  restore(text: string): boolean;
}

export function keptContent(file: string): KeptContent {
  const read = (): Buffer | undefined => {
    try {
      return fs.readFileSync(file);
    } catch {
      return undefined;
    }
  };
  const before = read();
  return {
    restore(text) {
      const now = read();
      if (!now || (before !== undefined && now.equals(before)) || !isBeginning(now, text)) return true;
      try {
        if (before === undefined) fs.rmSync(file);
        else fs.writeFileSync(file, before, { flush: true }); // it was there, so there is room for it
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Less than the text, in whatever line ends and however a letter was cut. */
function isBeginning(bytes: Buffer, text: string): boolean {
  const plain = (words: string): string => words.replace(/^\uFEFF/, '').replaceAll('\r', '');
  const there = plain(bytes.toString('utf8')).replace(/(?<!\uFFFD)\uFFFD+$/, '');
  const whole = plain(text);
  return there.length < whole.length && whole.startsWith(there);
}
