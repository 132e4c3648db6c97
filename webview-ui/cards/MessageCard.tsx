import type { RowOf } from '../rows';
import { post } from '../host';
import { facts } from '../store';
import { text } from '../text';
import { Card } from './Card';
import { Icon } from './Icon';

export function MessageCard({ row }: { row: RowOf<'message'> }) {
  const queued = row.queued && (facts.value?.running === true || facts.value?.status === 'waiting_for_confirmation');
  const parent = row.event.type === 'task_started' ? row.event.parent : undefined;
  const who = text(row.type === 'task_started' ? 'feed.task' : 'feed.you');
  return (
    <Card row={row} class="message" label={`${who}: ${row.text.slice(0, 120)}`}>
      <h2 class="visually-hidden">{`${who}: ${row.text.split('\n', 1)[0]!.slice(0, 80)}`}</h2>
      <div class="plain">{row.text}</div>
      {parent && <div><button type="button" class="link" data-testid="open-parent" onClick={() => post({ type: 'open_session', id: parent.session })}><Icon name="arrow-up" /> {text('child.openParent')}</button></div>}
      {queued && <div class="dim"><Icon name="clock" /> {text('feed.queued')}</div>}
    </Card>
  );
}
