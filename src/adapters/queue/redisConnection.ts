import { Redis, type RedisOptions } from 'ioredis';
import net from 'node:net';

/** Where a Redis is, and how it is known to be the right one. */
export interface QueueAddress {
  /** redis://…, or rediss://… with TLS; it may hold a user and a password. */
  readonly url: string;
  /** For rediss://, as PEM: who signs its certificate, where that is no public authority, and what it is shown. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** A lost Redis is waited for: commands are sent again when it is back. */
export function connect(address: QueueAddress, onProblem: (words: string) => void): Redis {
  const redis = new Redis(address.url, {
    ...tlsOf(address),
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    retryStrategy: (count) => Math.min(count * 200, 3000),
  });
  let told = '';
  redis.on('error', (error: Error) => {
    if (error.message !== told) onProblem(error.message);
    told = error.message;
  });
  redis.on('ready', () => {
    told = '';
  });
  return redis;
}

/** Node checks the certificate and the name in it against what is given here. */
const tlsOf = ({ tls }: QueueAddress): Pick<RedisOptions, 'tls'> => (tls ? { tls: { ...tls } } : {});

const patienceMs = 10_000;

/**
 * Why it helps nothing to wait for a Redis, in words: it is reached, and it or this machine refuses the other one.
 * Undefined where it answers, or cannot be reached now.
 */
export async function refusedByRedis(address: QueueAddress): Promise<string | undefined> {
  const redis = new Redis(address.url, {
    ...tlsOf(address),
    lazyConnect: true,
    connectTimeout: patienceMs,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let told: Refusal | undefined;
  let isConnected = false;
  redis.on('error', (error: Refusal) => (told ??= error));
  redis.on('connect', () => (isConnected = true));
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch (error) {
    const isTls = address.url.startsWith('rediss:');
    return refusal(told ?? (error as Refusal), { isTls, isConnected, isReached: await isReached(address) });
  } finally {
    redis.disconnect();
  }
}

type Refusal = Error & { readonly code?: string };

interface Reach {
  readonly isTls: boolean;
  /** Whether there was a connection, with TLS where that is wanted. */
  readonly isConnected: boolean;
  /** Whether something listens at the address. */
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

function refusal(error: Refusal, { isTls, isConnected, isReached: isThere }: Reach): string | undefined {
  const { code = '' } = error;
  // OpenSSL ends its own words with a new line.
  const message = error.message.trim();
  if (/^(?:WRONGPASS|NOAUTH|NOPERM)|invalid password/.test(message))
    return `Redis refused user or password (${message}). Write them into the address: rediss://USER:PASSWORD@HOST.`;
  if (unknownSigner.has(code))
    return `The certificate of Redis is not signed by an authority that is known here (${message}). Name the file of its CA with --queue-ca.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || /^CERT_/.test(code))
    return `The certificate of Redis does not hold (${message}).`;
  // A closed connection is told without a reason.
  if (!isThere) return undefined;
  if (isTls && (isConnected || /alert/.test(message)))
    return `Redis ended the TLS connection (${message}). Where it wants a certificate, name it with --queue-cert and --queue-key.`;
  if (isTls)
    return `What listens there does not speak TLS (${message}). The address of a Redis without TLS is redis://…`;
  if (/closed/.test(message) || code === 'ECONNRESET')
    return 'What listens there ended the connection at once. The address of a Redis with TLS is rediss://…';
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
    socket.setTimeout(patienceMs, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
