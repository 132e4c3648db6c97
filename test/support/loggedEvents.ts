import fs from 'node:fs';
import type { Event } from '../../src/protocol/events/event';

/** Reads the events of a log, also while its session runs: the header and a line that is still being written are left out. */
export const eventsIn = (log: string): Event[] => parsed(fs.readFileSync(log, 'utf8').split('\n').slice(1, -1));

/** Reads the events that a command printed with `--json`. */
export const eventsPrinted = (stdout: string): Event[] => parsed(stdout.trim().split('\n'));

const parsed = (lines: readonly string[]): Event[] => lines.map((line) => JSON.parse(line) as Event);
