// The model server of the whole test suite refuses keys that are not in the protocol, so every test checks its
// requests.
import assert from 'node:assert/strict';
import { reply, response, startModelServer, type ModelServerOptions } from '../../support/modelServer';

const user = { role: 'user', content: 'hi' };
const tool = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
const result = { role: 'tool', tool_call_id: 'c1', content: 'ok' };
const thought = { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' };

const chat = (...messages: object[]): object => ({
  model: 'm',
  stream: true,
  messages: [user, ...messages],
  tools: [{ type: 'function', function: tool }],
});
const asked = (more: object = {}): object => ({ role: 'assistant', content: null, tool_calls: [{ ...call, ...more }] });

async function wordsOf(path: string, bodies: readonly object[], options: ModelServerOptions = {}): Promise<string[]> {
  const server = await startModelServer(
    path === 'responses' ? () => response('x') : () => reply('x', { reasoning: 'Hm.' }),
    options,
  );
  try {
    const answers: string[] = [];
    for (const body of bodies) {
      const answer = await fetch(`${server.baseUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) });
      answers.push(
        answer.status === 200 ? 'taken' : ((await answer.json()) as { error: { message: string } }).error.message,
      );
    }
    return answers;
  } finally {
    await server.stop();
  }
}

describe('the tests’ model server', () => {
  const strange: readonly [where: string, body: object][] = [
    ['whatever', { ...chat(), whatever: 1 }],
    ['tools[0].effect', { ...chat(), tools: [{ type: 'function', function: tool, effect: 'reads' }] }],
    ['tools[0].function.effect', { ...chat(), tools: [{ type: 'function', function: { ...tool, effect: 'reads' } }] }],
    ['messages[1].origin', chat({ role: 'assistant', content: 'So.', origin: 'x' }, user)],
    ['messages[1].reasoning_content', chat(thought, user)],
    ['messages[1].tool_calls[0].signature', chat(asked({ signature: 'x' }), result)],
    ['messages[1].tool_calls[0].function.more', chat(asked({ function: { ...call.function, more: 1 } }), result)],
    ['messages[2].name', chat(asked(), { ...result, name: 'look' })],
    [
      'messages[0].content[0].cache_control',
      { ...chat(), messages: [{ role: 'user', content: [{ type: 'text', text: 'x', cache_control: {} }] }] },
    ],
  ];
  for (const [where, body] of strange) {
    it(`refuses ${where} unless configured to accept it`, async () => {
      assert.deepEqual(await wordsOf('chat/completions', [body]), [`Unknown parameter: '${where}'.`]);
      assert.deepEqual(await wordsOf('chat/completions', [body], { takes: [where.split('.').at(-1)!] }), ['taken']);
    });
  }

  it('accepts reasoning back in the field in which it sent some', async () => {
    assert.deepEqual(await wordsOf('chat/completions', [chat(), chat(thought, user)]), ['taken', 'taken']);
  });

  it('refuses unknown keys in the Responses API', async () => {
    const body = { model: 'm', stream: true, input: [user], tools: [{ type: 'function', ...tool, strict: false }] };
    const asked = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' };
    assert.deepEqual(
      await wordsOf('responses', [
        body,
        { ...body, tools: [{ ...body.tools[0], effect: 'reads' }] },
        {
          ...body,
          input: [user, { ...asked, signature: 'x' }, { type: 'function_call_output', call_id: 'c1', output: 'ok' }],
        },
      ]),
      ['taken', "Unknown parameter: 'tools[0].effect'.", "Unknown parameter: 'input[1].signature'."],
    );
  });
});
