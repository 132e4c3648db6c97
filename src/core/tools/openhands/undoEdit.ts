import type { FileChange } from '../../../protocol/events/details';
import { projection, type History } from '../../log/projection';
import type { Changed } from '../files/changeFile';

interface Edits {
  readonly undoing: Set<string>;
  readonly byPath: Map<string, FileChange[]>;
}

const editsOf = projection<Edits>(
  () => ({ undoing: new Set(), byPath: new Map() }),
  ({ undoing, byPath }, event) => {
    if (event.type === 'agent_response') for (const { id, input } of event.actions) if (isUndo(input)) undoing.add(id);
    if (event.type !== 'observation' || event.details?.kind !== 'edit') return;
    for (const change of event.details.changes) {
      const edits = byPath.get(change.path) ?? [];
      byPath.set(change.path, edits);
      if (undoing.has(event.actionId)) edits.pop();
      else edits.push(change);
    }
  },
);

const isUndo = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'command' in input && input.command === 'undo_edit';

/** The last edit of a file that the log holds and that was not undone. */
export const lastEditOf = (path: string, history: History): FileChange | undefined =>
  editsOf(history).byPath.get(path)?.at(-1);

/** What a file held before a change, made from what it holds now. */
export function undone({ kind, added, removed, hunks }: FileChange, text: string): Changed {
  if (kind === 'created') return { refused: 'Its last edit created it. Delete it with a command if it is to go.' };
  const marked = (mark: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(mark)).length, 0);
  if (marked('+') !== added || marked('-') !== removed)
    return { refused: 'Its last edit was too large to be undone. Edit it again.' };
  const lines = text.split('\n');
  for (const { newStart, newLines, lines: changed } of [...hunks].reverse()) {
    const at = newLines === 0 ? newStart : newStart - 1;
    const side = (mark: string): string[] =>
      changed.filter((line) => !line.startsWith(mark)).map((line) => line.slice(1));
    if (side('-').some((line, index) => lines[at + index] !== line))
      return { refused: 'It is not what the last edit left any more. Edit it again.' };
    lines.splice(at, newLines, ...side('+'));
  }
  return { text: lines.join('\n') };
}
