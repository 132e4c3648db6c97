import type { ListedModel } from '../../core/model/listedModels';
import { providers } from '../../core/model/providers/providers';
import { listModels } from './modelList';

/** A model server that runs on this machine. */
export interface LocalServer {
  readonly name: string;
  /** "http://127.0.0.1:11434/v1". */
  readonly baseUrl: string;
  /** Models that it serves. */
  readonly models: readonly ListedModel[];
}

/** Well-known local servers and their ports, in the order in which they are offered. */
export const usualServers: readonly { readonly name: string; readonly port: number }[] = providers
  .filter(({ offered, hosts }) => offered && hosts[0]?.startsWith(':'))
  .map(({ name, hosts }) => ({ name, port: Number(hosts[0]!.slice(1)) }));

/**
 * Queries each local port for its models, all at once; returns the servers that speak OpenAI's protocol. Throws only on
 * abort.
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
      // Nothing there, some other service, or too slow: not a server to offer.
      const models = await listModels({ baseUrl, timeoutMs, signal }).catch(() => undefined);
      return models && { name, baseUrl, models };
    }),
  );
  signal?.throwIfAborted();
  return found.filter((server) => server !== undefined);
}
