import * as z from 'zod';
import { anyOf } from '../text/alternatives';
import { isContextWindow } from './contextWindows';

/** One model of a server's list. Fields the server does not report are absent. */
export interface ListedModel {
  /** Id for requests. */
  readonly id: string;
  /** Display name, if it differs from the id. */
  readonly name?: string;
  /** Tokens of input and output together. */
  readonly contextWindow?: number;
  /** US dollars per million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
  /** Creation time in seconds since 1970. */
  readonly created?: number;
  /** True if it supports tool calls. */
  readonly tools?: boolean;
  /** False for embeddings, speech, images and other models that cannot chat. */
  readonly chats: boolean;
}

const optionalString = z.string().optional().catch(undefined);
const number = z.number().positive().optional().catch(undefined);
const stringList = z.array(z.string()).optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
const amount = z.union([z.string(), z.number()]).optional().catch(undefined);

/** Fields of an entry in any known list format. Servers disagree on names. A value of another type counts as absent. */
const Entry = z.object({
  id: optionalString,
  model: optionalString,
  name: optionalString,
  display_name: optionalString,
  type: optionalString,
  created: number,
  created_at: amount,
  context_length: number,
  context_window: number,
  max_context_length: number,
  max_model_len: number,
  loaded_context_length: number,
  limits: z.object({ max_input_tokens: number, max_output_tokens: number }).optional().catch(undefined),
  meta: z.object({ n_ctx: number }).optional().catch(undefined),
  pricing: z.object({ prompt: amount, completion: amount, input: amount, output: amount }).optional().catch(undefined),
  capabilities: z
    .union([z.array(z.string()), z.object({ completion_chat: flag, function_calling: flag, chat_completion: flag })])
    .optional()
    .catch(undefined),
  supported_parameters: stringList,
  supports_chat: flag,
  supports_tools: flag,
  active: flag,
  architecture: z.object({ output_modalities: stringList }).optional().catch(undefined),
  supported_output_modalities: stringList,
});
type Entry = z.infer<typeof Entry>;

/**
 * Keys under which servers put their list: `data` for OpenAI and nearly all others, `models` for llama.cpp, Ollama's
 * own API and Google's own API.
 */
const Wrapped = z.object({ data: z.unknown(), models: z.unknown() }).partial();

/** More than any server offers. Entries beyond it are ignored. */
const maxModels = 5000;

/**
 * Parses a server's list of models. Chat models come first, among them the most recent. Returns undefined if the
 * response is not a list of models.
 */
export function readListedModels(json: unknown): ListedModel[] | undefined {
  const entries = entriesIn(json);
  if (!entries) return undefined;
  const read = entries
    .slice(0, maxModels)
    .map(readEntry)
    .filter((model) => model !== undefined);
  if (entries.length > 0 && read.length === 0) return undefined;
  const once = [...new Map(read.map((model) => [model.id, model])).values()];
  return recentFirst(once);
}

function entriesIn(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  const wrapped = Wrapped.safeParse(json).data;
  if (!wrapped) return undefined;
  const list = [wrapped.data, wrapped.models].find(Array.isArray);
  // Ollama returns null if it has no models.
  return list ?? (wrapped.data === null ? [] : undefined);
}

function readEntry(raw: unknown): ListedModel | undefined {
  const entry = Entry.safeParse(typeof raw === 'string' ? { id: raw } : raw).data;
  const written = entry?.id ?? entry?.name ?? entry?.model;
  if (!entry || !written || entry.active === false) return undefined;
  // Google returns ids as resource paths of its own API, and accepts them without the prefix.
  const id = written.replace(/^models\//, '');
  const name = entry.display_name ?? entry.name;
  const contextWindow = windowOf(entry);
  const price = priceOf(entry);
  const created = createdAt(entry);
  const tools = toolsOf(entry);
  return {
    id,
    chats: chats(id, entry),
    ...(name !== undefined && name !== written && name !== id && { name }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(price && { price }),
    ...(created !== undefined && { created }),
    ...(tools !== undefined && { tools }),
  };
}

function windowOf(entry: Entry): number | undefined {
  // For a local server, the loaded context size counts, not the maximum of the model.
  const stated = [
    entry.loaded_context_length,
    entry.meta?.n_ctx,
    entry.max_model_len,
    entry.context_length,
    entry.context_window,
    entry.max_context_length,
    entry.limits?.max_input_tokens,
  ].find((tokens) => tokens !== undefined && isContextWindow(tokens));
  return stated && Math.floor(stated);
}

/** Together reports dollars per million tokens. OpenRouter and Vercel report dollars per token, as strings. */
function priceOf({ pricing }: Entry): ListedModel['price'] {
  const perMillion = (value: string | number | undefined): number =>
    typeof value === 'string' ? Number(value) * 1_000_000 : Number(value);
  const input = perMillion(pricing?.prompt ?? pricing?.input);
  const output = perMillion(pricing?.completion ?? pricing?.output);
  const hasPrice = Number.isFinite(input) && Number.isFinite(output) && input >= 0 && output >= 0;
  // Ten digits are more than any price has, and remove floating-point errors of the multiplication.
  return hasPrice ? { input: rounded(input), output: rounded(output) } : undefined;
}

const rounded = (value: number): number => Number(value.toFixed(10));

function createdAt({ created, created_at: at }: Entry): number | undefined {
  if (created !== undefined) return created;
  if (typeof at === 'number') return at;
  const moment = Date.parse(at ?? '');
  return Number.isFinite(moment) ? moment / 1000 : undefined;
}

function toolsOf({
  capabilities,
  supported_parameters: parameters,
  supports_tools: supported,
}: Entry): boolean | undefined {
  if (Array.isArray(capabilities)) return capabilities.some((word) => /^tool|function/.test(word));
  if (capabilities?.function_calling !== undefined) return capabilities.function_calling;
  return parameters ? parameters.includes('tools') : supported;
}

/** Types that servers use for chat models. */
const conversing = /chat|language|llm|vlm|text|code|^model$|^base$/i;
const otherKinds = anyOf(
  [
    'embed whisper tts transcri speech audio realtime moderation',
    /dall-?e/,
    'image imagen veo video sora rerank guard diffusion flux ocr lyria davinci babbage',
    'turbo-instruct',
    /(^|[-/])(clip|bge|aqa)([-.]|$)/,
  ],
  'i',
);

function chats(id: string, entry: Entry): boolean {
  const { type, capabilities, supports_chat: supported } = entry;
  if (type !== undefined && !conversing.test(type)) return false;
  const canChat = Array.isArray(capabilities)
    ? undefined
    : (capabilities?.completion_chat ?? capabilities?.chat_completion);
  if ((canChat ?? supported) === false) return false;
  const output = entry.architecture?.output_modalities ?? entry.supported_output_modalities;
  if (output && !output.includes('text')) return false;
  return !otherKinds.test(id);
}

/**
 * Sorts by date if the dates differ. Otherwise by version within each family, with families in the server's order: some
 * servers give no dates, others the same one for all models.
 */
function recentFirst(models: readonly ListedModel[]): ListedModel[] {
  const dated = new Set(models.map(({ created }) => created)).size > 1;
  const families = new Map<string, number>();
  for (const { id } of models) if (!families.has(familyOf(id))) families.set(familyOf(id), families.size);
  const order = ({ id }: ListedModel): number => families.get(familyOf(id))!;
  const byVersion = (a: ListedModel, b: ListedModel): number =>
    order(a) - order(b) || -a.id.localeCompare(b.id, 'en', { numeric: true });
  const byDate = (a: ListedModel, b: ListedModel): number => (b.created ?? 0) - (a.created ?? 0);
  const byUse = (a: ListedModel, b: ListedModel): number => Number(b.chats) - Number(a.chats);
  return [...models].sort((a, b) => byUse(a, b) || (dated ? byDate(a, b) : 0) || byVersion(a, b));
}

/** "openai/gpt-5.4-mini" and "openai/gpt-4o" are in the same family. */
const familyOf = (id: string): string => id.toLowerCase().split(/[-_.:]?\d/)[0]!;
