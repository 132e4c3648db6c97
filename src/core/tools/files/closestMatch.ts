import { splitLines, numberedLines } from '../../text/numberedLines';
import { indexOfPart } from '../matching/indexOfSequence';
import { secrets } from '../../secrets/secrets';

/** Ways in which a quoted text may differ from the file, from the smallest difference to the largest. */
const tolerances: readonly { readonly differs: string; plain(line: string): string }[] = [
  { differs: 'only white space at line ends differs', plain: (line) => line.trimEnd() },
  { differs: 'only the indentation differs', plain: (line) => line.trim() },
  { differs: 'only white space differs', plain: (line) => line.replace(/\s+/g, '') },
  { differs: 'only quotes, dashes or white space differ', plain: (line) => simplified(line) },
  { differs: 'only upper and lower case differ', plain: (line) => simplified(line).toLowerCase() },
];
const maxLinesSearched = 50_000;
const maxComparisons = 1_000_000;
const maxCandidates = 24;
const maxPlacesNamed = 6;
/** Limits for comparing long lines: characters, and words below. */
const maxLineLength = 2000;
const maxWords = 40;
const maxLinesShown = 14;

/** Explains why `part` is not in `text`, with the closest match and its line numbers. */
export async function explainMiss(text: string, part: string): Promise<string> {
  const lines = splitLines(text).slice(0, maxLinesSearched);
  const wanted = part.replace(/^\n+|(?<!\n)\n+$/g, '').split('\n');
  if (lines.length === 0) return 'old_text was not found: the file is empty.';
  if (wanted.every((line) => /^\s*\d+\t/.test(line)))
    return 'old_text was not found: it contains the line numbers of read_file. Quote the text after the tab.';
  for (const { differs, plain } of tolerances) {
    const places = matchesOf(lines.map(plain), wanted.map(plain));
    if (places.length === 0) continue;
    const more =
      places.length > 1
        ? ` (also from lines ${places
            .slice(1)
            .map((at) => at + 1)
            .join(', ')})`
        : '';
    return `old_text was not found, but ${precisely(differs, lines.slice(places[0]), wanted)} from these lines${more}:\n${excerpt(lines, places[0]!, wanted.length)}`;
  }
  const nearest = await nearestPlace(lines, wanted);
  return nearest === undefined
    ? 'old_text was not found, and nothing in the file is similar. Search for a word of it, or read the file again.'
    : `old_text was not found. The closest place is:\n${excerpt(lines, nearest, wanted.length)}\nQuote it exactly as shown.`;
}

/** Indexes where the wanted lines occur. The first may match the end of a line and the last the start of one. */
function matchesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const [first = '', ...others] = wanted;
  if (wanted.every((line) => line === '')) return [];
  if (others.length === 0) return indexesWhere(lines, (line) => indexOfPart(line, first) !== -1);
  const last = others.pop()!;
  let left = maxComparisons;
  return indexesWhere(lines, (line, at) => {
    if (left <= 0 || !line.endsWith(first)) return false;
    const differing = others.findIndex((other, index) => lines[at + 1 + index] !== other);
    left -= differing === -1 ? others.length : differing;
    return differing === -1 && lines[at + 1 + others.length]?.startsWith(last) === true;
  });
}

/** Returns only the first few indexes, as many as the message lists. */
function indexesWhere(lines: readonly string[], test: (line: string, at: number) => boolean): number[] {
  const found: number[] = [];
  for (let at = 0; at < lines.length && found.length < maxPlacesNamed; at++) if (test(lines[at]!, at)) found.push(at);
  return found;
}

function precisely(differs: string, lines: readonly string[], wanted: readonly string[]): string {
  const at = wanted.findIndex(
    (line, index) => line.trim() !== '' && /^\s*/.exec(line)![0] !== /^\s*/.exec(lines[index] ?? '')![0],
  );
  if (at < 0 || !differs.includes('indentation')) return differs;
  const there = /^\s*/.exec(lines[at]!)![0];
  const here = /^\s*/.exec(wanted[at]!)![0];
  if (there.includes('\t') !== here.includes('\t'))
    return `${differs} (the file indents with ${there.includes('\t') ? 'tabs' : 'spaces'})`;
  return `${differs} (the file has ${there.length} where old_text has ${here.length})`;
}

/**
 * Ranks a bounded number of windows that share rare lines or words with the wanted ones. Returns undefined if none is
 * similar enough.
 */
async function nearestPlace(lines: readonly string[], wanted: readonly string[]): Promise<number | undefined> {
  const votes = new Map<number, number>();
  wanted.slice(0, Math.max(3, Math.floor(maxComparisons / lines.length))).forEach((line, offset) => {
    const words = new Set((line.slice(0, maxLineLength).match(/\w{3,}/g) ?? []).slice(0, maxWords));
    if (words.size === 0) return;
    const alike = lines.flatMap((other, at) => {
      const shared = sharedWords(words, other.slice(0, maxLineLength));
      return shared * 2 >= words.size ? [{ start: Math.max(0, at - offset), shared: shared / words.size }] : [];
    });
    for (const { start, shared } of alike) votes.set(start, (votes.get(start) ?? 0) + shared / alike.length);
  });
  const candidates = [...votes]
    .sort((a, b) => b[1] - a[1])
    .slice(0, maxCandidates)
    .map(([start]) => start);
  if (candidates.length === 0) return undefined;
  const {
    default: { distance },
  } = await import('fastest-levenshtein');
  const target = wanted
    .map((line) => line.trim())
    .join('\n')
    .slice(0, 2000);
  const ranked = candidates
    .map((start) => {
      const window = lines
        .slice(start, start + wanted.length)
        .map((line) => line.trim())
        .join('\n')
        .slice(0, 2000);
      return { start, likeness: 1 - distance(target, window) / Math.max(target.length, window.length, 1) };
    })
    .sort((a, b) => b.likeness - a.likeness);
  return ranked[0]!.likeness >= 0.4 ? ranked[0]!.start : undefined;
}

function sharedWords(words: ReadonlySet<string>, line: string): number {
  let shared = 0;
  for (const word of words) if (line.includes(word)) shared++;
  return shared;
}

function excerpt(lines: readonly string[], start: number, count: number): string {
  const cut = lines.slice(start, start + Math.min(count, maxLinesShown)).map((line) => secrets.truncate(line, 300));
  return numberedLines(cut, start + 1) + (count > maxLinesShown ? `\n[${count - maxLinesShown} more lines]` : '');
}

function simplified(line: string): string {
  return line
    .replace(/[\u2018\u2019\u201c\u201d"`]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\s\u00a0]+/g, '');
}
