import { createTwoFilesPatch } from 'diff';

/** What changed between a text as a person agreed to it and as it is, as a patch for a person. */
export const agreedChange = (before: string, now: string): string =>
  createTwoFilesPatch('as you agreed to it', 'now', before, now).split('\n').slice(1).join('\n');
