import type { Action, EventOf, Reach } from '../../../protocol/events/event';
import { trustOf, type Trust } from './trust';

/** One line of a result, and its source if nobody vouches for it. `number` is its line number in the file. */
interface SourcedLine {
  readonly text: string;
  readonly source?: { readonly name: string; readonly trust: Exclude<Trust, 'project'> };
  readonly number?: number;
}

/** File name in a search result, before a line or above its lines. A URL is not one. */
const searchResultName = /^([^\s:][^:\n]*?)[:-](\d+)[:-]/;
const heading = /^(?!\[|\w+:\/\/)(?=[^\s/.]*[/.])(\S+)$/;
const numbered = /^ {0,8}(\d+)[\t:|]/;
/** Start of a notebook shown cell by cell. Its line numbers are not those of the file. */
const shownByCell = /^\[cell 1: /;

/**
 * Yields the source of each line of a result: the file named by the line or by a heading above, else what the call was
 * expected to show.
 */
export function* linesOfResult(
  { content, details }: EventOf<'observation'>,
  reach: Reach | undefined,
): Generator<SourcedLine> {
  const whole = wholeSource([...(details?.kind === 'read' ? [details.path] : []), ...(reach?.untrusted ?? [])]);
  if (details?.kind === 'search' || details?.kind === 'command')
    return yield* linesOfSearch(content, whole, details.kind === 'command');
  const firstOfFile = details?.kind === 'read' && !shownByCell.test(content) ? details.fromLine : undefined;
  for (const [index, text] of content.split('\n').entries()) {
    const expected = firstOfFile === undefined ? undefined : firstOfFile + index;
    const number = firstOfFile === undefined ? undefined : writtenNumber(text);
    yield sourcedLine(text, whole, number ?? expected);
  }
}

/** Like `linesOfResult`, for lines that name their files. `isCommand`: some lines only look like a heading. */
function* linesOfSearch(content: string, whole: SourcedLine['source'], isCommand: boolean): Generator<SourcedLine> {
  const lines = content.split('\n');
  const listed = isCommand ? listedNames(lines) : undefined;
  let ofHeading: SourcedLine['source'];
  for (const [index, text] of lines.entries()) {
    const result = searchResultName.exec(text);
    if (result) {
      yield sourcedLine(text, sourceNamed(result[1]!) ?? whole, Number(result[2]));
      continue;
    }
    const title = listed?.has(index) ? null : heading.exec(text);
    if (title) ofHeading = sourceNamed(title[1]!);
    yield sourcedLine(text, ofHeading ?? whole, ofHeading && writtenNumber(text));
  }
}

const sourcedLine = (text: string, source: SourcedLine['source'], number: number | undefined): SourcedLine => ({
  text,
  ...(source && { source }),
  ...(number !== undefined && { number }),
});

function writtenNumber(line: string): number | undefined {
  const number = numbered.exec(line)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Returns whether a result quotes lines of a file with their numbers. */
export const quotesLines = (content: string): boolean => /^ {0,8}\d+\t/m.test(content);

const assignment = /^[A-Za-z_]\w*=/;
const isPathList = (line: string): boolean => line.split(':').length > 1 && line.split(':').every(isAbsolute);
const isAbsolute = (name: string): boolean => /^[~/]/.test(name);

/**
 * Returns the numbers of lines that look like a heading but name no file whose lines follow: variables, lists of paths,
 * and absolute paths that are all that a command printed there.
 */
function listedNames(lines: readonly string[]): Set<number> {
  const found = new Set<number>();
  let isFollowedByText = false;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    if (!heading.test(line)) isFollowedByText = line !== '' && !line.startsWith('[');
    else if (assignment.test(line) || isPathList(line) || (isAbsolute(line) && !isFollowedByText)) found.add(index);
  }
  return found;
}

/** Returns the source for lines that do not name one: the least trusted of the names. */
function wholeSource(names: readonly string[]): SourcedLine['source'] {
  const sources = names.map((name) => ({ name, trust: trustOfSource(name) }));
  const worst = sources.find(({ trust }) => trust === 'others') ?? sources.find(({ trust }) => trust === 'prose');
  return worst && { name: worst.name, trust: worst.trust as Exclude<Trust, 'project'> };
}

function sourceNamed(path: string): SourcedLine['source'] {
  const trust = trustOf(path.replace(/^\.\//, ''));
  return trust === 'project' ? undefined : { name: path, trust };
}

/** Commands, addresses and paths outside the workspace count as `others`; everything else by its path. */
function trustOfSource(name: string): Trust {
  if (/^[~/]|\s|:\/\//.test(name) || name.startsWith('..')) return 'others';
  return trustOf(name);
}

/**
 * Returns the sources of a result that were written by others and must be shown to the model as data. Documentation of
 * the project is excluded.
 */
export function foreignSources(
  observation: Pick<EventOf<'observation'>, 'content' | 'details'>,
  { risk: { reach } }: Pick<Action, 'risk'>,
): string[] {
  const names = new Set<string>();
  const isError = observation.details === undefined;
  for (const { source } of linesOfResult(
    { type: 'observation', seq: 0, at: 0, actionId: '', outcome: 'ok', ...observation },
    isError && reach?.quotes ? { ...reach, untrusted: [...(reach.untrusted ?? []), ...reach.quotes] } : reach,
  ))
    if (source?.trust === 'others') names.add(source.name);
  return [...names];
}
