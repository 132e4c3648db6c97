import type { ListedModel } from '../../core/model/listedModels';
import { providers } from '../../core/model/providers/providers';
import { listModels } from './modelList';

export interface LocalServer {
  readonly name: string;
  /** "http://127.0.0.1:11434/v1". */
  readonly baseUrl: string;
  /** The models that it serves. */
  readonly models: readonly ListedModel[];
}

/** The usual servers and ports of this machine, in the order they are offered. */
export const usualServers: readonly { readonly name: string; readonly port: number }[] = providers
  .filter(({ offered, hosts }) => offered && hosts[0]?.startsWith(':'))
  .map(({ name, hosts }) => ({ name, port: Number(hosts[0]!.slice(1)) }));

/**
 * Asks each port of this machine for its models, all at once; answers with those that speak
 * OpenAI's protocol. Never throws but on abort.
 */
export async function findLocalServers({
  servers = usualServers,
  timeoutMs = 700,
  signal,
}: {
  servers?: readonly { name: string; port: number }[] | undefined;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
} = {}): Promise<LocalServer[]> {
  const found = await Promise.all(
    servers.map(async ({ name, port }) => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      // Nothing there, something else there, or too slow: not a server to offer.
      const models = await listModels({ baseUrl, timeoutMs, signal }).catch(() => undefined);
      return models && { name, baseUrl, models };
    }),
  );
  signal?.throwIfAborted();
  return found.filter((server) => server !== undefined);
}
