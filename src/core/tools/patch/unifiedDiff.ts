import { type PatchDraft, type Drafts, patchError, type PatchSection } from './drafts';
import { explainMiss } from '../files/closestMatch';
import { placesOf } from '../files/replacements';
import { indexOfSequence, indexesOfSequence } from '../matching/indexOfSequence';

/** Header of one file section in a unified diff. Paths are without "a/" and "b/"; null is /dev/null. */
interface FileSection {
  readonly from: string | null;
  readonly to: string | null;
  readonly rename: boolean;
  /** Unsupported feature: "binary", "copy" or "mode". */
  readonly unsupported?: string;
  readonly hunks: readonly UnifiedHunk[];
}

/**
 * Returns the file sections of a unified diff. Models miscount hunk lines and omit line numbers, so counts are
 * recomputed from the lines. Throws an `Error` with a message for the model if this is not a unified diff.
 */
export function unifiedSections(patch: string): PatchSection[] {
  const lines = patch.replaceAll('\r\n', '\n').split('\n');
  const sections: FileSection[] = [];
  for (let at = nextSection(lines, 0); at < lines.length;) {
    const end = endOfHeaders(lines, at);
    const next = nextSection(lines, end);
    sections.push(section(lines.slice(at, end), lines.slice(end, next)));
    at = next;
  }
  if (sections.length === 0) {
    throw patchError(
      'This is not a unified diff.',
      'Begin each file with "--- a/path" and "+++ b/path" (or /dev/null), then hunks that begin with "@@ -line,count +line,count @@".',
    );
  }
  return sections.map((one) => ({
    paths: [one.from, one.to].filter((path) => path !== null),
    replaces: [],
    draft: async (drafts) => {
      await draft(one, drafts);
      return [];
    },
  }));
}

async function draft(section: FileSection, drafts: Drafts): Promise<void> {
  const { from, to, rename } = section;
  const name = to ?? from;
  if (name === null || name === '') throw new Error('A file section names no file.');
  refuseUnsupported(section, name);
  const source = from === null ? null : await drafts.open(from);
  const target = to === null || to === from ? source : await drafts.open(to);
  // "--- a/file.orig" beside "+++ b/file": the old name is only a label.
  const isLabel = source?.after == null && target?.after != null && from !== null && !rename;
  const read = isLabel ? target : source;
  refuseNames(section, { source, target, read });
  const result = await applyUnifiedHunks(section.hunks, read?.after ?? '', read?.path ?? name);
  if (to === null) {
    deleteFile(section, source!, result, drafts);
    return;
  }
  if (rename && source !== target) source!.after = null;
  target!.after = result;
}

function refuseUnsupported({ from, to, rename, unsupported, hunks }: FileSection, name: string): void {
  if (unsupported) {
    throw patchError(
      `The section for ${name} is a ${unsupported} change, which this tool cannot make.`,
      'Use a command.',
    );
  }
  const changesNothing = hunks.length === 0 && !rename && to !== null && from !== null;
  if (changesNothing) {
    throw patchError(`The section for ${name} has no hunk.`, 'A hunk begins with "@@ -line,count +line,count @@".');
  }
}

function refuseNames(
  { from, to, rename }: FileSection,
  { source, target, read }: Record<'source' | 'target' | 'read', PatchDraft | null>,
): void {
  if (from !== null && read?.after == null) {
    throw patchError(`There is no file ${from} to change.`, 'A new file has "--- /dev/null".');
  }
  const namesTwo = source && target && source !== target && read === source && !rename;
  if (namesTwo) {
    throw patchError(
      `The section names two files, ${from} and ${to}.`,
      'A rename has "rename from" and "rename to" lines.',
    );
  }
  const makesFile = from === null || rename;
  if (makesFile && target?.after != null && target !== source) throw new Error(`${to} exists already.`);
}

function deleteFile({ from, hunks }: FileSection, source: PatchDraft, result: string, drafts: Drafts): void {
  if (result !== '' && hunks.length > 0) {
    throw patchError(`The patch deletes ${from} but leaves lines in it: the hunk must remove every line.`);
  }
  if (hunks.length === 0 && !drafts.isSeen(source)) {
    throw patchError(`${from} was not read yet, so it was not deleted.`, 'Read it first.');
  }
  source.after = null;
}

/** True if a file section of a unified diff begins at this line. */
export function startsUnifiedSection(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  return line.startsWith('diff --git ') || (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true);
}

function nextSection(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !startsUnifiedSection(lines, at)) at++;
  return at;
}

/** Returns the line after "+++", or after the last extended header of a section without hunks. */
function endOfHeaders(lines: readonly string[], start: number): number {
  let at = start;
  if (lines[at]!.startsWith('diff --git ')) {
    at++;
    while (at < lines.length && !lines[at]!.startsWith('@@') && !startsUnifiedSection(lines, at)) at++;
    if (!lines[at]?.startsWith('--- ')) return at;
  }
  return at + 2;
}

function section(headers: readonly string[], body: readonly string[]): FileSection {
  const after = (prefix: string): string | undefined =>
    headers.find((line) => line.startsWith(prefix))?.slice(prefix.length);
  const git = /^diff --git ("?)a\/(.*)\1 ("?)b\/((?:(?! "?b\/).)*)\3$/.exec(headers[0] ?? '');
  const renameFrom = after('rename from ');
  const renameTo = after('rename to ');
  const rename = renameFrom !== undefined && renameTo !== undefined;
  const oldName = after('--- ') ?? (git ? `a/${git[2]!}` : undefined);
  const newName = after('+++ ') ?? (git ? `b/${git[4]!}` : undefined);
  const changesMode = after('old mode ') !== undefined && body.length === 0 && !rename;
  const unsupported = unsupportedIn(headers) ?? (changesMode ? 'mode' : undefined);
  const oldPath = after('new file mode ') === undefined ? plainPath(oldName, 'a/') : null;
  const newPath = after('deleted file mode ') === undefined ? plainPath(newName, 'b/') : null;
  return {
    from: rename ? unquoted(renameFrom) : oldPath,
    to: rename ? unquoted(renameTo) : newPath,
    rename,
    hunks: hunks(body),
    ...(unsupported !== undefined && { unsupported }),
  };
}

/** Kind of change that the tool cannot make, as far as the headers tell. */
function unsupportedIn(headers: readonly string[]): 'binary' | 'copy' | undefined {
  if (headers.some((line) => /^(Binary files |GIT binary patch)/.test(line))) return 'binary';
  return headers.some((line) => line.startsWith('copy from ')) ? 'copy' : undefined;
}

function plainPath(header: string | undefined, prefix: string): string | null {
  const path = unquoted((header ?? '').split('\t')[0]!.trimEnd());
  if (path === '/dev/null') return null;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Unquotes a path. Git quotes names with unusual characters in C style; bytes above 127 are octal UTF-8. */
function unquoted(path: string): string {
  if (!/^".*"$/.test(path)) return path;
  const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  const bytes = path
    .slice(1, -1)
    .replace(/\\([0-7]{3})|\\(.)/g, (_, octal: string | undefined, letter: string) =>
      octal
        ? `%${Number.parseInt(octal, 8).toString(16).padStart(2, '0')}`
        : encodeURIComponent(letters[letter] ?? letter),
    );
  try {
    return decodeURIComponent(bytes.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return path.slice(1, -1);
  }
}

/**
 * Parses the hunks of a section. A header may contain a line of the file instead of numbers; several in a row narrow it
 * down.
 */
function hunks(body: readonly string[]): UnifiedHunk[] {
  const starts = body.flatMap((line, at) => (line.startsWith('@@') ? [at] : []));
  let below: string[] = [];
  return starts.flatMap((start, index): UnifiedHunk[] => {
    const lines = trimmed(body.slice(start + 1, starts[index + 1] ?? body.length));
    const numbers = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(body[start]!);
    const named = numbers ? '' : body[start]!.replace(/^@@/, '').trim().replace(/@@$/, '').trim();
    if (named) below.push(named);
    if (lines.length === 0 && named) return [];
    const olds = lines.filter((line) => /^[ -]|^$/.test(line)).length;
    const news = lines.filter((line) => /^[ +]|^$/.test(line)).length;
    const hunk = {
      header: `@@ -${numbers?.[1] ?? 1},${olds} +${numbers?.[2] ?? 1},${news} @@`,
      lines,
      placed: numbers !== null,
      ...(below.length > 0 && { below }),
    };
    below = [];
    return [hunk];
  });
}

/**
 * Trims a hunk. A blank line between hunks or at the end belongs to the message, not to the patch; any line that is not
 * a patch line ends the hunk.
 */
function trimmed(lines: readonly string[]): string[] {
  const stranger = lines.findIndex((line) => line !== '' && !/^[ +\\-]/.test(line));
  const kept = lines.slice(0, stranger === -1 ? lines.length : stranger);
  while (kept[kept.length - 1] === '') kept.pop();
  return kept.map((line) => (line === '' ? ' ' : line));
}

/** A hunk of a unified diff with corrected line counts. `placed` is false if the header gave no line number. */
interface UnifiedHunk {
  readonly header: string;
  readonly lines: readonly string[];
  readonly placed: boolean;
  /** Lines of the file that precede a hunk without a line number, in order. */
  readonly below?: readonly string[];
}

/**
 * Returns the text of a file after all hunks of a unified diff. Lines must match exactly; only their position may
 * differ.
 */
async function applyUnifiedHunks(hunks: readonly UnifiedHunk[], text: string, path: string): Promise<string> {
  const { applyPatch: apply } = await import('diff');
  let result = text;
  let moved = 0;
  for (const [index, { header, lines, placed, below }] of hunks.entries()) {
    const which = hunks.length > 1 ? `Hunk ${index + 1} of ${hunks.length} for ${path}` : `The hunk for ${path}`;
    const old = lines
      .filter((line) => /^[ -]/.test(line))
      .map((line) => line.slice(1))
      .join('\n');
    if (old === '' && result !== '') {
      throw patchError(`${which} has no line of the file in it, so its place is unknown.`, 'Add the lines around it.');
    }
    const named = placed || below === undefined ? undefined : lineBelow(result, old, below);
    if (!placed && named === undefined && placesOf(result, old, 2).length > 1) {
      throw patchError(
        `${which} has no line number and fits in several places.`,
        'Write "@@ -line,count +line,count @@".',
      );
    }
    const wantedLine = Math.max(1, Number(/\d+/.exec(header)?.[0] ?? 1) + moved);
    const there = old === '' ? 0 : (named ?? nearestLine(result, old, wantedLine));
    const shifted = header.replace(/\d+/, String(there));
    // The package tries every line in turn, which is too slow in a long file.
    const next = there !== undefined && apply(result, `--- a\n+++ b\n${shifted}\n${lines.join('\n')}\n`);
    if (next === false) {
      throw patchError(
        `${which} does not fit.`,
        `${(await explainMiss(result, old)).replaceAll('old_text', 'Its text')}`,
      );
    }
    moved += lines.filter((line) => line.startsWith('+')).length - lines.filter((line) => line.startsWith('-')).length;
    result = next;
  }
  return result;
}

/** Line (from 1) of the first occurrence of `part` after the given lines, which follow each other in the file. */
function lineBelow(text: string, part: string, below: readonly string[]): number | undefined {
  const lines = text.split('\n');
  let at = 0;
  for (const name of below) {
    const found = lines.findIndex((line, index) => index >= at && line.trim() === name);
    if (found === -1) return undefined;
    at = found + 1;
  }
  const found = indexOfSequence(lines, part.split('\n'), at);
  return found === -1 ? undefined : found + 1;
}

/** Line (from 1) of the occurrence of `part` nearest to a line, or undefined. */
function nearestLine(text: string, part: string, wanted: number): number | undefined {
  let nearest: number | undefined;
  for (const index of indexesOfSequence(text.split('\n'), part.split('\n'))) {
    const line = index + 1;
    if (nearest === undefined || Math.abs(line - wanted) <= Math.abs(nearest - wanted)) nearest = line;
  }
  return nearest;
}
