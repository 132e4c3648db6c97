import { createTwoFilesPatch } from 'diff';

/** What changed between a hooks file with its scripts as it was agreed to, and as it is, as a patch for a person. */
export const hookChange = (before: string, now: string): string => createTwoFilesPatch('as you agreed to it', 'now', before, now).split('\n').slice(1).join('\n');
