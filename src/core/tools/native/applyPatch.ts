import * as z from 'zod';
import { FileProblem, type FileWrite } from '../../ports/environment';
import { changeInWords, fileChange, readOnlyInWords } from '../files/fileChange';
import { Drafts, type Draft } from '../patch/drafts';
import { patchArgument } from '../patch/patchArgument';
import { patchPaths, patchSections, replacedPaths } from './patchText';
import { defineTool } from '../defineTool';
import type { ToolContext, ToolResult } from '../../ports/tool';

const description = `Change several files at once, all or nothing. Takes a unified diff (/dev/null for a file that is created or deleted, git headers for a rename), or this form, in which lines that stay begin with a blank:
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

export const applyPatch = defineTool({
  name: 'apply_patch',
  description,
  input: z.object({ patch: z.string() }),
  accept: patchArgument,
  effect: 'writes',
  summarize: ({ patch }) => {
    const paths = patchPaths(patch);
    if (paths.length <= 3) return `Patch ${paths.join(', ')}`;
    return `Patch ${paths.length} files: ${paths.slice(0, 3).join(', ')}, …`;
  },
  touches: ({ patch }) => ({ writes: patchPaths(patch), replaces: replacedPaths(patch), adds: patch }),
  allowKey: ({ patch }) => patchPaths(patch).sort().join('\n') || undefined,
  run: ({ patch }, context) => runPatch(patch, context),
});

/** Applies a patch, whole or not at all. `keepsExisting`: no file that exists is replaced by an added or moved one. */
export async function runPatch(patch: string, context: ToolContext, keepsExisting = false): Promise<ToolResult> {
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

async function write(changed: readonly Draft[], notes: readonly string[], context: ToolContext): Promise<ToolResult> {
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
    ...written.flatMap(readOnlyInWords),
  ].join('\n');
  return { content, details: { kind: 'edit', changes } };
}

function asWrite({ path, before, after }: Draft): FileWrite {
  return { path, text: after, expected: before?.version ?? null };
}
