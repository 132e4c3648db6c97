import fc from 'fast-check';

/** An encoding and line ending of text files. */
interface Format {
  readonly name: string;
  /** Encodes a text whose line endings are already in place. */
  write(text: string): Buffer;
  /** Returns the ending of line `index`. */
  ending(index: number): string;
  readonly endsWithLine: boolean;
  readonly letters: string;
}

const marked = (mark: readonly number[], bytes: Buffer): Buffer => Buffer.concat([Buffer.from(mark), bytes]);

const encodings: readonly Pick<Format, 'name' | 'write' | 'letters'>[] = [
  { name: 'UTF-8', letters: 'aé中😀', write: (text) => Buffer.from(text) },
  {
    name: 'UTF-8 with a mark',
    letters: 'aé中😀',
    write: (text) => marked([0xef, 0xbb, 0xbf], Buffer.from(text)),
  },
  {
    name: 'UTF-16 LE',
    letters: 'aé中😀',
    write: (text) => marked([0xff, 0xfe], Buffer.from(text, 'utf16le')),
  },
  {
    name: 'UTF-16 BE',
    letters: 'aé中😀',
    write: (text) => marked([0xfe, 0xff], Buffer.from(text, 'utf16le').swap16()),
  },
  { name: 'Latin-1', letters: 'aéßÿ', write: (text) => Buffer.from(text, 'latin1') },
];

const endings: readonly Pick<Format, 'name' | 'ending'>[] = [
  { name: 'LF', ending: () => '\n' },
  { name: 'CRLF', ending: () => '\r\n' },
  { name: 'mixed line ends', ending: (index) => (index % 2 === 0 ? '\r\n' : '\n') },
];

export const formats: readonly Format[] = encodings.flatMap((encoding) =>
  endings.flatMap((ending) =>
    [true, false].map((endsWithLine) => ({
      ...encoding,
      ...ending,
      name: `${encoding.name}, ${ending.name}${endsWithLine ? '' : ', no final newline'}`,
      endsWithLine,
    })),
  ),
);

/** A file before and after one of its lines is changed. */
export interface Lines {
  readonly before: Buffer;
  readonly after: Buffer;
  /** The earlier text, as tools read it. */
  readonly text: string;
  readonly old: string;
  readonly now: string;
  /** True for the last line if it has no line ending. */
  readonly isOpenEnd: boolean;
}

/** Returns files of some lines, all of them different. */
export function linesIn({ write, ending, endsWithLine, letters }: Format): fc.Arbitrary<Lines> {
  const word = fc.array(fc.constantFrom(...letters, 'b', ' ', '.'), { minLength: 1, maxLength: 6 });
  const words = fc.array(word, { minLength: 2, maxLength: 7 });
  return fc.tuple(words, fc.nat(), fc.constantFrom(...letters)).map(([parts, which, letter]) => {
    // Every file has enough plain words for Latin-1 to be detected, and one non-ASCII character.
    const mark = [...letters][1];
    const lines = parts.map((part, index) => `${index}${index === 0 ? mark : ''}:${part.join('')}| and plain words`);
    const at = which % lines.length;
    const old = lines[at]!;
    const now = `${at}:new ${letter}| and plain words`;
    const bytesOf = (all: readonly string[]): Buffer =>
      write(all.map((line, index) => line + (index < all.length - 1 || endsWithLine ? ending(index) : '')).join(''));
    const text = lines.join('\n') + (endsWithLine ? '\n' : '');
    const changed = lines.map((line, index) => (index === at ? now : line));
    return {
      before: bytesOf(lines),
      after: bytesOf(changed),
      text,
      old,
      now,
      isOpenEnd: !endsWithLine && at === lines.length - 1,
    };
  });
}
