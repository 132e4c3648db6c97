import assert from 'node:assert/strict';
import { truncationWarning } from '../../../src/core/model/truncationWarning';
import type { ChatMessage } from '../../../src/core/ports/model';
import { ask, question, withServer } from '../../support/ask';
import { reply } from '../../support/modelServer';

const code = 'const total = items.reduce((sum, { price, count }) => sum + price * count, 0);\n';
const long: ChatMessage[] = [
  ...question,
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: code.repeat(1_000) },
];
const told = (messages: ChatMessage[], tokens: number | null): Promise<string | undefined> =>
  withServer(
    [reply('x', { usage: tokens === null ? null : { prompt_tokens: tokens, completion_tokens: 1 } })],
    async (model) => {
      const { reply: got } = await ask(model, { messages });
      return truncationWarning({ messages }, got);
    },
  );

describe('a provider that reads less than was sent', () => {
  it('is told of, with both numbers', async () => {
    assert.match((await told(long, 4_096))!, /^test-model read about 4,000 of roughly 20,000 tokens that were sent: /);
  });

  for (const tokens of [14_000, 19_000, 26_000]) {
    it(`is not suspected when it counts ${tokens} tokens for 78,000 characters of code`, async () =>
      assert.equal(await told(long, tokens), undefined));
  }

  it('is not suspected where it does not count, or hardly anything was sent', async () => {
    assert.equal(await told(long, null), undefined);
    assert.equal(await told(question, 3), undefined);
  });
});
