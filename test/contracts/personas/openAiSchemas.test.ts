import assert from 'node:assert/strict';
import { schemaFaults } from '../../support/strict/openAiSchemas';

const user = { role: 'user', content: 'hi' };
const tool = {
  type: 'function',
  function: { name: 'read', description: 'Reads.', parameters: { type: 'object', anything: true } },
};
const asked = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
const chat = (...messages: object[]): object => ({
  model: 'm',
  messages: [user, ...messages],
  tools: [tool],
  stream: true,
  stream_options: { include_usage: true },
});
const result = { role: 'tool', tool_call_id: 'c1', content: 'ok' };

const flat = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  parameters: { type: 'object', anything: true },
  strict: false,
};
const responses = (...items: object[]): object => ({
  model: 'm',
  input: [user, ...items],
  tools: [flat],
  stream: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'low' },
});
const wanted = { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'ok' };

describe('OpenAI’s published request schema, without extra keys', () => {
  const fit: readonly [what: string, protocol: 'chat' | 'responses', body: object][] = [
    ['a chat with calls', 'chat', chat({ role: 'assistant', content: null, tool_calls: [asked] }, result)],
    [
      'a chat with a picture',
      'chat',
      chat({
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      }),
    ],
    [
      'a response with calls',
      'responses',
      responses(
        { role: 'assistant', content: 'x' },
        { type: 'reasoning', summary: [], encrypted_content: 'x', id: 'rs_1' },
        wanted,
        output,
      ),
    ],
    [
      'a response with a picture',
      'responses',
      responses({
        role: 'user',
        content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'auto' }],
      }),
    ],
  ];
  for (const [what, protocol, body] of fit)
    it(`accepts ${what}`, () => assert.deepEqual(schemaFaults(protocol, body), []));

  const strange: readonly [what: string, protocol: 'chat' | 'responses', body: object, words: RegExp][] = [
    ['a strange key at the top', 'chat', { ...chat(), whatever: 1 }, /whatever/],
    [
      'a strange key of a tool',
      'chat',
      { ...chat(), tools: [{ ...tool, function: { ...tool.function, effect: 'reads' } }] },
      /\/tools\/0\/function .*effect/,
    ],
    [
      'a strange key of a message',
      'chat',
      chat({ role: 'assistant', content: 'x', reasoning_content: 'hm' }),
      /\/messages\/1 .*reasoning_content/,
    ],
    [
      'a strange key of a call',
      'chat',
      chat({ role: 'assistant', content: null, tool_calls: [{ ...asked, extra_content: {} }] }, result),
      /tool_calls\/0 .*extra_content/,
    ],
    [
      'a strange key of a part',
      'chat',
      chat({ role: 'user', content: [{ type: 'text', text: 'x', cache_control: {} }] }),
      /content\/0 .*cache_control/,
    ],
    [
      'a name beside a result',
      'chat',
      chat({ role: 'assistant', content: null, tool_calls: [asked] }, { ...result, name: 'read' }),
      /\/messages\/2 .*name/,
    ],
    [
      'a strange key of a flat tool',
      'responses',
      { ...responses(), tools: [{ ...flat, from: {} }] },
      /\/tools\/0 .*from/,
    ],
    ['a strange key of an item', 'responses', responses({ ...wanted, index: 0 }, output), /\/input\/1 .*index/],
    [
      'a strange key of the reasoning',
      'responses',
      { ...responses(), reasoning: { effort: 'low', max_tokens: 1 } },
      /\/reasoning .*max_tokens/,
    ],
    ['messages of chat', 'responses', { ...responses(), messages: [user] }, /messages/],
  ];
  for (const [what, protocol, body, words] of strange)
    it(`refuses ${what}`, () => assert.match(schemaFaults(protocol, body).join('\n'), words));
});
