import path from 'node:path';
import { RunCannotContinue } from '../../../core/ports/terminal';
import { freeBytesFor } from '../../storage/fullDisk';

/** Free bytes required for a command's output before it starts. */
const minFreeBytes = 16 * 1024;
/** Time between two checks, in ms. */
const pause = 500;

/** Returns whether the disk of `file` is full. */
export const isFull = (file: string): boolean => freeBytesFor(file) < 1;

/** How long commands wait if no user is there who could free space or stop the run. In ms. */
export const unattendedRoomWaitMs = 60_000;

/** A command that waits for space on its disk. */
interface WaitingCommand {
  /** As long as needed if absent. */
  readonly maxWaitMs?: number | undefined;
  isOver(): boolean;
  notify(text: string): void;
}

/**
 * Resolves when the disk has room for an output: what a command prints on a full disk is lost, and writing fails. Waits
 * as the log does and reports the beginning and the end of the wait; ends early if `isOver`. Throws if the wait is over
 * and the disk still full.
 */
export async function roomForOutput(file: string, { maxWaitMs, isOver, notify }: WaitingCommand): Promise<void> {
  if (freeBytesFor(file) >= minFreeBytes) return;
  const full = `no space for the output of commands (${path.dirname(file)}).`;
  const waits =
    maxWaitMs === undefined
      ? 'The command waits and then continues by itself.'
      : `The command waits for up to ${Math.round(maxWaitMs / 1000)} seconds and then continues by itself.`;
  notify(`The disk is full: there is ${full} Free some space. ${waits}`);
  for (let waited = 0; !isOver() && freeBytesFor(file) < minFreeBytes; waited += pause) {
    if (maxWaitMs !== undefined && waited >= maxWaitMs)
      throw new RunCannotContinue({
        what: 'The run stopped: the disk is full.',
        why: `There is ${full} The command was not started.`,
        next: 'Free some space, then continue the session.',
      });
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  if (!isOver()) notify('There is space for the output of commands again; the run continues.');
}
