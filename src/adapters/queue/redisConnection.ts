import { Redis, type RedisOptions } from 'ioredis';
import net from 'node:net';

/** Address of a Redis server, and how to verify it. */
export interface QueueAddress {
  /** redis://…, or rediss://… with TLS; may contain a user and a password. */
  readonly url: string;
  /**
   * For rediss://, as PEM: the CA of its certificate if that is not a public one, and the client certificate and key.
   */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** Connects to Redis. If the connection is lost, it waits and sends commands again after reconnecting. */
export function connectToRedis(address: QueueAddress, onProblem: (words: string) => void): Redis {
  const redis = new Redis(address.url, {
    ...tlsOf(address),
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    retryStrategy: (count) => Math.min(count * 200, 3000),
  });
  let lastProblem = '';
  redis.on('error', (error: Error) => {
    if (error.message !== lastProblem) onProblem(error.message);
    lastProblem = error.message;
  });
  redis.on('ready', () => {
    lastProblem = '';
  });
  return redis;
}

/** Node verifies the certificate and its host name against this. */
const tlsOf = ({ tls }: QueueAddress): Pick<RedisOptions, 'tls'> => (tls ? { tls: { ...tls } } : {});

const connectTimeoutMs = 10_000;

/**
 * Explains why waiting for Redis is pointless: it can be reached, but one side refuses the other. Returns undefined if
 * it answers or cannot be reached right now.
 */
export async function refusedByRedis(address: QueueAddress): Promise<string | undefined> {
  const redis = new Redis(address.url, {
    ...tlsOf(address),
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let refusal: Refusal | undefined;
  let isConnected = false;
  redis.on('error', (error: Refusal) => (refusal ??= error));
  redis.on('connect', () => (isConnected = true));
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch (error) {
    const isTls = address.url.startsWith('rediss:');
    return explainRefusal(refusal ?? (error as Refusal), { isTls, isConnected, isReached: await isReached(address) });
  } finally {
    redis.disconnect();
  }
}

type Refusal = Error & { readonly code?: string };

interface Reach {
  readonly isTls: boolean;
  /** True if there was a connection, with TLS if required. */
  readonly isConnected: boolean;
  /** True if something listens at the address. */
  readonly isReached: boolean;
}

const unknownSigner = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);

function explainRefusal(error: Refusal, { isTls, isConnected, isReached: isThere }: Reach): string | undefined {
  const { code = '' } = error;
  // OpenSSL ends its messages with a newline, Redis with a full stop.
  const message = error.message.trim().replace(/\.$/, '');
  if (/^(?:WRONGPASS|NOAUTH|NOPERM)|invalid password/.test(message))
    return `Redis refused the user or password (${message}). Write them into the address, before the host: USER:PASSWORD@HOST.`;
  if (unknownSigner.has(code))
    return `The certificate of Redis is not signed by a known authority (${message}). Pass the file of its CA with --queue-ca.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || /^CERT_/.test(code))
    return `The certificate of Redis is not valid (${message}).`;
  // A closed connection is reported without a reason.
  if (!isThere) return undefined;
  if (isTls && (isConnected || /alert/.test(message)))
    return `Redis closed the TLS connection (${message}). If it requires a certificate, pass it with --queue-cert and --queue-key.`;
  if (isTls) return `The server does not use TLS (${message}). The address of a Redis without TLS begins with redis://`;
  if (/closed/.test(message) || code === 'ECONNRESET')
    return 'The server closed the connection at once. The address of a Redis with TLS begins with rediss://';
  return undefined;
}

function isReached({ url }: QueueAddress): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(connectTimeoutMs, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
