import type { Diagnostics, NewProblems } from '../../ports/diagnostics';
import type { ToolResult } from '../../ports/tool';

/**
 * Runs a tool that changes files and appends the problems that language services report since. Without `diagnostics`,
 * only runs the tool.
 */
export async function withNewProblems(
  diagnostics: Diagnostics | undefined,
  signal: AbortSignal,
  run: () => Promise<ToolResult>,
): Promise<ToolResult> {
  if (!diagnostics) return run();
  const watch = diagnostics.watch();
  try {
    const result = await run();
    const { details } = result;
    if (result.failed || details?.kind !== 'edit' || signal.aborted) return result;
    const changed = details.changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
    if (changed.length === 0) return result;
    const words = problemWords(await watch.since(changed, signal));
    return words === '' ? result : { ...result, content: `${result.content}\n\n${words}` };
  } finally {
    watch.dispose();
  }
}

/** Problems from earlier edits that language services reported too late for their results, or an empty string. */
export async function lateProblems(diagnostics: Diagnostics | undefined, signal: AbortSignal): Promise<string> {
  const found = await diagnostics?.late?.({ atEnd: false }, signal);
  return found ? problemWords(found, 'earlier edits') : '';
}

/** Reasons the run may not end yet: problems the model has not been told about. An empty string if there are none. */
export async function problemsBeforeEnd(diagnostics: Diagnostics | undefined, signal: AbortSignal): Promise<string> {
  const found = await diagnostics?.late?.({ atEnd: true }, signal);
  if (!found || found.lines.length === 0) return '';
  return `The task is not finished yet. ${problemWords(found, 'earlier edits')}\n\nFix them if they matter, then finish again.`;
}

function problemWords({ lines, more, gone }: NewProblems, edit = 'this edit'): string {
  const since =
    lines.length === 0
      ? []
      : [`New problems in the editor since ${edit}:`, ...lines, ...(more > 0 ? [`[${more} more]`] : [])];
  return [
    ...since,
    ...(gone > 0 ? [`${gone} ${gone === 1 ? 'problem is' : 'problems are'} gone since ${edit}.`] : []),
  ].join('\n');
}
