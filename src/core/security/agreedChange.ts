import { createTwoFilesPatch } from 'diff';

/** Returns a patch for people from a text as approved to its current state. */
export const agreedChange = (before: string, now: string): string =>
  createTwoFilesPatch('as approved', 'now', before, now).split('\n').slice(1).join('\n');
