import { strict as assert } from 'node:assert';
import { statusOf } from '../../../src/core/log/status';
import { condenserFor } from '../../../src/core/condense/condenserFor';
import { ModelProblem } from '../../../src/core/ports/model';
import { refusal } from '../../support/strict/strictChat';
import { reported } from './logs';
import { assertAccepted, begin, call, plays, says, types } from '../agent/story';

const choice = { kind: 'summarizing', maxEvents: 12, maxWindowShare: 0, keepFirst: 2 } as const;
const looks = (count: number) =>
  Array.from({ length: count }, (_, index) => says('Next.', call('look', { name: `n${index}` })));
const unlimited = { first: { limits: { steps: 0, cost: 0, seconds: 0 } } } as const;

describe('a run with a condenser', () => {
  it('keeps every request short and valid in a long run', async () => {
    const model = plays(...looks(60), says('Done.'));
    const condenser = condenserFor(choice, {
      model: plays(...Array.from({ length: 60 }, (_, index) => says(`Summary ${index}.`))),
      contextWindow: null,
    });
    const { history } = await begin(model, { ...unlimited, parts: { condenser } }).go();
    assert.equal(statusOf(history), 'idle');
    assert.ok(types(history).filter((type) => type === 'condensation').length >= 5);
    for (const { messages } of model.requests) {
      assert.equal(refusal({ model: 'm', messages }), undefined);
      assert.ok(messages.length <= 14, `${messages.length} messages`);
      assert.equal(messages[1]!.content, 'Do it.');
    }
    assertAccepted(history);
    assert.equal(history.filter(({ type }) => type === 'observation').length, 60);
  });
  it('continues uncondensed if the summary fails, and retries only some steps later', async () => {
    const model = plays(...looks(14), says('Done.'));
    const writer = plays(
      ...Array.from(
        { length: 9 },
        () => new ModelProblem('server', { what: 'The model server failed.', why: 'It said 500.', next: 'Continue.' }),
      ),
    );
    const { history } = await begin(model, {
      ...unlimited,
      parts: { condenser: condenserFor(choice, { model: writer, contextWindow: null }) },
    }).go();
    assert.equal(statusOf(history), 'idle');
    assert.ok(writer.requests.length >= 1 && writer.requests.length <= 3, `${writer.requests.length} tries`);
    assert.equal(types(history).filter((type) => type === 'notice').length, writer.requests.length);
    assert.equal(model.requests.at(-1)!.messages.length, 2 + 14 * 2);
  });
  it('pauses while a summary is being written, without a condensation in the log', async () => {
    const writer = plays(
      (_request, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const conversation = begin(plays(...looks(14), says('Done.')), {
      ...unlimited,
      parts: { condenser: condenserFor(choice, { model: writer, contextWindow: null }) },
    });
    conversation.wake();
    while (writer.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await conversation.interrupt();
    assert.deepEqual(
      [statusOf(conversation.history), types(conversation.history).includes('condensation')],
      ['paused', false],
    );
  });
  describe('with a conversation that is too long for the model', () => {
    const overflow = () =>
      new ModelProblem('context_overflow', { what: 'Too long.', why: 'The server said so.', next: 'Condense it.' });
    const run = async (replies: Parameters<typeof plays>, summaries: Parameters<typeof plays>) => {
      const model = plays(...replies);
      const condenser = condenserFor({ ...choice, maxEvents: 0 }, { model: plays(...summaries), contextWindow: null });
      const conversation = await begin(model, { ...unlimited, parts: { condenser } }).go();
      return { model, conversation, history: conversation.history };
    };
    it('condenses it once and retries', async () => {
      const { model, history } = await run([...looks(6), overflow(), says('Done.')], [says('Looked at six.')]);
      assert.equal(statusOf(history), 'idle');
      assert.deepEqual(types(history).slice(-3), ['condensation_requested', 'condensation', 'agent_response']);
      assert.ok(model.requests.at(-1)!.messages.length < model.requests.at(-2)!.messages.length);
    });
    it('condenses early enough after the first refusal', async () => {
      const longest = 12_000;
      let refused = 0;
      const readers = Array.from(
        { length: 120 },
        (_, index) => (request: { readonly messages: readonly unknown[] }) => {
          if (JSON.stringify(request.messages).length > longest) {
            refused++;
            throw overflow();
          }
          return index < 110 ? says('word '.repeat(60), call('look', { name: `n${index}` })) : says('Done.');
        },
      );
      const { history } = await run(
        readers as never,
        Array.from({ length: 60 }, () => says('Looked at some.')),
      );
      assert.equal(statusOf(history), 'idle');
      assert.equal(refused, 1);
      assert.ok(types(history).filter((type) => type === 'condensation').length >= 3);
    });
    it('stays within the context window that the server named', async () => {
      const contextWindow = 1000;
      const sent: number[] = [];
      const readers = Array.from({ length: 60 }, (_, index) => (request: { readonly messages: readonly unknown[] }) => {
        const tokens = Math.round(JSON.stringify(request.messages).length / 4);
        if (tokens > contextWindow)
          throw new ModelProblem('context_overflow', {
            what: 'Long.',
            why: 'It is.',
            next: 'Condense.',
            contextWindow,
          });
        sent.push(tokens);
        return { ...says('Next.', call('look', { name: `n${index}` })), usage: reported(tokens) };
      });
      const { history } = await run(
        [...readers, says('Done.')] as never,
        Array.from({ length: 60 }, () => says('Looked at some.')),
      );
      const refusals = history.filter((event) => event.type === 'condensation_requested');
      assert.deepEqual(
        refusals.map(({ by, contextWindow: named }) => [by, named]),
        [['context_overflow', contextWindow]],
      );
      assert.ok(types(history).filter((type) => type === 'condensation').length >= 3);
    });
    it('continues after it was too long if the user condenses and resumes it, whichever arrives first', async () => {
      for (const rests of [false, true]) {
        const answers = [...looks(6), overflow(), overflow(), says('Done.')];
        const summaries = [says('Looked at six.'), says('Looked at all.')];
        const { conversation } = await run(answers, summaries);
        assert.equal(statusOf(conversation.history), 'finished');
        conversation.condense();
        if (rests) await conversation.rested();
        conversation.resume();
        await conversation.rested();
        assert.deepEqual(
          conversation.history.slice(-4).flatMap(({ type }) => (type === 'resumed' ? [] : [type])),
          ['condensation_requested', 'condensation', 'agent_response'],
          String(rests),
        );
        assert.equal(statusOf(conversation.history), 'idle');
      }
    });
    it('stops with the server’s reason if condensing fails or is not enough', async () => {
      for (const summaries of [[says('Looked at six.')], Array.from({ length: 7 }, overflow)]) {
        const { history } = await run([...looks(6), overflow(), overflow()], summaries);
        const end = history.at(-1)!;
        assert.ok(
          end.type === 'finished' && end.cause === 'context_overflow' && end.problem?.why === 'The server said so.',
          JSON.stringify(end),
        );
      }
    });
  });
  it('stays idle after the user condenses it, without a model reply', async () => {
    const condenser = condenserFor(choice, { model: plays(says('Looked at two.')), contextWindow: null });
    const conversation = await begin(plays(...looks(2), says('Done.')), { ...unlimited, parts: { condenser } }).go();
    conversation.condense();
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
    assert.deepEqual(types(conversation.history).slice(-2), ['condensation_requested', 'condensation']);
  });
});
