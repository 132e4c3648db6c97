import * as z from 'zod';
import { FileProblem, type FileWrite } from '../../ports/files';
import { changeInWords, fileChange, notesOnWriting } from '../files/fileChange';
import { Drafts, type PatchDraft, type PatchSection } from '../patch/drafts';
import { defineTool } from '../defineTool';
import type { ToolContext, ToolResult } from '../../ports/tool';
import { contextSections } from '../patch/contextSections';
import { isContextMarker } from '../patch/contextPatch';
import { startsUnifiedSection, unifiedSections } from '../patch/unifiedDiff';

const description = `Change several files, all or nothing, with a unified diff or this form, where kept lines begin with a space:
*** Begin Patch
*** Update File: a.py
@@ def f():
     x = 1
-    return x
+    return x + 1
*** Add File: b.txt
+text
*** Delete File: c.txt
*** End Patch`;

/** Argument names under which models send the text of a patch, or an argument list, as Codex models do. */
const patchArguments = ['input', 'patchText', 'patch_text', 'command'];

/**
 * Normalizes the forms in which models send a patch to `{patch}`: `{input}`, the text alone, `["apply_patch", text]`,
 * and `["bash", "-lc", "apply_patch <<'EOF' …"]`. Anything else is returned unchanged.
 */
function patchArgument(raw: unknown): unknown {
  const text = patchTextIn(raw);
  return text === undefined ? raw : { patch: text };
}

function patchTextIn(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (Array.isArray(raw)) return textOfCommand(raw);
  if (typeof raw !== 'object' || raw === null) return undefined;
  const fields = raw as Record<string, unknown>;
  if (fields.patch !== undefined) return Array.isArray(fields.patch) ? textOfCommand(fields.patch) : undefined;
  const name = patchArguments.find((candidate) => fields[candidate] !== undefined);
  return name === undefined ? undefined : patchTextIn(fields[name]);
}

function textOfCommand(words: readonly unknown[]): string | undefined {
  const [program, ...rest] = words;
  const text = rest[rest.length - 1];
  if (typeof program !== 'string' || typeof text !== 'string') return undefined;
  const isPatchCommand = /^apply_?patch$/.test(program) && rest.length === 1;
  const isShell = /^(bash|sh|zsh)$/.test(program) && rest.length === 2 && /^\s*apply_?patch\b/.test(text);
  return isPatchCommand || isShell ? text : undefined;
}

export const applyPatch = defineTool({
  name: 'apply_patch',
  description,
  input: z.object({ patch: z.string() }),
  accept: patchArgument,
  effect: 'writes',
  streamedArguments: { texts: ['patch'] },
  summarize: ({ patch }) => {
    const paths = patchPaths(patch);
    if (paths.length <= 3) return `Patch ${paths.join(', ')}`;
    return `Patch ${paths.length} files: ${paths.slice(0, 3).join(', ')}, …`;
  },
  touches: ({ patch }) => ({ writes: patchPaths(patch), replaces: replacedPaths(patch), adds: patch }),
  allowKey: ({ patch }) => patchPaths(patch).sort().join('\n') || undefined,
  run: ({ patch }, context) => runPatch(patch, context),
});

/**
 * Splits a patch into sections, one per file. It is either a unified diff or in the Codex format (V4A), which begins
 * with "*** Begin Patch". Throws an `Error` with a message for the model, in the terms of that format.
 */
function patchSections(patch: string): PatchSection[] {
  return isContextPatch(patch) ? contextSections(patch) : unifiedSections(patch);
}

/** Returns every path that the patch would write, create, delete or rename. */
export function patchPaths(patch: string): string[] {
  return pathsIn(patch, ({ paths }) => paths);
}

/** Returns the paths that are replaced completely if they exist. */
export function replacedPaths(patch: string): string[] {
  return pathsIn(patch, ({ replaces }) => replaces);
}

function pathsIn(patch: string, pathsOf: (section: PatchSection) => readonly string[]): string[] {
  try {
    return [...new Set(patchSections(patch).flatMap(pathsOf))];
  } catch {
    return [];
  }
}

/** The first marker determines the format, because a changed file may itself contain patches. */
function isContextPatch(patch: string): boolean {
  const lines = patch.replaceAll('\r\n', '\n').split('\n');
  const first = lines.findIndex((line, index) => isContextMarker(line) || startsUnifiedSection(lines, index));
  return first !== -1 && isContextMarker(lines[first]!);
}

/** Applies a patch, all or nothing. With `keepsExisting`, added or moved files never overwrite existing ones. */
export async function runPatch(
  patch: string,
  context: ToolContext,
  { keepsExisting = false }: { readonly keepsExisting?: boolean } = {},
): Promise<ToolResult> {
  const drafts = new Drafts(context.environment.files, context.versionSeen, keepsExisting);
  const notes: string[] = [];
  try {
    for (const section of patchSections(patch)) notes.push(...(await section.draft(drafts)));
  } catch (thrown) {
    if (thrown instanceof FileProblem || !(thrown instanceof Error)) throw thrown;
    return { content: `Nothing was changed. ${thrown.message}`, failed: true };
  }
  return write(drafts.changed(), notes, context);
}

async function write(
  changed: readonly PatchDraft[],
  notes: readonly string[],
  context: ToolContext,
): Promise<ToolResult> {
  if (changed.length === 0) {
    return { content: 'Nothing was changed: the patch leaves every file as it is.', failed: true };
  }
  const written = await context.environment.files.write(changed.map(asWrite));
  const left = [...written];
  const changes = await Promise.all(
    changed.map(({ path, before, after }) => {
      const snapshot = after === null ? undefined : left.shift();
      return fileChange(snapshot?.path ?? before?.path ?? path, before?.text ?? null, after, snapshot?.version);
    }),
  );
  const content = [
    `Patched ${changes.map(changeInWords).join('\n')}`,
    ...notes,
    ...written.flatMap(notesOnWriting),
  ].join('\n');
  return { content, details: { kind: 'edit', changes } };
}

function asWrite({ path, before, after }: PatchDraft): FileWrite {
  return { path, text: after, expected: before?.version ?? null };
}
