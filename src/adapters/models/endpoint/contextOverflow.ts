import { sequence } from '../../../core/text/alternatives';
import { isContextWindow } from '../../../core/model/contextWindows';

/**
 * How providers say that a conversation is too long for a model. There is no common error code, so the wording decides.
 * Where a provider names it, the group is the number of tokens that the model can read.
 */
const wordings = [
  /context[_ ]length[_ ]exceeded/i, // OpenAI's code, also used by Groq and Together
  /exceeds? the context window/i, // OpenAI
  /maximum context length(?:(?: is| of|:) (\d[\d,._]*[km]?))?/i, // OpenAI, vLLM, SGLang, OpenRouter
  /prompt is too long(?:: \d+ tokens > (\d[\d,._]*[km]?))?/i, // Anthropic
  /input length and `?max_tokens`? exceed context limit(?:: \d+ \+ \d+ > (\d[\d,._]*[km]?))?/i, // Anthropic
  /input token count.{0,40}exceeds the maximum(?: number of tokens allowed \(?(\d[\d,._]*[km]?))?/i, // Gemini
  /input is too long for requested model/i, // Bedrock
  /maximum prompt length is(?: (\d[\d,._]*[km]?))?/i, // xAI
  /reduce the length of the messages/i, // Groq
  /too large for model with(?: (\d[\d,._]*[km]?))?/i, // Mistral
  /exceeds the (?:available )?context size(?: \((\d[\d,._]*[km]?))?/i, // llama.cpp
  /loaded with (?:a )?context length of only(?: (\d[\d,._]*[km]?))?/i, // LM Studio
  /greater than the context length(?:.{0,40}n_ctx: (\d[\d,._]*[km]?))?/i, // LM Studio
  // SGLang, vLLM
  sequence(
    [
      /(?:greater|longer|larger) than the (?:available |model['’]s )?/,
      /(?:context (?:length|window)|maximum model length)/,
      /(?: of)?(?: \(?(\d[\d,._]*[km]?))?/,
    ],
    'i',
  ),
  /range of input length should be(?: \[\d+, ?(\d+)\])?/i, // DashScope
  /prompt token count.{0,40}exceeds the limit(?: of (\d[\d,._]*[km]?))?/i, // Copilot
  /exceeded model token limit(?:: (\d[\d,._]*[km]?))?/i, // Kimi
  /context window exceeds limit/i, // MiniMax: the number after it is a code
  /model_context_window_exceeded/i, // z.ai
  /prompt exceeds max length/i, // z.ai, code 1261
  /inputs`? tokens \+ `?max_new_tokens`? must be(?: <= (\d[\d,._]*[km]?))?/i, // Together, Hugging Face's text-generation-inference
  /input length \(?\d+(?: tokens\))? exceeds the maximum (?:allowed )?length(?: \(?(\d[\d,._]*[km]?))?/i, // Volcano Engine, SGLang
  // OpenAI, if one request exceeds the tokens of a whole minute: waiting does not help.
  /request too large(?:.{0,200}Limit (\d[\d,._]*[km]?), Requested)?/i,
  /exceeds? (?:the )?(?:model'?s )?(?:maximum )?context (?:length|window|limit)/i,
];

export const isContextOverflow = (text: string): boolean => wordings.some((wording) => wording.test(text));

const factors: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** Parses "128000", "262,144" or "128k". */
function tokenCount(written: string): number {
  const digits = /^\d{1,3}(?:[,._]\d{3})+(?!\d)|^\d+/.exec(written)?.[0] ?? '';
  const unit = written.slice(digits.length).toLowerCase();
  return Number(digits.replace(/[,._]/g, '')) * (factors[unit] ?? 1);
}

const countsOtherThings = /^\s*(?:characters?|chars|bytes|words|messages)\b/i;

/** Returns how many tokens the model can read, if the refusal of a conversation that is too long names it. */
export function contextWindowInRefusal(text: string): number | undefined {
  for (const wording of wordings) {
    const match = wording.exec(text);
    if (match?.[1] === undefined || countsOtherThings.test(text.slice(match.index + match[0].length))) continue;
    const tokens = tokenCount(match[1]);
    if (isContextWindow(tokens)) return tokens;
  }
  return undefined;
}
