import type { RowOf } from '../rows';
import { facts } from '../store';
import { text } from '../text';
import { Card } from './Card';
import { Icon } from './Icon';

export function MessageCard({ row }: { row: RowOf<'message'> }) {
  const queued = row.queued && (facts.value?.running === true || facts.value?.status === 'waiting_for_confirmation');
  const who = text(row.type === 'task_started' ? 'feed.task' : 'feed.you');
  return (
    <Card row={row} class="message" label={`${who}: ${row.text.slice(0, 120)}`}>
      <h2 class="visually-hidden">{`${who}: ${row.text.split('\n', 1)[0]!.slice(0, 80)}`}</h2>
      <div class="plain">{row.text}</div>
      {queued && <div class="dim"><Icon name="clock" /> {text('feed.queued')}</div>}
    </Card>
  );
}
