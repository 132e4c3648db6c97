import { linesAlike, lineWindows } from './lineWindows';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

/** The first and the last line without white space at their ends and without empty lines around them; what is between is exact. */
export const trimmedBoundary: Strategy = {
  name: 'trimmed-boundary',
  differs: 'only white space around the quoted text differs',
  places: (text, part) =>
    lineWindows(
      text,
      bare(part),
      (line) => line,
      linesAlike((lines, at, wanted) =>
        wanted.every((line, index) =>
          index === 0 || index === wanted.length - 1
            ? lines[at + index]!.trim() === line.trim()
            : lines[at + index] === line,
        ),
      ),
    ),
  adapt: (replacement, found, part) => reindented(bare(replacement), found, bare(part)),
};

/** Without the empty lines at the beginning and at the end. */
function bare(text: string): string {
  const begun = text.replace(/^(?:[ \t]*\n)+/, '');
  let contentEnd = begun.length;
  while (contentEnd > 0 && ' \t\n'.includes(begun[contentEnd - 1]!)) contentEnd--;
  const cut = begun.indexOf('\n', contentEnd);
  return cut < 0 ? begun : begun.slice(0, cut);
}
