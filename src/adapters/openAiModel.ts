import { costOf, type Prices } from '../core/model/prices';
import { ModelProblem, type Model, type ModelReply, type ModelRequest } from '../core/model/model';
import { accumulator } from './openai/accumulator';
import { textOf } from './openai/body';
import { masker } from './openai/mask';
import { networkProblem } from './openai/networkProblem';
import { problemOf, type Place } from './openai/problems';
import { cut, readReply } from './openai/readReply';
import { post } from './openai/transport';
import { watchdog } from './openai/watchdog';
import { completionsUrl, refusedPart, requestWriter, type Optional } from './openai/wire';

export interface OpenAiModelOptions {
  /** "https://api.openai.com/v1", "http://127.0.0.1:11434/v1" … */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly name: string;
  /** Tokens; null when not known. */
  readonly contextWindow?: number | null | undefined;
  /** US dollars per million tokens by model name, before the built-in table. */
  readonly prices?: Prices | undefined;
  /** How long nothing may move before the request ends as stalled; 0 is for ever. */
  readonly idleTimeoutMs?: number | undefined;
  /** Sent with every request: `{ reasoning: { effort: 'high' } }`, `{ temperature: 0 }` … */
  readonly extraBody?: Record<string, unknown> | undefined;
}

/** A model behind any server that speaks OpenAI's chat completions. One request per call, no retries: those are `retry`'s. */
export function openAiModel({ baseUrl, apiKey, name, contextWindow = null, prices = {}, idleTimeoutMs = 120_000, extraBody = {} }: OpenAiModelOptions): Model {
  const url = readUrl(baseUrl);
  const place: Place = { host: url.host, model: name, mask: masker(apiKey) };
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'user-agent': 'waymark', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  const write = requestWriter(name, extraBody);
  // What this server was seen to refuse. OpenAI takes no reasoning back.
  const without = new Set<Optional>(url.hostname === 'api.openai.com' ? ['reasoning'] : []);

  /** The response to a request, sent again without a part that the server turns out not to know. */
  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<Awaited<ReturnType<typeof post>>> => {
    for (;;) {
      const incoming = await write(request, without, body => post(url, headers, body, signal));
      const { statusCode: status = 0 } = incoming;
      if (status >= 200 && status < 300) return incoming;
      const text = await textOf(incoming, 64 * 1024);
      const refused = refusedPart(status, text, request.messages, without);
      if (!refused) throw problemOf({ status, headers: incoming.headers, text: status < 400 ? String(incoming.headers.location ?? '') : text }, place);
      without.add(refused);
    }
  };

  return {
    info: { name, provider: `openai-compatible at ${url.host}`, contextWindow },
    async complete(request, signal) {
      const started = performance.now();
      const watch = watchdog(idleTimeoutMs, signal, () => stalled(place, idleTimeoutMs));
      try {
        watch.signal.throwIfAborted();
        const reply = accumulator(request.onDelta?.bind(request), () => performance.now());
        const incoming = await ask(request, watch.signal);
        watch.touch();
        const { done } = await readReply(incoming, reply, place, watch.touch);
        const { firstTokenAt, usage: { cost, ...tokens }, model = name, reasoning, finishReason, ...rest } = reply.finish(isTaken(request));
        return {
          ...rest,
          ...(reasoning && { reasoning }),
          // The name that was asked for may be an alias, the name that answered may be dated; OpenRouter says what it charged.
          usage: { ...tokens, cost: costOf(name, tokens, prices) ?? costOf(model, tokens, prices) ?? (url.hostname === 'openrouter.ai' ? cost : null) },
          finishReason: ending(finishReason, done, rest.toolCalls.length > 0, place),
          model,
          firstTokenMs: firstTokenAt === undefined ? null : firstTokenAt - started,
        } satisfies ModelReply;
      } catch (error) {
        if (watch.signal.aborted) throw watch.signal.reason;
        throw error instanceof ModelProblem ? error : networkProblem(error, place);
      } finally {
        watch.release();
      }
    },
  };
}

/** Why the reply ended. Without a word from the server it was cut; with `[DONE]` alone at least its calls cannot be trusted. */
function ending(reason: string | undefined, done: boolean, hasCalls: boolean, place: Place): string {
  if (reason === undefined && (!done || hasCalls)) throw cut(place);
  if (reason && /^(error|network_error|abort|cancelled)$/.test(reason)) throw cut(place);
  if (reason === 'model_context_window_exceeded') throw problemOf({ status: 400, headers: {}, text: reason }, place);
  return reason ?? 'stop';
}

/** Ids that the conversation already uses, as some servers count from zero in every reply. */
const isTaken = ({ messages }: ModelRequest) => (id: string): boolean =>
  messages.some(message => message.role === 'assistant' && message.tool_calls?.some(call => call.id === id));

function stalled({ host }: Place, idleMs: number): ModelProblem {
  return new ModelProblem('stalled', 'The model stopped answering.', `${host} sent nothing for ${Math.round(idleMs / 100) / 10} seconds.`, 'Nothing of the reply was run. Continue to ask again; a slow local model may need a longer idle time-out.');
}

function readUrl(baseUrl: string): URL {
  try {
    const url = completionsUrl(baseUrl);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch { /* told below */ }
  throw new ModelProblem('invalid_request', 'The address of the model server cannot be used.', `“${baseUrl.replace(/\/\/[^@/]*@/, '//')}” is not an http or https URL.`, 'Set waymark.model.baseUrl to something like https://api.openai.com/v1 or http://127.0.0.1:11434/v1.');
}
