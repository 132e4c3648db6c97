import type { RowOf } from '../rows';
import { text } from '../text';
import { Card } from './Card';
import { Icon } from './Icon';

export function PausedCard({ row }: { row: RowOf<'paused'> }) {
  return (
    <Card row={row} class="notice" label={`${text('paused.title')}: ${row.event.reason}`}>
      <div class="notice-line"><Icon name="debug-pause" /><span>{row.event.reason || text('paused.title')}</span></div>
    </Card>
  );
}
