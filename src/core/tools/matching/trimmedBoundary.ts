import { lineWindows } from './lineWindows';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

/** The first and the last line without white space at their ends and without empty lines around them; what is between is exact. */
export const trimmedBoundary: Strategy = {
  name: 'trimmed-boundary',
  differs: 'only white space around the quoted text differs',
  places: (text, part) => lineWindows(text, bare(part), line => line, (lines, at, wanted) =>
    wanted.every((line, index) => (index === 0 || index === wanted.length - 1 ? lines[at + index]!.trim() === line.trim() : lines[at + index] === line))),
  adapt: (replacement, found, part) => reindented(bare(replacement), found, bare(part)),
};

const bare = (text: string): string => text.replace(/^(?:[ \t]*\n)+|(?:\n[ \t]*)+$/g, '');
