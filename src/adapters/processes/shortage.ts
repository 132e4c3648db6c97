import { anyOf } from '../../core/text/alternatives';

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
