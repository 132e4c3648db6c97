import { anyOf } from '../../core/text/alternatives';

/** What a person can do where the system has too little left to start a program. */
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

/** Whether words of the system say that it has too few processes, too little memory or too few open files left. */
export const saysShortage = (words: string): boolean => shortOfSomething.test(words);
