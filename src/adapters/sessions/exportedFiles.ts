import type { History } from '../../core/log/projection';
import type { TrajectoryFile, TrajectoryFormat, WriteContext } from '../../core/trajectory/format';
import { framed } from '../storage/frame';
import { newHeader } from '../log/header';

/**
 * Returns a run in another format, as files to write. The lines of a Waymark log are chained, so that damage is
 * detected, but not sealed, so that nothing in it counts as consent where it is opened.
 */
export function exportedFiles({ write }: TrajectoryFormat, history: History, context: WriteContext): TrajectoryFile[] {
  return write!(history, context).map((file) =>
    file.path.endsWith('.waymark.jsonl') ? { ...file, text: bound(file.text) } : file,
  );
}

function bound(log: string): string {
  let hash = '';
  const [, ...events] = log.trimEnd().split('\n');
  return [JSON.stringify(newHeader()), ...events]
    .map((line) => {
      const next = framed(line, hash, undefined);
      ({ hash } = next);
      return next.line;
    })
    .join('');
}
