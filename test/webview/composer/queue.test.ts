import assert from 'node:assert/strict';
import { action, log, page, reply, started, task } from '../support/events';
import { usePanel } from '../support/usePanel';

describe('the queue above the composer', function () {
  const { panel, byId } = usePanel(this);
  const picture = { mediaType: 'image/png', data: 'iVBORw0KGgo=' };
  const busy = [
    task('t'),
    reply('', [action('a', 'run_command', { command: 'sleep 9' }, 'Sleep')]),
    started('a'),
    { type: 'user_message' as const, text: 'One.', images: [picture] },
    { type: 'user_message' as const, text: 'Two.' },
  ];
  const held = { type: 'message_changed' as const, message: 3, change: 'held' as const };
  const shown = (...more: Parameters<typeof log>) =>
    page(log(...busy, ...more), { running: true, status: 'ready', sessionId: 's' });

  it('edits a message after the host confirmed it; message, pictures and draft survive a reload', async () => {
    await panel().send(shown());
    assert.equal(await byId('queued-message').count(), 2);
    await byId('composer').fill('Half a thought');
    await byId('queue-edit').first().press('Enter');
    assert.deepEqual(await panel().postedOf('queue'), [{ type: 'queue', session: 's', message: 3, change: 'held' }]);
    assert.equal(await byId('editing').count(), 0, 'the host has not held it yet');
    await panel().send(shown(held));
    assert.equal(await byId('composer').inputValue(), 'One.');
    assert.equal(await byId('pictures').locator('img').count(), 1);
    await byId('composer').fill('One, changed.');

    await panel().page.reload();
    await panel().send(shown(held));
    assert.equal(await byId('editing').count(), 1);
    assert.equal(await byId('composer').inputValue(), 'One, changed.');
    assert.equal(await byId('pictures').locator('img').count(), 1, 'the picture of the message comes back, too');
    await byId('composer').press('Enter');
    const [sent] = await panel().postedOf('send');
    assert.deepEqual(
      [sent?.text, sent?.instead, sent?.images],
      ['One, changed.', { session: 's', message: 3 }, [picture]],
    );
    assert.equal(await byId('composer').inputValue(), 'Half a thought');
  });

  it('sends a message with the next tool result, if it has no pictures', async () => {
    await panel().send(shown());
    assert.equal(await byId('queue-sendNow').count(), 1);
    await byId('queue-sendNow').press('Enter');
    assert.deepEqual(await panel().postedOf('queue'), [
      { type: 'queue', session: 's', message: 4, change: 'sent_now' },
    ]);
    await panel().send(
      shown(
        { type: 'message_changed', message: 4, change: 'held' },
        { type: 'user_message', text: 'Two.', delivery: 'steer', instead: 4 },
      ),
    );
    assert.equal(await byId('queue-sendNow').count(), 0);
    assert.match(await byId('queued-message').last().innerText(), /Two\./);
  });

  it('says that the agent already has a message, and keeps the draft', async () => {
    await panel().send(shown());
    await byId('composer').fill('Half a thought');
    await byId('queue-edit').first().press('Enter');
    await panel().send({ type: 'compose', text: '', problem: 'The agent has read this message already.' });
    await panel().page.getByText('The agent has read this message already.').waitFor();
    assert.equal(await byId('composer').inputValue(), 'Half a thought');
  });

  it('says if an edited message was sent elsewhere, and sends its text as a new one', async () => {
    await panel().send(shown());
    await byId('queue-edit').first().press('Enter');
    await panel().send(shown(held));
    await panel().send(shown(held, { type: 'message_changed', message: 3, change: 'taken_back' }));
    await panel().page.getByText('The queued message was sent or removed elsewhere.').waitFor();
    await byId('composer').press('Enter');
    assert.equal((await panel().postedOf('send'))[0]?.instead, undefined);
  });

  it('hides messages that a request already contains', async () => {
    await panel().send(shown(), { type: 'deltas', deltas: [{ kind: 'reading', upTo: 4 }] });
    assert.deepEqual(await byId('queued-message').locator('.queue-words').allInnerTexts(), ['Two.']);
    await panel().page.getByTestId('card-user_message').getByText('One.').last().waitFor();
  });
});
