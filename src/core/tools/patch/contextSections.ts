import { applyContextHunks } from './contextHunks';
import { readContextPatch, type ContextOperation } from './contextPatch';
import type { Drafts } from './drafts';
import { patchError, type PatchSection } from './patchSection';

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
