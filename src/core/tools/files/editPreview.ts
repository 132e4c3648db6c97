import type { FileChange } from '../../../protocol/events/details';
import type { Environment } from '../../ports/environment';
import { withFoundTouches } from '../calls/withFoundTouches';
import { rehearsalOf, type Rehearsed } from './rehearse';
import type { BoundTool, Tool, ToolContext } from '../../ports/tool';

/** What a file edit would change if it ran now. `refused`: why it would change nothing. */
export type EditPreview =
  { readonly changes: readonly FileChange[]; readonly written: readonly Rehearsed[] } | { readonly refused: string };

/**
 * Previews a call of a tool that writes files, for the person who decides about it. Undefined where the call declares
 * no file that it writes, or where another program does the writing: then there is no edit to show.
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
