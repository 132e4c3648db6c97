import { truncate } from './truncate';

/** Returns the first line of a text, such as a task, in at most 60 characters, for lists. */
export function titleLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]!.replace(/\s+/g, ' ');
  return truncate(line, 60).replace(/ …$/, '…');
}
