import fs from 'node:fs';
import path from 'node:path';
import { FileProblem } from '../../core/ports/files';

/**
 * Throws `FileProblem` `no_space` if the disk of `file` reports too little room for `bytes` more. A disk that reports
 * nothing counts as having room.
 */
export function refuseFullDisk(file: string, display: string, bytes: number): void {
  if (freeBytesFor(file) < bytes)
    throw new FileProblem('no_space', `The disk is full: ${display} was not changed. Free some space, then try again.`);
}

/**
 * Returns how many bytes this process can still write on the disk of `file`; Infinity if the disk does not report it.
 */
export function freeBytesFor(file: string): number {
  try {
    const { bavail, bfree, blocks, bsize } = fs.statfsSync(folderThatIs(path.dirname(file)));
    // Reserved blocks are for root.
    return blocks === 0 ? Infinity : (process.geteuid?.() === 0 ? bfree : bavail) * bsize;
  } catch {
    return Infinity;
  }
}

const folderThatIs = (folder: string): string =>
  fs.existsSync(folder) || path.dirname(folder) === folder ? folder : folderThatIs(path.dirname(folder));

/**
 * The content of a file before another program overwrites it in place, which may fail after writing only the beginning
 * of the new text.
 */
export interface ContentBackup {
  /**
   * Restores the content if the file contains only the beginning of `text`; anything written by others meanwhile is
   * kept. Returns false if restoring was necessary but failed.
   */
  restore(text: string): boolean;
}

export function backUpContent(file: string): ContentBackup {
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
        else fs.writeFileSync(file, before, { flush: true }); // this content was on the disk, so there is room for it
        return true;
      } catch {
        return false;
      }
    },
  };
}

/**
 * Returns whether the bytes are a strict prefix of the text, ignoring the kind of line ends and a cut-off character.
 */
function isBeginning(bytes: Buffer, text: string): boolean {
  const withoutCarriageReturns = (words: string): string => words.replace(/^\uFEFF/, '').replaceAll('\r', '');
  const there = withoutCarriageReturns(bytes.toString('utf8')).replace(/(?<!\uFFFD)\uFFFD+$/, '');
  const whole = withoutCarriageReturns(text);
  return there.length < whole.length && whole.startsWith(there);
}
