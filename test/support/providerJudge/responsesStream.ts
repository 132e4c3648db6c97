import type { ScriptedReply, StreamFacts } from './persona';
import { piecesOf, randomWord } from './stream';

type Item = Record<string, any>;

/** Returns the events of a response of the Responses API. */
export function responseEvents(
  { text = '', reasoning = '' }: ScriptedReply,
  { model, calls, sign }: StreamFacts,
): Item[] {
  const events: Item[] = [];
  const output: Item[] = [];
  const response = { id: `resp_${randomWord(12)}`, object: 'response', model, output: [] as Item[] };
  const add = (type: string, more: object): void => {
    events.push({ type, sequence_number: events.length, ...more });
  };
  /** Adds an item from its first to its last event, with the pieces that `middle` streams in between. */
  const addItem = (
    item: Item,
    begun: object,
    middle: (place: { item_id: string; output_index: number }) => void,
  ): void => {
    const place = { item_id: item.id as string, output_index: output.push(item) - 1 };
    add('response.output_item.added', { output_index: place.output_index, item: { ...item, ...begun } });
    middle(place);
    add('response.output_item.done', { output_index: place.output_index, item });
  };

  add('response.created', { response: { ...response, status: 'in_progress' } });
  if (reasoning) {
    const item = {
      type: 'reasoning',
      id: `rs_${randomWord(8)}`,
      summary: [{ type: 'summary_text', text: reasoning }],
      encrypted_content: sign(),
    };
    addItem(item, { summary: [], encrypted_content: null }, (place) => {
      for (const delta of piecesOf(reasoning))
        add('response.reasoning_summary_text.delta', { ...place, summary_index: 0, delta });
    });
  }
  if (text) {
    const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
    const item = {
      type: 'message',
      id: `msg_${randomWord(8)}`,
      role: 'assistant',
      status: 'completed',
      phase: 'commentary',
      content,
    };
    addItem(item, { content: [], status: 'in_progress' }, (place) => {
      for (const delta of piecesOf(text)) add('response.output_text.delta', { ...place, content_index: 0, delta });
    });
  }
  for (const {
    id,
    function: { name, arguments: words },
  } of calls) {
    const item = {
      type: 'function_call',
      id: `fc_${randomWord(8)}`,
      call_id: id,
      name,
      arguments: words,
      status: 'completed',
    };
    addItem(item, { arguments: '', status: 'in_progress' }, (place) => {
      for (const delta of piecesOf(words)) add('response.function_call_arguments.delta', { ...place, delta });
      add('response.function_call_arguments.done', { ...place, name, arguments: words });
    });
  }
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  add('response.completed', { response: { ...response, status: 'completed', output, usage } });
  return events;
}
