import * as z from 'zod';
import { explainMiss } from './closestMatch';
import { FileProblem, type FileSnapshot, type Files, type FileWrite } from './environment';
import { changeInWords, fileChange } from './fileChange';
import { patchPaths, patchSections, type PatchSection } from './patchText';
import { placesOf } from './replacements';
import { staleness } from './staleness';
import { defineTool, type ToolContext } from './tool';

/** A file while the patch works on it: `before` is null for one that is not there, `after` for one that goes. `path` is spelled as it was judged. */
interface Draft { readonly path: string; readonly before: FileSnapshot | null; after: string | null }

export const applyPatch = defineTool({
  name: 'apply_patch',
  description: 'Apply a unified diff, to several files if need be: edit, create, delete (/dev/null), rename (git headers). All or nothing.',
  input: z.object({ patch: z.string() }),
  effect: 'writes',
  summarize: ({ patch }) => {
    const paths = patchPaths(patch);
    return paths.length <= 3 ? `Patch ${paths.join(', ')}` : `Patch ${paths.length} files: ${paths.slice(0, 3).join(', ')}, …`;
  },
  touches: ({ patch }) => ({ writes: patchPaths(patch), adds: patch }),
  allowKey: ({ patch }) => patchPaths(patch).sort().join('\n') || undefined,
  async run({ patch }, context) {
    const drafts = new Map<string, Draft>();
    try {
      for (const section of patchSections(patch)) await draft(section, drafts, context);
    } catch (thrown) {
      if (thrown instanceof FileProblem || !(thrown instanceof Error)) throw thrown;
      return { content: `Nothing was changed. ${thrown.message}`, failed: true };
    }
    const changed = [...drafts.values()].filter(({ before, after }) => (before?.text ?? null) !== after);
    if (changed.length === 0) return { content: 'Nothing was changed: the patch leaves every file as it is.', failed: true };
    const written = await context.environment.files.write(changed.map(({ path, before, after }): FileWrite => ({ path, text: after, expected: before?.version ?? null })));
    const left = [...written];
    const changes = await Promise.all(changed.map(({ path, before, after }) => {
      const snapshot = after === null ? undefined : left.shift();
      return fileChange(snapshot?.path ?? before?.path ?? path, before?.text ?? null, after, snapshot?.version);
    }));
    return { content: `Patched ${changes.map(changeInWords).join('\n')}`, details: { kind: 'edit', changes } };
  },
});

async function draft(section: PatchSection, drafts: Map<string, Draft>, context: ToolContext): Promise<void> {
  const { from, to, rename, unsupported } = section;
  const name = to ?? from;
  if (name === null || name === '') throw new Error('A file section names no file.');
  if (unsupported) throw new Error(`The section for ${name} is a ${unsupported} change, which this tool cannot make. Use a command.`);
  if (section.hunks.length === 0 && !rename && to !== null && from !== null) throw new Error(`The section for ${name} has no hunk. A hunk begins with "@@ -line,count +line,count @@".`);
  const files = context.environment.files;
  const source = from === null ? null : await opened(from, drafts, files, context);
  const target = to === null || to === from ? source : await opened(to, drafts, files, context);
  // "--- a/file.orig" beside "+++ b/file": the old name is only a label.
  const read = source?.after == null && target?.after != null && from !== null && !rename ? target : source;
  if (from !== null && read?.after == null) throw new Error(`There is no file ${from} to change. A new file has "--- /dev/null".`);
  if (source && target && source !== target && read === source && !rename) throw new Error(`The section names two files, ${from} and ${to}. A rename has "rename from" and "rename to" lines.`);
  if ((from === null || rename) && target?.after != null && target !== source) throw new Error(`${to} exists already.`);
  const result = await patched(section, read?.after ?? '', read?.path ?? name);
  if (to === null) {
    if (result !== '' && section.hunks.length) throw new Error(`The patch deletes ${from} but leaves lines in it: the hunk must take away every line.`);
    if (section.hunks.length === 0 && context.versionSeen(source!.before?.path ?? source!.path) === undefined) throw new Error(`${from} was not read yet, so it was not deleted. Read it first.`);
    source!.after = null;
    return;
  }
  if (rename && source !== target) source!.after = null;
  target!.after = result;
}

async function opened(path: string, drafts: Map<string, Draft>, files: Files, { versionSeen }: ToolContext): Promise<Draft> {
  const before = await readIfThere(files, path);
  const key = before?.path ?? path;
  const known = drafts.get(key);
  if (known) return known;
  const stale = before && staleness(before, versionSeen(before.path));
  if (stale) throw new Error(stale);
  const fresh: Draft = { path, before, after: before?.text ?? null };
  drafts.set(key, fresh);
  return fresh;
}

async function readIfThere(files: Files, path: string): Promise<FileSnapshot | null> {
  try {
    return await files.read(path);
  } catch (thrown) {
    if (thrown instanceof FileProblem && thrown.code === 'missing') return null;
    throw thrown;
  }
}

/** The text after all hunks of a section. Lines must match exactly; only their place may have moved. */
async function patched({ hunks }: PatchSection, text: string, path: string): Promise<string> {
  const { applyPatch: apply } = await import('diff');
  let result = text;
  let moved = 0;
  for (const [index, { header, lines, placed, below }] of hunks.entries()) {
    const which = hunks.length > 1 ? `Hunk ${index + 1} of ${hunks.length} for ${path}` : `The hunk for ${path}`;
    const old = lines.filter(line => /^[ -]/.test(line)).map(line => line.slice(1)).join('\n');
    if (old === '' && result !== '') throw new Error(`${which} has no line of the file in it, so its place is unknown. Add the lines around it.`);
    const named = placed || below === undefined ? undefined : lineBelow(result, old, below);
    if (!placed && named === undefined && placesOf(result, old, 2).length > 1) throw new Error(`${which} has no line number and fits in several places. Write "@@ -line,count +line,count @@".`);
    const shifted = header.replace(/\d+/, number => String(old === '' ? 0 : named ?? Math.max(1, Number(number) + moved)));
    const next = apply(result, `--- a\n+++ b\n${shifted}\n${lines.join('\n')}\n`);
    if (next === false) throw new Error(`${which} does not fit. ${(await explainMiss(result, old)).replaceAll('old_text', 'Its text')}`);
    moved += lines.filter(line => line.startsWith('+')).length - lines.filter(line => line.startsWith('-')).length;
    result = next;
  }
  return result;
}

/** The line, from 1, of the first place of `part` below the named lines, which follow each other in the file. */
function lineBelow(text: string, part: string, below: readonly string[]): number | undefined {
  const lines = text.split('\n');
  let at = 0;
  for (const name of below) {
    const found = lines.findIndex((line, index) => index >= at && line.trim() === name);
    if (found === -1) return undefined;
    at = found + 1;
  }
  const wanted = part.split('\n');
  const found = lines.findIndex((_line, index) => index >= at && wanted.every((line, offset) => lines[index + offset] === line));
  return found === -1 ? undefined : found + 1;
}
