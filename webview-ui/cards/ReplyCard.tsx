import { spokenLine } from '../../src/protocol/plain/withoutMarkup';
import { Icon } from '../parts/Icon';
import { hasMore, type RowOf } from '../state/rows';
import { Markdown } from '../markdown/Markdown';
import { isOpen, setOpen } from '../state/store';
import { text } from '../base/text';
import { Card } from '../parts/Card';
import { ReplyDetails } from '../parts/ReplyDetails';

/** One dim line that expands to the full text. */
export function ReasoningLine({
  label,
  words,
  open,
  onToggle,
}: {
  label: string;
  words: string;
  open: boolean;
  onToggle: () => void;
}) {
  const line = words.trim().replace(/\s+/g, ' ');
  return (
    <div class="reasoning">
      <button type="button" class="step-row" data-toggle aria-expanded={open} tabIndex={-1} onClick={onToggle}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} class="chevron" />
        <span class="verb">{label}</span>
        {!open && <span class="target">{line.slice(0, 200)}</span>}
      </button>
      {open && <div class="step-body plain dim">{words.trim()}</div>}
    </div>
  );
}

/** Text of the model. The rest of the reply is shown in its first step, or here if it has none. */
export function ReplyCard({ row }: { row: RowOf<'reply'> }) {
  const { reasoning, text: words, actions } = row.event;
  const open = isOpen(row.key);
  const more = actions.length === 0 && hasMore(row.event);
  const moreKey = reasoning?.text.trim() ? `${row.key}/more` : row.key;
  const moreOpen = isOpen(moreKey);
  return (
    <Card
      row={row}
      class={row.hidden ? 'reply hidden-reply' : 'reply'}
      label={`${text('reply.label')}: ${spokenLine(words, 120)}`}
    >
      {reasoning?.text.trim() && (
        <ReasoningLine
          label={text('reply.thought')}
          words={reasoning.text}
          open={open}
          onToggle={() => setOpen(row.key, !open)}
        />
      )}
      {words.trim() && <Markdown source={words} />}
      {more && (
        <>
          <button
            type="button"
            class="step-row"
            data-toggle
            data-testid="reply-details"
            aria-expanded={moreOpen}
            tabIndex={-1}
            onClick={() => setOpen(moreKey, !moreOpen)}
          >
            <Icon name={moreOpen ? 'chevron-down' : 'chevron-right'} class="chevron" />
            <span class="verb dim">{text('step.replyDetails')}</span>
          </button>
          {moreOpen && (
            <div class="step-body">
              <ReplyDetails reply={row.event} />
            </div>
          )}
        </>
      )}
      {row.hidden && (
        <div class="hidden-mark dim">
          <Icon name="eye-closed" /> {text('feed.hidden')}
        </div>
      )}
    </Card>
  );
}
