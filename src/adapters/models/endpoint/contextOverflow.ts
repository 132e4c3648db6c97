// How providers say that a conversation is too long for a model. There is no common error code, so the wording decides.
const wordings = [
  /context[_ ]length[_ ]exceeded/i, // OpenAI's code, also used by Groq and Together
  /exceeds? the context window/i, // OpenAI
  /maximum context length/i, // OpenAI, vLLM, OpenRouter, Mistral
  /prompt is too long/i, // Anthropic
  /input length and `?max_tokens`? exceed context limit/i, // Anthropic
  /input token count.{0,40}exceeds the maximum/i, // Gemini
  /input is too long for requested model/i, // Bedrock
  /maximum prompt length is/i, // xAI
  /reduce the length of the messages/i, // Groq
  /too large for model with/i, // Mistral
  /exceeds the (available )?context size/i, // llama.cpp
  /(greater|longer|larger) than the (available |model['’]s )?context (length|window)/i, // LM Studio, SGLang
  /range of input length should be/i, // DashScope
  /prompt token count.{0,40}exceeds the limit/i, // Copilot
  /exceeded model token limit/i, // Kimi
  /context window exceeds limit/i, // MiniMax
  /model_context_window_exceeded/i, // z.ai
  /prompt exceeds max length/i, // z.ai, code 1261
  /inputs`? tokens \+ `?max_new_tokens`? must be/i, // Together, Hugging Face's text-generation-inference
  /input length \d+ exceeds the maximum length/i, // Volcano Engine
  /request too large/i, // OpenAI, if one request exceeds the tokens of a whole minute: waiting does not help
  /exceeds? (the )?(model'?s )?(maximum )?context (length|window|limit)/i,
];

export const isContextOverflow = (text: string): boolean => wordings.some((wording) => wording.test(text));
