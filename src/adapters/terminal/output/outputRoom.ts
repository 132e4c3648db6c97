import path from 'node:path';
import { roomBeside } from '../../storage/fullDisk';

/** Bytes that a command finds free for its output before it starts. */
const least = 16 * 1024;
/** Milliseconds between two looks. */
const pause = 500;

/** Whether nothing more can be written beside `file`. */
export const isFull = (file: string): boolean => roomBeside(file) < 1;

/**
 * Resolves when the disk of an output has room for one: what a command prints on a full disk is
 * lost, and what it prints into fails. Waits as the log does and says so, once when it begins and
 * once when it goes on; ends early when `isOver`.
 */
export async function roomForOutput(file: string, isOver: () => boolean, tell: (text: string) => void): Promise<void> {
  if (roomBeside(file) >= least) return;
  tell(
    `The disk is full: there is no room for what commands print (${path.dirname(file)}). The command waits and goes on by itself. Free some space.`,
  );
  while (!isOver() && roomBeside(file) < least) await new Promise((resolve) => setTimeout(resolve, pause));
  if (!isOver()) tell('There is room for what commands print again; the run goes on.');
}
