import type { Persona } from '../persona';
import { refusedWith } from '../persona';
import { Chunks, finishOf, piecesOf, randomWord } from '../stream';

const error = (message: string): object => ({ code: 'Client specified an invalid argument', error: message });
const refused = refusedWith(error);

/** Models that were observed to accept a reasoning effort. */
const takesEffort = /grok-(3-mini|4\.3|4\.5|4\.6|4\.20-multi-agent)/;

export const xai: Persona = {
  name: 'xai',
  protocols: ['chat'],
  refuse(body) {
    const { model = '' } = body;
    if (body.presence_penalty !== undefined)
      return refused(`Model ${model} does not support parameter presencePenalty.`);
    if (body.frequency_penalty !== undefined)
      return refused(`Model ${model} does not support parameter frequencyPenalty.`);
    if (body.stop !== undefined) return refused('Argument not supported on this model: stop');
    const { reasoning_effort: effort } = body;
    if (effort === undefined) return undefined;
    if (!takesEffort.test(model) || (effort === 'none' && /4\.[56]/.test(model)))
      return refused(`Model ${model} does not support parameter reasoningEffort.`);
    return undefined;
  },
  error,
  failures: {
    overflow: [400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    auth: [400, 'Incorrect API key provided: x. You can obtain an API key from https://console.x.ai.'],
  },
  callId: () => `call_${randomWord(8)}`,
  chunks(reply, facts) {
    const chunks = new Chunks(facts.model);
    chunks.add({ role: 'assistant', content: '' });
    if (reply.reasoning && /grok-(3-mini|code)/.test(facts.model)) chunks.add({ reasoning_content: reply.reasoning });
    for (const piece of piecesOf(reply.text ?? '')) chunks.add({ content: piece });
    chunks.addWholeCalls(facts);
    chunks.add({ content: '' }, finishOf(reply));
    chunks.addUsage(facts);
    return chunks.all;
  },
};
