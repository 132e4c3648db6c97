import { dotted } from '../chatBody';
import { commonTop, openAiError, plainTool, words } from '../knownKeys';
import type { Persona } from '../persona';
import { openAiChunks, randomWord } from '../stream';
import { refused } from './openai';

/** Strict about keys. Shows its reasoning in a field that it accepts back. */
export const fireworks: Persona = {
  name: 'fireworks',
  protocols: ['chat'],
  keys: {
    top: words(`${commonTop} top_k min_p typical_p repetition_penalty mirostat_target mirostat_lr echo echo_last ignore_eos prompt_cache_key
      prompt_cache_isolation_key raw_output perf_metrics_in_response return_token_ids safe_tokenization service_tier metadata speculation
      prediction sampling_mask reasoning_history thinking context_length_exceeded_behavior prompt_truncate_len`),
    ...plainTool,
    call: words('id type function index'),
    callFunction: words('name arguments'),
    message: {
      system: words('role content name'),
      user: words('role content name'),
      tool: words('role content name tool_call_id'),
      assistant: words('role content name reasoning_content tool_calls function_call'),
    },
    part: words('type text image_url'),
  },
  refuseUnknown: (paths) =>
    refused(paths.map((path) => `Extra inputs are not permitted, field: '${dotted(path)}'`).join(', ')),
  refuse: ({ thinking, reasoning_effort: effort }) =>
    thinking !== undefined && effort !== undefined
      ? refused("Cannot specify both 'thinking' and 'reasoning_effort'")
      : undefined,
  error: openAiError,
  failures: {
    overflow: [400, 'The prompt is too long: 140000, model maximum context length: 131071'],
  },
  callId: () => `call_${randomWord(24)}`,
  chunks: (reply, facts) => openAiChunks(reply, facts, 'reasoning_content'),
};
