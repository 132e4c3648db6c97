import type { RowOf } from '../rows';
import { Markdown } from '../markdown/Markdown';
import { isOpen, setOpen } from '../store';
import { text } from '../text';
import { Card } from './Card';
import { Reasoning } from './Reasoning';

export function ReplyCard({ row }: { row: RowOf<'reply'> }) {
  const { reasoning, text: words } = row.event;
  return (
    <Card row={row} class="reply" label={`${text('reply.label')}: ${words.slice(0, 120)}`}>
      {reasoning?.text.trim() && <Reasoning label={text('reply.thought')} words={reasoning.text} open={isOpen(row.key)} onToggle={() => setOpen(row.key, !isOpen(row.key))} />}
      {words.trim() && <Markdown source={words} />}
    </Card>
  );
}
