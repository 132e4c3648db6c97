import { pairingFault } from '../chatBody';
import type { ErrorDetails, Persona, Refusal } from '../persona';
import { openAiChunks, randomWord } from '../stream';

const error = (
  message: string,
  { type = 'invalid_request_error', code = 'invalid_parameter_error' }: ErrorDetails = {},
): object => ({ error: { code, param: null, message, type }, request_id: randomWord(16) });

const refused = (message: string): Refusal => ({
  status: 400,
  body: error(`<400> InternalError.Algo.InvalidParameter: ${message}`),
});

/** DashScope's compatible mode. */
export const qwen: Persona = {
  name: 'qwen',
  protocols: ['chat'],
  refuse(body) {
    if (!(body.messages ?? []).some(({ role }) => role === 'user'))
      return refused('The input messages do not contain elements with the role of user');
    const fault = pairingFault(body);
    if (fault?.kind === 'stray')
      return refused('messages with role "tool" must be a response to a preceeding message with "tool_calls".');
    if (fault)
      return refused(
        `An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[${fault.index + 1}].role`,
      );
    return undefined;
  },
  error,
  failures: {
    overflow: [400, '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]'],
  },
  callId: () => `call_${randomWord(24)}`,
  chunks: (reply, facts) => openAiChunks(reply, facts, 'reasoning_content'),
};
