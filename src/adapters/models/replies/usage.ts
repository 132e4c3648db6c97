import { fieldsOf } from './receivedFields';

/**
 * Usage as the provider reported it, before prices. `cost`: the provider's own figure in US dollars, if it gives one.
 */
export interface ReportedUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  /** Input that the provider wrote to its cache, for which some charge more. */
  writtenTokens: number | null;
  cost: number | null;
}

export const noUsage: ReportedUsage = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  writtenTokens: null,
  cost: null,
};

interface RawUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_cache_hit_tokens?: unknown;
  cached_tokens?: unknown;
  cost?: unknown;
  is_byok?: unknown;
  cost_details?: { upstream_inference_cost?: unknown } | null;
  prompt_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown } | null;
}

/**
 * Reads usage. The cached tokens are OpenAI's `prompt_tokens_details.cached_tokens`, DeepSeek's
 * `prompt_cache_hit_tokens` or Moonshot's `cached_tokens`. OpenAI counts `cache_write_tokens` from GPT-5.6 on.
 */
export function readUsage(raw: unknown): ReportedUsage {
  const usage = fieldsOf(raw) as RawUsage;
  return {
    inputTokens: count(usage.prompt_tokens),
    outputTokens: count(usage.completion_tokens),
    cachedTokens:
      count(usage.prompt_tokens_details?.cached_tokens) ??
      count(usage.prompt_cache_hit_tokens) ??
      count(usage.cached_tokens),
    writtenTokens: count(usage.prompt_tokens_details?.cache_write_tokens),
    cost: costIn(usage),
  };
}

/** OpenRouter charges only its fee for requests with a person's own key, and names what the provider charges for them. */
function costIn({ cost, is_byok: isWithOwnKey, cost_details: details }: RawUsage): number | null {
  const charged = count(cost);
  const byProvider = isWithOwnKey === true ? count(details?.upstream_inference_cost) : null;
  return charged === null ? byProvider : charged + (byProvider ?? 0);
}

/** Joins counts with earlier ones: some servers end with an empty or zero report. */
export function laterUsage(earlier: ReportedUsage, later: ReportedUsage): ReportedUsage {
  const joined = (name: keyof ReportedUsage): number | null => later[name] || (earlier[name] ?? later[name]);
  return {
    inputTokens: joined('inputTokens'),
    outputTokens: joined('outputTokens'),
    cachedTokens: joined('cachedTokens'),
    writtenTokens: joined('writtenTokens'),
    cost: joined('cost'),
  };
}

/** Reads the same from the field names of the Responses API. */
export function readResponsesUsage(raw: unknown): ReportedUsage {
  const { input_tokens, output_tokens, input_tokens_details } = fieldsOf(raw);
  return readUsage({
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    prompt_tokens_details: input_tokens_details,
  });
}

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
