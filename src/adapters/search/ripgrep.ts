import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { sep } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { rulesFor, secretReads } from '../../core/risk/pathRules';
import { globMatcher, globProblem } from '../../core/text/glob';
import { shownName } from '../../core/text/shownName';
import { FileProblem } from '../../core/ports/files';
import { secrets } from '../../core/secrets/secrets';
import type { Search, SearchMatch, SearchQuery } from '../../core/ports/search';
import { errorCode, fileProblemOf } from '../files/fileProblems';
import { agentIgnoring } from '../files/agentIgnore';
import { findRipgrep, type RipgrepPlaces, endWithoutThreads, finishedSearch, oneThread } from './ripgrepProgram';
import { holdingHere } from '../files/heldFolder';
import { createWorkspacePaths } from '../files/workspacePaths';

const maxLineLength = 300;
const maxFileSize = 20 * 1024 * 1024;
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
        (display === named?.display || rulesFor(display, secretReads).length === 0) && wanted(display);
      return run(binary, [...argumentsFor(query), '--', ...(named ? [named.absolute] : paths.folders)], {
        cwd: paths.root,
        maxMatches: query.maxMatches,
        signal,
        show: (path) => {
          const display = paths.display(path);
          const folder = paths.folders.find((each) => path.startsWith(`${each}${sep}`));
          if (folder !== undefined && leftOut({ folder, absolute: path })) return undefined;
          return accepts(display) ? display : undefined;
        },
      });
    },
  };
}

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
    String(maxLineLength),
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

/**
 * Runs ripgrep. `show` returns the display path, or nothing to omit a file. Stops ripgrep once it has found enough, and
 * retries with one thread if the system cannot start more.
 */
function run(
  binary: string,
  args: readonly string[],
  {
    cwd,
    maxMatches,
    signal,
    show,
  }: {
    readonly cwd: string;
    readonly maxMatches: number;
    readonly signal: AbortSignal;
    readonly show: (path: string) => string | undefined;
  },
): Promise<{ matches: SearchMatch[]; truncated: boolean }> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    const stop = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    const matches: SearchMatch[] = [];
    const shown = new Map<string, string | undefined>();
    const decoder = new StringDecoder('utf8');
    let rest = '';
    let complaint = '';
    let truncated = false;
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (let index = 0; index < lines.length && !truncated; index++) {
        // A file name may contain a line break: its record continues up to the NUL that ends the name.
        let record = lines[index]!;
        if (binaryRemark.test(record)) continue;
        while (!record.includes('\0') && index + 1 < lines.length) record += `\n${lines[++index]!}`;
        if (!record.includes('\0')) {
          rest = `${record}\n${rest}`;
          break;
        }
        const match = matchIn(record, shown, show);
        if (match && matches.length === maxMatches) truncated = true;
        else if (match) matches.push(match);
      }
      if (truncated) stop();
    });
    let isShort = false;
    endWithoutThreads(child, () => {
      isShort = true;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < 4000) complaint += chunk.toString();
    });
    child.on('error', (thrown) => {
      signal.removeEventListener('abort', stop);
      // Node blames the program if the working directory does not exist.
      if (!fs.existsSync(cwd))
        return reject(new FileProblem('missing', `The folder ${shownName(cwd)} no longer exists.`));
      reject(new Error(`The search program could not be started: ${thrown.message}.`));
    });
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) return reject(signal.reason as Error);
      if (isShort) return resolve(run(binary, [oneThread, ...args], { cwd, maxMatches, signal, show }));
      if (code === 2 && complaint.trim() && matches.length === 0)
        return reject(new Error(complaint.trim().replace(/^rg: /gm, '')));
      if (!truncated && !finishedSearch(code)) return reject(unfinished(code, killedBy, complaint));
      resolve({ matches: matches.sort(byPlace), truncated });
    });
  });
}

function unfinished(code: number | null, killedBy: NodeJS.Signals | null, complaint: string): Error {
  const how = killedBy === null ? `with exit code ${code}` : `by ${killedBy}`;
  const words = complaint.trim() === '' ? '' : `: ${complaint.trim().slice(0, 300)}`;
  return new Error(
    `The search program "rg" (ripgrep) was ended ${how} before it had searched everything${words}. Search with a command such as "grep -rn".`,
  );
}

function matchIn(
  record: string,
  shown: Map<string, string | undefined>,
  show: (path: string) => string | undefined,
): SearchMatch | undefined {
  const end = record.indexOf('\0');
  const path = record.slice(0, end);
  if (!shown.has(path)) shown.set(path, show(path));
  const display = shown.get(path);
  const [, line, column, offset, text] = /^(\d+):(\d+):(\d+):([^]*)$/.exec(record.slice(end + 1)) ?? [];
  if (display === undefined || text === undefined) return undefined;
  const preview = text.replace(cutOff, '');
  const file = openWithoutLinks(path);
  try {
    const place = { offset: Number(offset), column: Number(column), preview };
    if (isHeld && (file === undefined || !isInFile(file, place))) return undefined;
    const excerpt = preview === text ? text : excerptAround(file, place);
    return { path: display, line: Number(line), text: excerpt.replace(/\r$/, '') };
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

/** Where a match is: the first byte of its line, its column in the line, and the beginning of the line. */
interface MatchPlace {
  readonly offset: number;
  readonly column: number;
  readonly preview: string;
}

const isHeld = holdingHere === 'descriptor';
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/**
 * Opens a file that ripgrep found. Returns undefined if a link leads elsewhere by now: a command may swap the file, or a
 * folder above it, while ripgrep opens it.
 */
function openWithoutLinks(path: string): number | undefined {
  let file: number | undefined;
  try {
    file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!isHeld || fs.readlinkSync(`/proc/self/fd/${file}`) === path) return file;
  } catch {
    // It is gone, or a link.
  }
  if (file !== undefined) fs.closeSync(file);
  return undefined;
}

function readFrom(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(file, bytes, 0, length, from));
}

/** Returns whether a file contains a line that ripgrep found. If not, ripgrep read another file at its path. */
function isInFile(file: number, { offset, preview }: MatchPlace): boolean {
  if (readFrom(file, offset, Buffer.byteLength(preview)).toString().startsWith(preview)) return true;
  // ripgrep counts in UTF-8 without a byte order mark, and the file may have another encoding.
  const bytes = readFrom(file, 0, Math.min(fs.fstatSync(file).size, maxFileSize));
  const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[bytes.toString('hex', 0, 2)] ?? 'utf-8';
  return new TextDecoder(encoding).decode(bytes).includes(preview);
}

/** Returns the part of a long line around its first match. */
function excerptAround(file: number | undefined, place: MatchPlace): string {
  const { column, preview } = place;
  const part = column < maxLineLength / 2 || file === undefined ? undefined : partAround(file, place);
  if (part !== undefined) return `[…] ${part}`;
  return `${secrets.maskCutEnds(withoutLastWord(preview), { end: true }).trimEnd()} […]`;
}

/** Bytes before and after the beginning of a match. */
const around = [100, 200] as const;
/** Words that are cut off are left out: they may be parts of secrets, which would not be recognized. */
const betweenWords = /[\s"',;:=(){}[\]]/;

/** Removes the word at the beginning, which may be cut off. */
function withoutFirstWord(text: string): string {
  const end = text.search(betweenWords);
  return end === -1 ? '' : text.slice(end);
}

/** Removes the word at the end, which may be cut off, except for a first character. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 1 && !betweenWords.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Returns undefined if the line is not there. */
function partAround(file: number, { offset, column, preview }: MatchPlace): string | undefined {
  const read = (from: number, length: number): string => readFrom(file, from, length).toString();
  try {
    const start = preview.slice(0, 20);
    // ripgrep counts in UTF-8, and the file may have another encoding.
    if (read(offset, Buffer.byteLength(start)) !== start) return undefined;
    const at = offset + column - 1;
    const before = withoutFirstWord(read(at - around[0], around[0])).trimStart();
    const [after, ...next] = read(at, around[1]).split('\n');
    if (next.length > 0) return secrets.maskCutEnds(`${before}${after}`, { start: true });
    return `${secrets.maskCutEnds(`${before}${withoutLastWord(after!)}`, { start: true, end: true }).trimEnd()} […]`;
  } catch {
    return undefined;
  }
}

const byPlace = (a: SearchMatch, b: SearchMatch): number =>
  a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;
