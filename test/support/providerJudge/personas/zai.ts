import { pairingFault } from '../chatBody';
import type { ErrorDetails, Persona, Refusal } from '../persona';
import { openAiChunks, randomWord } from '../stream';

const error = (message: string, { code = '1210' }: ErrorDetails = {}): object => ({ error: { code, message } });

/** The message never names the parameter. */
const wrongParameter: Refusal = { status: 400, body: error('Invalid API parameter, please check the documentation.') };

export const zai: Persona = {
  name: 'zai',
  protocols: ['chat'],
  refuse(body) {
    const { tools, tool_choice: choice, reasoning_effort: effort, model = '', thinking } = body;
    if (choice !== undefined && (choice !== 'auto' || !tools?.length)) return wrongParameter;
    if (/glm-5\.3/.test(model) && effort !== undefined && !['low', 'high', 'max'].includes(effort))
      return wrongParameter;
    if (/glm-5\.3/.test(model) && thinking?.type === 'disabled') return wrongParameter;
    return pairingFault(body)
      ? {
          status: 400,
          body: error('The messages parameter is illegal. Please check the documentation.', { code: '1214' }),
        }
      : undefined;
  },
  error,
  failures: {
    overflow: [400, 'Prompt exceeds max length', { code: '1261' }],
  },
  callId: () => `call_${randomWord(16)}`,
  chunks: (reply, facts) => openAiChunks(reply, facts, 'reasoning_content'),
};
