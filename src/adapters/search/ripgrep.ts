import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { sep } from 'node:path';
import { matchingRules, secretReads } from '../../core/risk/pathRules';
import { globMatcher, globProblem } from '../../core/text/glob';
import { shownName } from '../../core/text/shownName';
import { FileProblem } from '../../core/ports/files';
import type { Search, SearchMatch, SearchQuery, SearchResult } from '../../core/ports/search';
import { errorCode, fileProblemOf } from '../files/fileProblems';
import { agentIgnoring } from '../files/agentIgnore';
import { FoundLines, maxFileSize, maxFoundLineBytes } from './foundLines';
import {
  findRipgrep,
  type RipgrepPlaces,
  endWithoutThreads,
  finishedSearch,
  oneThread,
  watchForPipes,
} from './ripgrepProgram';
import { createWorkspacePaths } from '../files/workspacePaths';
import { compareTexts } from '../../core/text/order';

/** Printed by ripgrep at the end of a line that is longer. */
const cutOff = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;
/** Printed by ripgrep among the matches when it finds a NUL after a match. */
const binaryRemark =
  /^[^\0]*: (binary file matches|WARNING: stopped searching binary file after match) \(found \S{1,12} byte around offset \d+\)$/;

/**
 * Searches with ripgrep: honours .gitignore and .agentignore, skips binary files, does not follow links, and omits
 * files with secrets unless they are named.
 */
export function ripgrepSearch(
  places: RipgrepPlaces & { readonly binary?: string; readonly readableFolders?: readonly string[] },
): Search {
  const paths = createWorkspacePaths(places.folders, places.readableFolders ?? []);
  let binary = places.binary;
  return {
    async search(query, signal) {
      signal.throwIfAborted();
      binary ??= findRipgrep(places);
      if (binary === undefined)
        throw new Error(
          'The search program "rg" (ripgrep) was not found. Install ripgrep, or search with a command such as "grep -rn".',
        );
      const named = query.path === undefined ? undefined : paths.resolve(query.path, 'read');
      if (named) refuseUnsearchable(named.absolute, named.display);
      const leftOut = agentIgnoring();
      const wanted = pathFilter(query.glob);
      const accepts = (display: string): boolean =>
        (display === named?.display || matchingRules(display, secretReads).length === 0) && wanted(display);
      const show = (path: string): string | undefined => {
        const display = paths.display(path);
        const folder = paths.outermost.find((each) => path.startsWith(`${each}${sep}`));
        if (folder !== undefined && leftOut({ folder, absolute: path })) return undefined;
        return accepts(display) ? display : undefined;
      };
      const { maxMatches } = query;
      const options = { cwd: paths.root, maxMatches, signal, show, lines: new FoundLines() };
      const below = named ? [named.absolute] : paths.outermost;
      const args = [...argumentsFor(query), '--', ...below];
      const counted = await run(binary, args, options);
      const found = counted ?? (await firstInOrder(binary, args, options));
      if (found.truncated || !/[\x80-\uffff]/.test(query.pattern)) return found;
      // ripgrep compares bytes, and in such a file these characters have others than in the pattern.
      const inLatin1 = [...argumentsFor(query), '--encoding=windows-1252', '--', ...below];
      const more = await firstInOrder(binary, inLatin1, { ...options, latin1Only: true });
      return joinResults(found.matches, more, maxMatches);
    },
  };
}

function joinResults(matches: readonly SearchMatch[], more: SearchResult, maxMatches: number): SearchResult {
  const place = ({ path, line }: SearchMatch): string => `${line} ${path}`;
  const known = new Set(matches.map(place));
  const all = [...matches, ...more.matches.filter((match) => !known.has(place(match)))];
  const truncated = more.truncated || all.length > maxMatches;
  return { matches: all.sort(inOrder).slice(0, maxMatches), truncated, ...(truncated && { moreThan: maxMatches }) };
}

/** ripgrep's order with `--sort=path`, which compares folder by folder. */
const inOrder = (a: Omit<SearchMatch, 'text'>, b: Omit<SearchMatch, 'text'>): number =>
  comparePaths(a.path, b.path) || a.line - b.line;
const comparePaths = (a: string, b: string): number => compareTexts(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'));

function argumentsFor({ pattern, literal, glob, caseSensitive }: SearchQuery): string[] {
  return [
    '--no-config',
    '--no-messages',
    '--color=never',
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--column',
    '--byte-offset',
    '--null',
    '--hidden',
    '--no-require-git',
    '--max-columns',
    String(maxFoundLineBytes),
    '--max-columns-preview',
    `--max-filesize=${maxFileSize}`,
    '--glob=!.git',
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(literal ? ['--fixed-strings'] : []),
    ...globArguments(glob),
    `--regexp=${pattern}`,
  ];
}

/** ripgrep's own --glob would bring back files that .gitignore excludes; a file type with the same pattern does not. */
function globArguments(glob: string | undefined): string[] {
  if (!glob) return [];
  if (glob.startsWith('!')) return [`--glob=${glob}`];
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  return name === '' || name === '**' || (/[{}]/.test(glob) && glob.includes('/'))
    ? []
    : [`--type-add=waymark:${name}`, '--type=waymark'];
}

/** Returns a filter for the folder part of a glob. */
function pathFilter(glob: string | undefined): (display: string) => boolean {
  if (!glob || glob.startsWith('!') || !glob.includes('/')) return () => true;
  const plain = glob.replace(/^(\.?\/)+/, '');
  const wanted = plain.endsWith('/') ? `${plain}**` : plain;
  const wrong = globProblem(wanted);
  if (wrong !== undefined) throw new Error(`The glob ${wrong}. Write another one, such as "src/**/*.ts".`);
  return globMatcher(wanted);
}

function refuseUnsearchable(absolute: string, display: string): void {
  try {
    const stat = fs.statSync(absolute);
    if (!stat.isFile() && !stat.isDirectory())
      throw new FileProblem('special', `${display} is a pipe, socket or device and was not searched.`);
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') throw new FileProblem('missing', `There is no file or folder ${display}.`);
    throw fileProblemOf(thrown, display);
  }
}

interface RipgrepRun {
  readonly cwd: string;
  readonly maxMatches: number;
  readonly signal: AbortSignal;
  readonly lines: FoundLines;
  /** Only matches in files that are read as windows-1252 count. */
  readonly latin1Only?: boolean;
  /** Returns how a path is shown; undefined if it is not. */
  readonly show: (path: string) => string | undefined;
}

/** More matching lines are not counted. */
const maxCounted = 20_000;

/**
 * Searches with all threads, so matches come in any order: they are sorted and cut when all are known. Returns undefined
 * if there are more than `maxCounted`.
 */
async function run(binary: string, args: readonly string[], options: RipgrepRun): Promise<SearchResult | undefined> {
  const found: Found[] = [];
  const isComplete = await eachFound(binary, args, options, (each) => found.push(each) <= maxCounted);
  if (!isComplete) return undefined;
  found.sort(inOrder);
  const matches: SearchMatch[] = [];
  for (const each of found) {
    const text = textOf(each, options);
    if (text === undefined) continue;
    if (matches.length === options.maxMatches) return { matches, truncated: true, counts: countsOf(found) };
    matches.push({ path: each.path, line: each.line, text });
  }
  return { matches, truncated: false };
}

function countsOf(found: readonly Found[]): { path: string; matches: number }[] {
  const counts = new Map<string, number>();
  for (const { path } of found) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].map(([path, matches]) => ({ path, matches }));
}

/** Searches in the order of the paths, which takes one thread, and only as far as needed. */
async function firstInOrder(binary: string, args: readonly string[], options: RipgrepRun): Promise<SearchResult> {
  const matches: SearchMatch[] = [];
  const isComplete = await eachFound(binary, ['--sort=path', ...args], options, (each) => {
    const text = textOf(each, options);
    if (text === undefined) return true;
    if (matches.length === options.maxMatches) return false;
    matches.push({ path: each.path, line: each.line, text });
    return true;
  });
  return { matches, truncated: !isComplete, ...(!isComplete && { moreThan: maxCounted }) };
}

/** Uses a match. Returns false to end the search. */
type UseOfMatch = (found: Found) => boolean;

/**
 * Calls `use` with each line that ripgrep prints, until it returns false. Resolves to false in that case. Retries with one
 * thread if the system cannot start more.
 */
function eachFound(binary: string, args: readonly string[], options: RipgrepRun, use: UseOfMatch): Promise<boolean> {
  const { cwd, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    const stop = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    const reader = new MatchReader(options.show, use);
    child.stdout.on('data', (chunk: Buffer) => {
      if (!reader.read(chunk)) stop();
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 4000) complaint += chunk.toString();
    });
    let lacksThreads = false;
    endWithoutThreads(child, () => {
      lacksThreads = true;
    });
    let isBlocked = false;
    const endWatch = watchForPipes(child, () => {
      isBlocked = true;
      stop();
    });
    child.on('error', (thrown) => {
      endWatch();
      signal.removeEventListener('abort', stop);
      reject(problemOfStart(thrown, cwd));
    });
    child.on('close', (code, killedBy) => {
      endWatch();
      signal.removeEventListener('abort', stop);
      if (isBlocked) return reject(new Error(blockedWords));
      if (signal.aborted) return reject(signal.reason as Error);
      if (lacksThreads) return resolve(eachFound(binary, [oneThread, ...args], options, use));
      if (reader.isStopped) return resolve(false);
      const problem = problemOfEnd(code, killedBy, { complaint: complaint.trim(), isEmpty: reader.isEmpty });
      return problem ? reject(problem) : resolve(true);
    });
  });
}

const blockedWords =
  'The search waited for a pipe in the place of an ignore file: .gitignore, .ignore, .rgignore or .git/info/exclude. Delete the pipe, or search with a command such as "grep -rn --devices=skip".';

/** Reads the matches that ripgrep prints, until their user wants no more. */
class MatchReader {
  isEmpty = true;
  isStopped = false;
  private readonly records = new Records();
  private readonly shown = new Map<string, string | undefined>();

  constructor(
    private readonly show: RipgrepRun['show'],
    private readonly use: UseOfMatch,
  ) {}

  /** Returns false if no more matches are wanted. */
  read(chunk: Buffer): boolean {
    for (const record of this.records.in(chunk)) {
      if (this.isStopped) break;
      const found = foundIn(record, this.shown, this.show);
      if (!found) continue;
      this.isEmpty = false;
      this.isStopped = !this.use(found);
    }
    return !this.isStopped;
  }
}

/** Splits what ripgrep prints into records: a file name, a NUL, and the rest of the line. */
class Records {
  /** The beginning of a record whose rest has not arrived. */
  private rest = '';

  in(chunk: Buffer): string[] {
    // One character for each byte: names are UTF-8, and a line is in the encoding of its file.
    const lines = (this.rest + chunk.toString('latin1')).split('\n');
    const incomplete = lines.pop() ?? '';
    const records: string[] = [];
    // A file name may contain a line break: its record continues up to the NUL that ends the name.
    let begun: string | undefined;
    for (const line of lines) {
      if (begun === undefined && binaryRemark.test(line)) continue;
      const record = begun === undefined ? line : `${begun}\n${line}`;
      if (record.includes('\0')) records.push(record);
      begun = record.includes('\0') ? undefined : record;
    }
    this.rest = begun === undefined ? incomplete : `${begun}\n${incomplete}`;
    return records;
  }
}

/** Node blames the program if the working directory does not exist. */
const problemOfStart = ({ message }: Error, cwd: string): Error =>
  fs.existsSync(cwd)
    ? new Error(`The search program could not be started: ${message}.`)
    : new FileProblem('missing', `The folder ${shownName(cwd)} no longer exists.`);

/** Returns why a search did not work. `isEmpty`: it printed no line before it ended. */
function problemOfEnd(
  code: number | null,
  killedBy: NodeJS.Signals | null,
  { complaint, isEmpty }: { readonly complaint: string; readonly isEmpty: boolean },
): Error | undefined {
  if (code === 2 && complaint && isEmpty) return new Error(complaint.replace(/^rg: /gm, ''));
  if (finishedSearch(code)) return undefined;
  const how = killedBy === null ? `with exit code ${code}` : `by ${killedBy}`;
  const words = complaint === '' ? '' : `: ${complaint.slice(0, 300)}`;
  return new Error(
    `The search program "rg" (ripgrep) was ended ${how} before it had searched everything${words}. Search with a command such as "grep -rn".`,
  );
}

/** A line that ripgrep printed, not yet compared with the file. */
interface Found {
  readonly path: string;
  readonly line: number;
  /** Where ripgrep found it, as bytes. */
  readonly place: Buffer;
  readonly column: number;
  readonly offset: number;
  readonly printed: string;
}

function foundIn(record: string, shown: Map<string, string | undefined>, show: RipgrepRun['show']): Found | undefined {
  const end = record.indexOf('\0');
  const place = Buffer.from(record.slice(0, end), 'latin1');
  const name = place.toString('utf8');
  if (!shown.has(name)) shown.set(name, show(name));
  const path = shown.get(name);
  const [, line, column, offset, printed] = /^(\d+):(\d+):(\d+):([^]*)$/.exec(record.slice(end + 1)) ?? [];
  if (path === undefined || printed === undefined) return undefined;
  return { path, place, line: Number(line), column: Number(column), offset: Number(offset), printed };
}

/** Returns undefined if the line is not in the file. */
function textOf(
  { place, column, offset, printed }: Found,
  { lines, latin1Only = false }: RipgrepRun,
): string | undefined {
  const beginning = Buffer.from(printed.replace(cutOff, ''), 'latin1');
  const isCut = beginning.length < printed.length;
  return lines.textOf(place, { offset, column, beginning, isCut }, { latin1Only })?.replace(/\r$/, '');
}
