import { callsOf, holdsImage, pairingFault } from '../chatBody';
import { openAiError } from '../knownKeys';
import type { Persona, Refusal } from '../persona';
import { refusedWith } from '../persona';
import { Chunks, finishOf, piecesOf, randomWord, usage } from '../stream';

const error = (message: string): object => openAiError(message, { code: 'invalid_request_error' });
const refused = refusedWith(error);
const unread = (message: string): Refusal =>
  refused(`Failed to deserialize the JSON body into the target type: ${message} at line 1 column 85`);

const roles = ['system', 'user', 'assistant', 'tool', 'latest_reminder'];

export const deepseek: Persona = {
  name: 'deepseek',
  protocols: ['chat'],
  refuse(body, { unsure }) {
    for (const [at, message] of (body.messages ?? []).entries()) {
      if (!roles.includes(message.role)) {
        return unread(
          `messages[${at}].role: unknown variant \`${message.role}\`, expected one of ${roles.map((role) => `\`${role}\``).join(', ')}`,
        );
      }
      if (unsure && holdsImage(message))
        return unread(`messages[${at}]: unknown variant \`image_url\`, expected \`text\``);
    }
    const fault = pairingFault(body);
    if (fault?.kind === 'stray')
      return refused("Messages with role 'tool' must be a response to a preceding message with 'tool_calls'");
    if (fault)
      return refused(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
      );
    const thinks = body.thinking?.type !== 'disabled' && !/deepseek-(chat|v3)/.test(body.model ?? '');
    const isMissing = callsOf(body).some(({ message }) => typeof message.reasoning_content !== 'string');
    return thinks && isMissing
      ? refused('The `reasoning_content` in the thinking mode must be passed back to the API.')
      : undefined;
  },
  error,
  failures: {
    overflow: [
      400,
      "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (140000 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
    ],
    quota: [402, 'Insufficient Balance'],
  },
  callId: () => `call_00_${randomWord(24)}`,
  chunks(reply, facts) {
    const chunks = new Chunks(facts.model);
    chunks.add({ role: 'assistant', content: null });
    for (const piece of piecesOf(reply.reasoning ?? '')) chunks.add({ content: null, reasoning_content: piece });
    for (const piece of piecesOf(reply.text ?? '')) chunks.add({ content: piece });
    chunks.addCallsInPieces(facts);
    chunks.add({}, finishOf(reply), { usage });
    return chunks.all;
  },
};
