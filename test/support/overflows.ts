/** How providers say that a conversation is too long. */
export const overflows: readonly string[] = [
  "prompt is too long: 210000 tokens > 200000 maximum", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
  'Your input exceeds the context window of this model. Please adjust your input and try again.', "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  "This endpoint's maximum context length is 65536 tokens.", 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).', 'Input is too long for requested model.',
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 'Please reduce the length of the messages or completion.', 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
  'the request exceeds the available context size, try increasing it', 'The number of tokens to keep from the initial prompt is greater than the context length', 'prompt token count of 70000 exceeds the limit of 64000',
  'Your request exceeded model token limit: 262144', 'invalid params, context window exceeds limit (2013)', 'model_context_window_exceeded',
  'Prompt exceeds max length', 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 40960. Given: 38984 `inputs` tokens and 2048 `max_new_tokens`',
  'Input length 203743 exceeds the maximum length 202752',
];
