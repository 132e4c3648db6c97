import path from 'node:path';
import { freeBytesFor } from '../../storage/fullDisk';

/** Free bytes required for a command's output before it starts. */
const minFreeBytes = 16 * 1024;
/** Time between two checks, in ms. */
const pause = 500;

/** Returns whether the disk of `file` is full. */
export const isFull = (file: string): boolean => freeBytesFor(file) < 1;

/**
 * Resolves when the disk has room for an output: what a command prints on a full disk is lost, and writing fails. Waits
 * as the log does and reports the beginning and the end of the wait; ends early if `isOver`.
 */
export async function roomForOutput(file: string, isOver: () => boolean, tell: (text: string) => void): Promise<void> {
  if (freeBytesFor(file) >= minFreeBytes) return;
  tell(
    `The disk is full: there is no space for the output of commands (${path.dirname(file)}). Free some space. The command waits and then continues by itself.`,
  );
  while (!isOver() && freeBytesFor(file) < minFreeBytes) await new Promise((resolve) => setTimeout(resolve, pause));
  if (!isOver()) tell('There is space for the output of commands again; the run continues.');
}
