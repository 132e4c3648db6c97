import { anyOf } from '../../core/text/alternatives';
import fs from 'node:fs';

/** What the user can do if the system lacks the resources to start a program. */
export const raiseLimits =
  'End other programs, or raise the limits of this account (ulimit -u, ulimit -n, ulimit -v), and try again.';

const shortOfSomething = anyOf(
  [
    /Resource temporarily unavailable/,
    /Cannot allocate memory/,
    /Too many open files/,
    /Cannot fork/,
    /failed to map segment/,
    /\b(?:EAGAIN|ENOMEM|EMFILE|ENFILE)\b/,
  ],
  'i',
);

/** Returns whether a system message says that processes, memory or open files have run out. */
export const isShortageMessage = (words: string): boolean => shortOfSomething.test(words);

/** A limit that the system enforces, by its name in Linux. */
type LimitName = 'Max address space' | 'Max file size' | 'Max processes';

/** Returns the soft limit of a process; undefined if it has none or the system lacks Linux's limits file. */
export function limitOf(process: number | 'self', name: LimitName): number | undefined {
  let limits: string;
  try {
    limits = fs.readFileSync(`/proc/${process}/limits`, 'utf8');
  } catch {
    return undefined;
  }
  const line = limits.split('\n').find((each) => each.startsWith(`${name} `));
  const value = line?.slice(name.length).trim().split(/\s+/)[0];
  return value === undefined || value === 'unlimited' ? undefined : Number(value);
}
