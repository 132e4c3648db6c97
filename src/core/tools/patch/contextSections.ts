import { tolerances, FoldedLines } from './seekLines';
import { readContextPatch, type ContextOperation, type ContextHunk } from './contextPatch';
import { type Drafts, patchError, type PatchSection } from './drafts';
import { oldLines, ContextPlacement, type ContextPlace } from './contextPlacement';
import { splitLines } from '../../text/numberedLines';

/** Returns the sections of a Codex (V4A) patch. Throws an `Error` with a message for the model. */
export function contextSections(patch: string): PatchSection[] {
  return readContextPatch(patch).map((operation) => ({
    paths: pathsOf(operation),
    replaces: replacedBy(operation),
    draft: (drafts) => draft(operation, drafts),
  }));
}

function pathsOf(operation: ContextOperation): string[] {
  const moveTo = operation.kind === 'update' ? operation.moveTo : undefined;
  return moveTo === undefined ? [operation.path] : [operation.path, moveTo];
}

function replacedBy(operation: ContextOperation): string[] {
  if (operation.kind === 'add') return [operation.path];
  const moveTo = operation.kind === 'update' ? operation.moveTo : undefined;
  return moveTo === undefined ? [] : [moveTo];
}

function draft(operation: ContextOperation, drafts: Drafts): Promise<readonly string[]> {
  switch (operation.kind) {
    case 'add':
      return add(operation, drafts);
    case 'delete':
      return deleteFile(operation, drafts);
    case 'update':
      return update(operation, drafts);
  }
}

/** As in Codex, an existing file is overwritten. */
async function add({ path, text }: ContextOperation & { kind: 'add' }, drafts: Drafts): Promise<readonly string[]> {
  drafts.replace(await drafts.open(path), text);
  return [];
}

async function deleteFile({ path }: ContextOperation & { kind: 'delete' }, drafts: Drafts): Promise<readonly string[]> {
  const target = await drafts.open(path);
  if (target.after === null) {
    throw patchError(`There is no file ${path} to delete.`, `Remove "*** Delete File: ${path}".`);
  }
  drafts.replace(target, null);
  return [];
}

async function update(operation: ContextOperation & { kind: 'update' }, drafts: Drafts): Promise<readonly string[]> {
  const { path, moveTo, hunks } = operation;
  const source = await drafts.open(path);
  if (source.after === null) {
    throw patchError(
      `There is no file ${path} to update.`,
      `A new file is "*** Add File: ${path}", with "+" before every line.`,
    );
  }
  if (hunks.length === 0 && moveTo === undefined) {
    throw patchError(
      `"*** Update File: ${path}" has no hunk.`,
      'Below it write "@@", then lines that begin with " ", "-" or "+".',
    );
  }
  const { text, notes } = await applyContextHunks(source.after, source.before?.path ?? path, hunks);
  const target = moveTo === undefined ? source : await drafts.open(moveTo);
  if (target === source) {
    source.after = text;
    return notes;
  }
  drafts.replace(target, text);
  source.after = null;
  return notes;
}

/** Lines [at, at + removed) of the file become `added`. Lines are counted from 0. */
interface Edit {
  readonly lineIndex: number;
  readonly removed: number;
  readonly added: readonly string[];
}

/** Text of a file after a patch, and what the model should check in it. */
interface Applied {
  readonly text: string;
  readonly notes: readonly string[];
}

/**
 * Returns the text of a file after all hunks of a Codex (V4A) patch. Throws an `Error` with a message for the model if
 * a hunk has no unambiguous place.
 */
async function applyContextHunks(text: string, path: string, hunks: readonly ContextHunk[]): Promise<Applied> {
  if (hunks.length === 0) return { text, notes: [] };
  const file = new FoldedLines(splitLines(text));
  const edits: Edit[] = [];
  const removed = new Set<number>();
  const notes: string[] = [];
  let end = 0;
  for (const [index, hunk] of hunks.entries()) {
    const name = hunks.length > 1 ? `Hunk ${index + 1} of ${hunks.length} for ${path}` : `The hunk for ${path}`;
    const place = await new ContextPlacement(file, hunk, name, { end, removed }).find();
    for (const edit of editsOf(place)) {
      edits.push(edit);
      for (let line = edit.lineIndex; line < edit.lineIndex + edit.removed; line++) removed.add(line);
    }
    notes.push(...notesOn(place, name));
    const found = oldLines(place.lines).length;
    if (found > 0) end = Math.max(end, place.lineIndex + found);
  }
  const endsAsBefore = edits.every(({ lineIndex, removed: count }) => lineIndex + count < file.lines.length);
  return { text: joined(edited(file.lines, edits), endsAsBefore && !text.endsWith('\n')), notes };
}

/**
 * Returns only the lines that a hunk changes. The patch may quote context lines with different white space or dashes
 * than the file.
 */
function editsOf({ lineIndex, lines }: ContextPlace): Edit[] {
  const edits: Edit[] = [];
  let next = lineIndex;
  let open: { lineIndex: number; removed: number; added: string[] } | undefined;
  for (const { sign, text } of lines) {
    if (sign === ' ') {
      open = undefined;
      next++;
      continue;
    }
    if (!open) edits.push((open = { lineIndex: next, removed: 0, added: [] }));
    if (sign === '+') open.added.push(text);
    else {
      open.removed++;
      next++;
    }
  }
  return edits;
}

function notesOn({ lineIndex, likeness, lines }: ContextPlace, name: string): string[] {
  const { differs } = tolerances[likeness]!;
  const isAddition = oldLines(lines).length === 0;
  // Context lines of the file are preserved, so differences in trailing white space do no harm.
  if (differs === undefined || likeness === 1 || isAddition) return [];
  const what = `${name} fits at line ${lineIndex + 1}, which differs in ${differs}.`;
  return [`${what} Its "+" lines were written as the patch has them: check them.`];
}

function edited(lines: readonly string[], edits: readonly Edit[]): string[] {
  const result: string[] = [];
  let next = 0;
  // Lines inserted above a line are ordered before another hunk's change of that line.
  const rank = ({ removed }: Edit): number => (removed === 0 ? 0 : 1);
  const byPlace = (one: Edit, other: Edit): number => one.lineIndex - other.lineIndex || rank(one) - rank(other);
  const inOrder = [...edits].sort(byPlace);
  for (const { lineIndex, removed, added } of inOrder) {
    for (; next < lineIndex; next++) result.push(lines[next]!);
    for (const line of added) result.push(line);
    next = lineIndex + removed;
  }
  for (; next < lines.length; next++) result.push(lines[next]!);
  return result;
}

/**
 * As in Codex, a last line changed by a patch gets a line break if it had none. Any other last line is left unchanged.
 */
function joined(lines: readonly string[], endsWithoutBreak: boolean): string {
  const text = lines.map((line) => `${line}\n`).join('');
  return endsWithoutBreak ? text.slice(0, -1) : text;
}
