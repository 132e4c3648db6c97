import * as z from 'zod';
import { httpFor } from './http';

export interface LocalServer {
  readonly name: string;
  /** "http://127.0.0.1:11434/v1". */
  readonly baseUrl: string;
  /** Names of the models it serves, as it lists them. */
  readonly models: readonly string[];
}

/** The usual servers and ports, in the order they are offered. */
export const usualServers = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
  { name: 'vLLM', port: 8000 },
] as const;

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })).nullable() });
const longestList = 1024 * 1024;

/** Asks each port of this machine for its models, all at once; answers with those that speak OpenAI's protocol. Never throws but on abort. */
export async function findLocalServers({ servers = usualServers, timeoutMs = 700, signal }: {
  servers?: readonly { name: string; port: number }[] | undefined; timeoutMs?: number | undefined; signal?: AbortSignal | undefined;
} = {}): Promise<LocalServer[]> {
  const found = await Promise.all(servers.map(async ({ name, port }) => {
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const models = await listModels(baseUrl, timeoutMs, signal);
    return models && { name, baseUrl, models };
  }));
  signal?.throwIfAborted();
  return found.filter(server => server !== undefined);
}

async function listModels(baseUrl: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<string[] | undefined> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const text = await get(`${baseUrl}/models`, signal ? AbortSignal.any([signal, limit]) : limit);
    return (ModelList.parse(JSON.parse(text)).data ?? []).map(({ id }) => id);
  } catch {
    return undefined; // Nothing there, something else there, or too slow: not a server to offer.
  }
}

function get(url: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpFor('http:').get(url, { signal, agent: false }, response => {
      let text = '';
      if (response.statusCode !== 200) return void request.destroy(new Error('not a list of models'));
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (text.length > longestList) request.destroy(new Error('too long for a list of models'));
      }).on('end', () => resolve(text)).on('error', reject);
    }).on('error', reject);
  });
}
