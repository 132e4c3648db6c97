import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { statusOf } from '../../../src/core/log/status';
import type { History } from '../../../src/core/log/projection';
import { toMessages } from '../../../src/core/model/messages';
import { turnsOf } from '../../../src/core/trajectory/turns';
import { assertAccepted, begin, call, plays, ran, revived, says, types } from '../agent/story';

const wordsOf = (history: History): string[] =>
  toMessages(history)
    .slice(1)
    .flatMap(({ role, content }) => (role === 'user' ? [String(content)] : []));

/** A run whose command lasts until `go` is called, so that messages sent meanwhile are queued. */
async function busy(...after: ReturnType<typeof says>[]) {
  const conversation = begin(plays(says('x', call('command', { name: 'slow' })), ...after));
  conversation.wake();
  while (!ran.includes('command slow')) await new Promise((resolve) => setImmediate(resolve));
  return { conversation };
}
const seqOf = (history: History, text: string): number =>
  history.findLast((event) => event.type === 'user_message' && event.text === text)!.seq;

describe('waiting messages', () => {
  beforeEach(() => void ran.splice(0));

  it('after the program was killed skip the calls that had not begun', async () => {
    const first = begin(
      plays(says('x', call('command', { name: 'slow' }, 'a'), call('command', { name: 'late' }, 'b'))),
    );
    first.wake();
    while (!ran.includes('command slow')) await new Promise((resolve) => setImmediate(resolve));
    const left = revived(first.history);
    await first.interrupt();
    ran.splice(0);
    const continued = begin(plays(says('Stopped.')), { saved: left });
    continued.say('Stop: do nothing more.');
    await continued.rested();
    assert.deepEqual(ran, []);
    assert.deepEqual(
      continued.history.flatMap((event) => (event.type === 'observation' ? [[event.actionId, event.outcome]] : [])),
      [
        ['a', 'unknown'],
        ['b', 'skipped'],
      ],
    );
    assertAccepted(continued.history);
    const resumed = begin(plays(says('Done.')), { saved: left });
    resumed.resume();
    await resumed.rested();
    assert.deepEqual(ran, ['command late'], 'a run that is resumed goes on');
  });

  it('that are taken back appear neither in the conversation nor in an export', async () => {
    const { conversation } = await busy(says('bye'));
    conversation.say('One.');
    conversation.say('Two.');
    assert.equal(conversation.takeBack(seqOf(conversation.history, 'One.'), 'taken_back'), true);
    assert.equal(conversation.takeBack(seqOf(conversation.history, 'One.'), 'taken_back'), false, 'only once');
    assert.deepEqual(
      conversation.waiting.map(({ event }) => event.text),
      ['Two.'],
    );
    await conversation.interrupt();
    assert.ok(!JSON.stringify(toMessages(conversation.history)).includes('One.'));
    assert.ok(JSON.stringify(toMessages(conversation.history)).includes('Two.'));
    assert.ok(!turnsOf(conversation.history).some((turn) => turn.kind === 'words' && turn.text.includes('One.')));
    assertAccepted(conversation.history);
  });

  it('can be sent with the next tool result, once, unless they have images', async () => {
    const { conversation } = await busy(says('bye'));
    const { history } = conversation;
    conversation.say('One.');
    conversation.say('Look.', { images: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }] });
    const [one, look] = [seqOf(history, 'One.'), seqOf(history, 'Look.')];
    assert.equal(conversation.sendNow(look), false);
    assert.equal(conversation.sendNow(one), true);
    assert.equal(conversation.sendNow(one), false, 'another message has replaced it');
    assert.deepEqual(
      conversation.waiting.map(({ event }) => [event.text, event.delivery]),
      [
        ['One.', 'steer'],
        ['Look.', undefined],
      ],
    );
    await conversation.interrupt();
    assert.equal(JSON.stringify(toMessages(history)).split('One.').length, 2, 'the model reads it once');
    assertAccepted(history);
  });

  it('do not continue a run if they are taken back before it stops', async () => {
    const { conversation } = await busy(says('bye'));
    conversation.say('One.');
    const stopped = conversation.stop();
    conversation.say('Two.');
    conversation.takeBack(seqOf(conversation.history, 'Two.'), 'taken_back');
    await stopped;
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'finished');
  });

  it('do not wake an idle run if they are taken back', async () => {
    const conversation = await begin(plays(says('bye'))).go();
    assert.equal(statusOf(conversation.history), 'idle');
    conversation.say('One.');
    assert.equal(conversation.takeBack(seqOf(conversation.history, 'One.'), 'taken_back'), true);
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
    assert.equal(types(conversation.history).filter((type) => type === 'agent_response').length, 1);
  });

  it('are read in the order that the user chose', async () => {
    const { conversation } = await busy(says('bye'));
    for (const text of ['One.', 'Two.', 'Three.']) conversation.say(text);
    const { history } = conversation;
    assert.equal(conversation.move(seqOf(history, 'Three.'), seqOf(history, 'One.')), true);
    assert.equal(conversation.move(seqOf(history, 'One.'), undefined), true);
    await conversation.interrupt();
    assert.equal(wordsOf(history).at(-1), 'Three.\n\nTwo.\n\nOne.');
    const spoken = turnsOf(history).flatMap((turn) => (turn.kind === 'words' ? [turn.text] : []));
    assert.deepEqual(spoken.slice(-3), ['Three.', 'Two.', 'One.']);
    assert.equal(wordsOf(revived(history)).at(-1), 'Three.\n\nTwo.\n\nOne.', 'after a restart, too');
  });

  it('that are held return to their place with images, or edited', async () => {
    const { conversation } = await busy(says('bye'));
    const image = { mediaType: 'image/png', data: 'AAAA' };
    conversation.say('One.', { images: [image] });
    conversation.say('Two.');
    const { history } = conversation;
    const one = seqOf(history, 'One.');
    assert.equal(conversation.takeBack(one, 'held'), true);
    assert.equal(conversation.takeBack(one, 'held'), false, 'held already');
    assert.equal(wordsOf(history).at(-1), 'Two.');
    assert.equal(conversation.putBack(one), true);
    assert.equal(conversation.putBack(one), false, 'never twice');
    const again = seqOf(history, 'One.');
    assert.ok(again > one);
    assert.deepEqual(conversation.waiting[0]!.event.images, [image]);
    assert.equal(wordsOf(history).at(-1), 'One.\n\nTwo.');
    conversation.takeBack(again, 'held');
    conversation.say('One, changed.', { instead: again });
    assert.equal(wordsOf(history).at(-1), 'One, changed.\n\nTwo.');
    await conversation.interrupt();
  });

  it('cannot be changed or overtaken once a request contains them', async () => {
    let answer: (() => void) | undefined;
    const conversation = begin(
      plays(
        () =>
          new Promise((resolve) => {
            answer = () => resolve(says('x', call('look', { name: 'a' })));
          }),
        says('bye'),
      ),
    );
    conversation.wake();
    while (!answer) await new Promise((resolve) => setImmediate(resolve));
    conversation.say('Later.');
    assert.equal(conversation.takeBack(0, 'taken_back'), false);
    assert.equal(conversation.move(seqOf(conversation.history, 'Later.'), 0), false);
    assert.equal(conversation.takeBack(seqOf(conversation.history, 'Later.'), 'held'), true);
    answer();
    await conversation.rested();
    assert.ok(!wordsOf(conversation.history).some((words) => words.includes('Later.')));
    assert.equal(statusOf(conversation.history), 'idle', 'what is held does not keep the run going');
    assert.equal(conversation.putBack(seqOf(conversation.history, 'Later.')), true);
    await conversation.rested();
    assert.ok(wordsOf(conversation.history).some((words) => words.includes('Later.')));
  });

  it('are each read once, in the final order, after any sequence of edits', async () => {
    const kinds = ['say', 'hold', 'back', 'take', 'move', 'edit'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(5), fc.nat(5)), { maxLength: 25 }),
        async (deeds) => {
          ran.splice(0);
          const { conversation } = await busy(says('bye'));
          let said = 0;
          for (const [kind, first, second] of deeds) {
            const { waiting } = conversation;
            const message = waiting[first % Math.max(1, waiting.length)]?.event.seq ?? 0;
            if (kind === 'say') conversation.say(`m${++said}.`);
            if (kind === 'hold') conversation.takeBack(message, 'held');
            if (kind === 'take') conversation.takeBack(message, 'taken_back');
            if (kind === 'back') conversation.putBack(message);
            if (kind === 'move') conversation.move(message, waiting[second]?.event.seq);
            if (kind === 'edit' && conversation.takeBack(message, 'held'))
              conversation.say(`m${++said}.`, { instead: message });
          }
          const wanted = conversation.waiting.filter(({ held }) => !held).map(({ event }) => event.text);
          await conversation.interrupt();
          const read = JSON.stringify(toMessages(conversation.history)).match(/m\d+\./g) ?? [];
          assert.deepEqual(read, wanted);
          assert.deepEqual(JSON.stringify(toMessages(revived(conversation.history))).match(/m\d+\./g) ?? [], wanted);
          assertAccepted(conversation.history);
        },
      ),
      { numRuns: 40 },
    );
  });
});
