import type { RowOf } from '../state/rows';
import { post } from '../base/host';
import { messageToEdit } from '../state/editing';
import { mode, pendingChanges, writable } from '../state/store';
import { sourceOf } from '../parts/PictureStrip';
import { text } from '../base/text';
import { Card } from '../parts/Card';
import { Icon } from '../parts/Icon';

export function MessageCard({ row }: { row: RowOf<'message'> }) {
  const steered = row.event.type === 'user_message' && row.event.delivery === 'steer';
  const parent = row.event.type === 'task_started' ? row.event.parent : undefined;
  const who = text(row.type === 'task_started' ? 'feed.task' : 'feed.you');
  // Before the model has read it, there is nothing to restore.
  const canRestore = pendingChanges.value !== undefined && !row.queued && writable.value !== false;
  const canEdit = !row.queued && !row.command && writable.value === true && mode.value !== 'human';
  return (
    <Card row={row} class="message" label={`${who}: ${row.text.slice(0, 120)}`}>
      <h2 class="visually-hidden">{`${who}: ${row.text.split('\n', 1)[0]!.slice(0, 80)}`}</h2>
      <div class={row.command ? 'plain code-font' : 'plain'}>{row.text}</div>
      {row.event.images && (
        <ul class="pictures" data-testid="sent-pictures">
          {row.event.images.map((image, index) => (
            <li key={index}>
              <img src={sourceOf(image)} alt={text('composer.picture', { n: index + 1 })} />
            </li>
          ))}
        </ul>
      )}
      {row.event.context && (
        <ul class="context-parts" aria-label={text('feed.context')} data-testid="context">
          {row.event.context.map((part, index) => (
            <li key={index} class="dim">
              <Icon name={part.trust === 'others' ? 'shield' : 'references'} /> {part.label}{' '}
              <span class="nowrap">{text('feed.tokens', { n: part.tokens.toLocaleString() })}</span>
            </li>
          ))}
        </ul>
      )}
      {parent && (
        <div>
          <button
            type="button"
            class="link"
            data-testid="open-parent"
            onClick={() => post({ type: 'open_session', id: parent.session })}
          >
            <Icon name="arrow-up" /> {text('child.openParent')}
          </button>
        </div>
      )}
      {(canEdit || canRestore) && (
        <div class="message-actions">
          {canEdit && (
            <button
              type="button"
              class="link small-link quiet"
              data-testid="edit-message"
              title={text('message.editHelp')}
              onClick={() => {
                messageToEdit.value = { seq: row.seq, text: row.text };
              }}
            >
              <Icon name="edit" /> {text('message.edit')}
            </button>
          )}
          {canRestore && (
            <button
              type="button"
              class="link small-link quiet"
              data-testid="restore-before"
              data-restore
              title={text('restore.before.help')}
              onClick={() => post({ type: 'restore', seq: row.seq })}
            >
              <Icon name="history" /> {text('restore.before')}
            </button>
          )}
        </div>
      )}
      {row.command && (
        <div class="dim">
          <Icon name="clock" /> {text('feed.toRun')}
        </div>
      )}
      {steered && !row.queued && (
        <div class="dim">
          <Icon name="check" /> {text('feed.steered')}
        </div>
      )}
    </Card>
  );
}
