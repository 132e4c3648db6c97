import { openAiError } from '../knownKeys';
import type { ChatBody, JudgeContext, Persona, Refusal } from '../persona';
import { openAiChunks } from '../stream';
import { openai, refused } from './openai';

export const azure: Persona = {
  ...openai,
  name: 'azure',
  refuse: (body, context) => refuseAddress(body, context) ?? openai.refuse(body, context),
  chunks: (reply, facts) => [
    // The first chunk contains the filter's result for the prompt, and no choices.
    {
      id: '',
      object: '',
      created: 0,
      model: '',
      choices: [],
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
    },
    ...openAiChunks(reply, facts, undefined, { content_filter_results: {} }),
  ],
};

/** Older URLs contain a deployment and an API version, take the key in a separate header, and support less. */
function refuseAddress(body: ChatBody, { url, headers }: JudgeContext): Refusal | undefined {
  if (!url.pathname.includes('/openai/deployments/')) return undefined;
  const version = url.searchParams.get('api-version');
  if (version === null) return { status: 404, body: openAiError('Resource not found', { code: '404' }) };
  if (headers['api-key'] === undefined) {
    return {
      status: 401,
      body: openAiError('Access denied due to invalid subscription key or wrong API endpoint.', { code: '401' }),
    };
  }
  if (version < '2024-09-01' && body.stream_options !== undefined)
    return refused('Unrecognized request argument supplied: stream_options');
  return undefined;
}
