import { thinksAbout } from './messagesRules';
import { prefixBefore } from './messagesThoughts';
import type { ChatBody, GivenThought, ScriptedReply, StreamFacts } from './persona';
import { piecesOf, randomWord } from './stream';

type Block = Record<string, any>;

/**
 * Returns the events of a streamed reply of Anthropic's own API. Adds to `thoughts` what must be sent back unchanged.
 */
export function messageEvents(
  reply: ScriptedReply,
  facts: StreamFacts,
  body: ChatBody,
  thoughts: Map<string, GivenThought>,
): Block[] {
  const { model = 'm' } = body;
  const blocks = blocksOf(reply, facts, thinksAbout(body), body);
  const order = blocks.map(({ type }) => type as string);
  for (const block of blocks) {
    const seal = block.signature ?? block.data;
    if (seal) thoughts.set(seal, { model, block, order, prefix: prefixBefore(body, Infinity) });
  }
  const usage = { input_tokens: 20, cache_creation_input_tokens: 30, cache_read_input_tokens: 50, output_tokens: 1 };
  const message = {
    id: `msg_01${randomWord(22)}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    ...blocks.flatMap(eventsOf),
    {
      type: 'message_delta',
      delta: { stop_reason: facts.calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: 'message_stop' },
  ];
}

/**
 * Returns the reply as blocks. With adaptive thinking, a model thinks again between its text and its calls without
 * showing it.
 */
function blocksOf(
  { text = '', reasoning = '' }: ScriptedReply,
  { calls, sign }: StreamFacts,
  thinks: boolean,
  { thinking }: ChatBody,
): Block[] {
  const shown = thinking?.type === 'enabled' || thinking?.display === 'summarized';
  const again = thinking?.type === 'adaptive' && text !== '' && calls.length > 0;
  return [
    ...(thinks && reasoning ? [{ type: 'thinking', thinking: shown ? reasoning : '', signature: sign() }] : []),
    ...(thinks && reasoning.includes('note') ? [{ type: 'redacted_thinking', data: sign() }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...(thinks && again ? [{ type: 'thinking', thinking: '', signature: sign() }] : []),
    ...calls.map(({ id, function: { name, arguments: words } }) => ({ type: 'tool_use', id, name, input: words })),
  ];
}

function eventsOf(block: Block, index: number): Block[] {
  const delta = (more: Block): Block => ({ type: 'content_block_delta', index, delta: more });
  const start = (begun: Block): Block => ({ type: 'content_block_start', index, content_block: begun });
  const stop = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...piecesOf(block.thinking).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: block.signature }),
        stop,
      ];
    case 'text':
      return [
        start({ type: 'text', text: '' }),
        ...piecesOf(block.text).map((text) => delta({ type: 'text_delta', text })),
        stop,
      ];
    case 'tool_use':
      return [
        start({ type: 'tool_use', id: block.id, name: block.name, input: {} }),
        delta({ type: 'input_json_delta', partial_json: '' }),
        ...piecesOf(block.input === '{}' ? '' : block.input).map((partial_json) =>
          delta({ type: 'input_json_delta', partial_json }),
        ),
        stop,
      ];
    default:
      return [start(block), stop];
  }
}
