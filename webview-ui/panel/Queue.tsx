import { useLayoutEffect, useRef } from 'preact/hooks';
import type { WaitingMessage } from '../../src/protocol/plain/waitingMessages';
import type { FromPanel } from '../../src/protocol/panel/panel';
import { post } from '../base/host';
import { counted, text, type TextKey } from '../base/text';
import { Icon } from '../parts/Icon';
import { editedMessage, messageToEdit } from '../state/editing';
import { facts, state, waiting } from '../state/store';

type Change = Extract<FromPanel, { type: 'queue' }>['change'];

const postQueueChange = (message: number, what: Change, before?: number): void =>
  post({
    type: 'queue',
    session: state.value.sessionId ?? '',
    message,
    change: what,
    ...(before !== undefined && { before }),
  });

/** Waiting messages, above the composer. Each can be sent now, edited, moved and taken back. */
export function Queue() {
  const list = useRef<HTMLOListElement>(null);
  const all = waiting.value;
  const had = useRef(0);
  useLayoutEffect(() => {
    // After taking back the last message by keyboard, the focus moves to the composer.
    const lostFocus = document.activeElement === null || document.activeElement === document.body;
    if (all.length < had.current && lostFocus && document.hasFocus())
      (list.current?.querySelector<HTMLElement>('li') ?? document.getElementById('composer'))?.focus();
    had.current = all.length;
  }, [all.length]);
  if (all.length === 0) return null;
  const commands = facts.value?.mode === 'human';
  return (
    <section class="queue" aria-label={text('queue.label')} data-testid="queue">
      <div class="queue-head dim">
        <Icon name="clock" /> <span>{text(commands ? 'feed.toRun' : 'feed.queued')}</span>
      </div>
      <ol ref={list}>
        {all.map((message, index) => (
          <QueueRow key={message.event.seq} message={message} index={index} all={all} />
        ))}
      </ol>
    </section>
  );
}

function QueueRow({
  message: { event, held },
  index,
  all,
}: {
  message: WaitingMessage;
  index: number;
  all: readonly WaitingMessage[];
}) {
  const row = useRef<HTMLLIElement>(null);
  const known = facts.value!;
  const steers = event.delivery === 'steer';
  const isHere = held && editedMessage.value?.waiting === true && editedMessage.value.seq === event.seq;
  const attached = (event.images?.length ?? 0) + (event.context?.length ?? 0);
  const canMove = (other: WaitingMessage | undefined): boolean =>
    other !== undefined && !steers && other.event.delivery !== 'steer' && known.mode !== 'human';
  const up = canMove(all[index - 1]);
  const down = canMove(all[index + 1]);
  const move = (to: 'up' | 'down'): void => {
    if (to === 'up' ? !up : !down) return;
    postQueueChange(event.seq, 'moved', all[to === 'up' ? index - 1 : index + 2]?.event.seq);
  };
  const canHasten = known.running && known.mode !== 'human' && !steers && !held && !event.images?.length;
  const edit = (): void => {
    messageToEdit.value = { seq: event.seq, text: event.text, waiting: true };
    if (!held) postQueueChange(event.seq, 'held');
  };
  const button = (
    icon: string,
    key: TextKey,
    act: () => void,
    { on = true, keys }: { readonly on?: boolean | undefined; readonly keys?: string | undefined } = {},
  ) => (
    <button
      type="button"
      class={`icon-button codicon codicon-${icon}`}
      data-testid={key.replace('.', '-')}
      aria-label={text(key, { n: index + 1 })}
      title={text(key, { n: index + 1 })}
      aria-disabled={!on}
      aria-keyshortcuts={keys}
      onClick={act}
    />
  );
  const words = event.text.trim().split('\n', 1)[0]!;
  const goes = steers ? text('feed.steering') : undefined;
  const state = held ? text(isHere ? 'queue.editing' : 'queue.held') : goes;
  return (
    <li
      ref={row}
      tabIndex={-1}
      data-testid="queued-message"
      data-held={held}
      onKeyDown={(key) => {
        if (!key.altKey || (key.key !== 'ArrowUp' && key.key !== 'ArrowDown')) return;
        key.preventDefault();
        key.stopPropagation();
        move(key.key === 'ArrowUp' ? 'up' : 'down');
      }}
    >
      <span class="queue-words" title={event.text}>
        {state !== undefined && <Icon name={held ? 'edit' : 'send'} />} {words}
        {attached > 0 && <span class="dim"> · {counted('queue.attached', attached)}</span>}
        {state !== undefined && <span class="dim"> · {state}</span>}
      </span>
      {known.writable && (
        <span class="queue-actions">
          {held && !isHere && button('debug-continue', 'queue.putBack', () => postQueueChange(event.seq, 'put_back'))}
          {canHasten && button('send', 'queue.sendNow', () => postQueueChange(event.seq, 'sent_now'))}
          {!isHere && button('edit', 'queue.edit', edit)}
          {all.length > 1 && button('arrow-up', 'queue.up', () => move('up'), { on: up, keys: 'Alt+ArrowUp' })}
          {all.length > 1 &&
            button('arrow-down', 'queue.down', () => move('down'), { on: down, keys: 'Alt+ArrowDown' })}
          {button('close', 'queue.takeBack', () => postQueueChange(event.seq, 'taken_back'))}
        </span>
      )}
    </li>
  );
}
