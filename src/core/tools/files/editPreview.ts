import type { FileChange } from '../../../protocol/events/details';
import type { Environment } from '../../ports/environment';
import { withFoundTouches } from '../calls/withFoundTouches';
import { rehearsalOf, type Rehearsed } from './rehearse';
import type { BoundTool, Tool, ToolContext } from '../../ports/tool';

/** Preview of a file edit if it ran now. `refused` is the reason why it would change nothing. */
export type EditPreview =
  { readonly changes: readonly FileChange[]; readonly written: readonly Rehearsed[] } | { readonly refused: string };

/**
 * Previews a call that writes files, for the person who approves it. Returns undefined if the call declares no file to
 * write, or if another program does the writing.
 */
export async function editPreview(
  tool: Tool,
  call: BoundTool,
  environment: Environment,
  context: Pick<ToolContext, 'versionSeen' | 'history'>,
): Promise<EditPreview | undefined> {
  const { touches } = await withFoundTouches(call, environment);
  const writesFiles = (touches.writes?.length ?? 0) > 0;
  if (tool.effect !== 'writes' || tool.from !== undefined || !writesFiles) return undefined;
  const rehearsal = await rehearsalOf(call, environment, context);
  if ('refused' in rehearsal) return rehearsal;
  const { details } = rehearsal.result;
  return details?.kind === 'edit' ? { changes: details.changes, written: rehearsal.written } : undefined;
}
