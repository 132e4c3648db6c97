import { dotted } from '../chatBody';
import { openAiError, unknownKeys } from '../knownKeys';
import type { ChatBody, Persona } from '../persona';
import { openAiChunks, randomWord } from '../stream';
import { cerebras } from './cerebras';
import { gemini } from './gemini';
import { groq } from './groq';
import { mistral } from './mistral';
import { openai } from './openai';

const strictOnes: readonly Persona[] = [openai, mistral, groq, cerebras, gemini];

/** Returns every key of a request that a strict provider would refuse, with the names of these providers. */
function strangersIn(body: ChatBody): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, keys } of strictOnes) {
    for (const path of unknownKeys(keys!, body, { unsure: true }))
      found.set(dotted(path), [...(found.get(dotted(path)) ?? []), name]);
  }
  return found;
}

/** Refuses unknown keys that any strict provider would refuse, and nothing else. */
export const strict: Persona = {
  name: 'strict',
  protocols: ['chat', 'responses'],
  refuse(body) {
    const found = [...strangersIn(body)];
    if (found.length === 0) return undefined;
    const message = found.map(([path, names]) => `${path} (refused by ${names.join(', ')})`).join('; ');
    return { status: 422, body: openAiError(message, { code: 'unknown_parameter', param: found[0]![0] }) };
  },
  error: openAiError,
  callId: () => `call_${randomWord(24)}`,
  chunks: (reply, facts) => openAiChunks(reply, facts),
};
