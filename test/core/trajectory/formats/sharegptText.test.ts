import { strict as assert } from 'node:assert';
import { sharegpt } from '../../../../src/core/trajectory/formats/sharegpt';

const read = (...conversations: { from: string; value: string }[]) =>
  sharegpt.reader!.read([{ path: 'a.jsonl', text: `${JSON.stringify({ conversations })}\n` }]).events;

describe('a ShareGPT turn', () => {
  it('with ever so many tags that are never closed is read in time that grows with its length', function () {
    this.timeout(60_000);
    for (const tag of ['<tool_call>', '<tool_response>', '<tools>']) {
      const many = tag.repeat(400_000);
      const events = read(
        { from: 'system', value: many },
        { from: 'human', value: 'Look.' },
        { from: 'gpt', value: many },
        { from: 'tool', value: many },
      );
      assert.equal(events.filter(({ type }) => type === 'agent_response').length, 1, tag);
    }
  });

  it('has its calls found where they do not stand on lines of their own', () => {
    const [, reply] = read(
      { from: 'human', value: 'Look.' },
      {
        from: 'gpt',
        value:
          'Now: <tool_call> {"name": "a", "arguments": {}} </tool_call> and <tool_call>{"name": "b", "arguments": {"x": 1}}</tool_call>',
      },
    );
    assert.deepEqual(reply?.type === 'agent_response' && reply.actions.map(({ tool, input }) => [tool, input]), [
      ['a', {}],
      ['b', { x: 1 }],
    ]);
  });
});
