import type { PlannedWrite } from '../../ports/codeServices';
import type { Files } from '../../ports/files';
import type { ToolResult, Touches } from '../../ports/tool';
import { protectedWrites, rulesFor, secretReads } from '../../risk/pathRules';
import { changeInWords, fileChange, notesOnWriting } from '../files/fileChange';
import { readIfThere } from '../files/readIfThere';

const maxFiles = 200;

/** What an edit planned by a language service touches, for risk analysis, approval and checkpoints. */
export const touchesOf = (planned: readonly PlannedWrite[]): Touches => ({
  writes: planned.map(({ path }) => path),
  adds: planned.map(({ text }) => text).join('\n'),
});

/**
 * Writes a planned edit of several files, all or nothing. Throws an `Error` with a message for the model if it reaches
 * files that need separate approval.
 */
export async function writePlanned(planned: readonly PlannedWrite[], what: string, files: Files): Promise<ToolResult> {
  if (planned.length > maxFiles)
    return refusedResult(`It would change ${planned.length} files; the maximum is ${maxFiles} at once.`);
  const guarded = planned.find(({ path }) => rulesFor(path, [...protectedWrites, ...secretReads]).length > 0);
  if (guarded) return refusedResult(`It would change ${guarded.path}, which must be edited separately.`);
  const before = await Promise.all(planned.map(({ path }) => readIfThere(path, files)));
  const written = await files.write(planned);
  const changes = await Promise.all(
    written.map(({ path, text, version }, index) => fileChange(path, before[index]?.text ?? null, text, version)),
  );
  const changed = changes.filter(({ added, removed }) => added + removed > 0);
  const content = [
    `${what} in ${changed.length} ${changed.length === 1 ? 'file' : 'files'}`,
    ...changed.map(changeInWords),
    ...written.flatMap(notesOnWriting),
  ].join('\n');
  return { content, details: { kind: 'edit', changes: changed } };
}

const refusedResult = (why: string): ToolResult => ({ content: `Nothing was changed. ${why}`, failed: true });
