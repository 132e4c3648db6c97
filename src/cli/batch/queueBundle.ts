import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { QueueAddress } from '../../adapters/queue/redisConnection';
import { secrets } from '../../core/secrets/secrets';

/** Loads BullMQ and ioredis, which are in a separate bundle beside this program and needed only for queues. */
export async function queueBundle(): Promise<typeof import('../../adapters/queue/taskQueue')> {
  const programFolder = path.dirname(fs.realpathSync(process.argv[1]!));
  const file = path.join(programFolder, 'queue.js');
  if (!fs.existsSync(file))
    throw new Error(`${file} is missing, so Waymark cannot use a queue. Reinstall the command line of Waymark.`);
  return (await import(pathToFileURL(file).href)) as typeof import('../../adapters/queue/taskQueue');
}

/** Command line options for a queue. */
export interface QueueFlags {
  /** Address of a Redis server with the queue. */
  readonly queue?: string;
  /** PEM files for TLS: the CA of Redis, and the client certificate and its key. */
  readonly queueCa?: string;
  readonly queueCert?: string;
  readonly queueKey?: string;
}

/**
 * Returns the address of the queue. Throws an `Error` with a message for people if it is not a Redis address or if
 * files cannot be used. Its password is masked in all later output.
 */
export function queueAddress(url: string, { queueCa, queueCert, queueKey }: QueueFlags): QueueAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (/^rediss?:/.test(url) && (!parsed || hasBareCharacters(parsed)))
    throw new Error(
      'The address of --queue is invalid. In its user and password, write % as %25, / as %2F, ? as %3F, # as %23 and @ as %40.',
    );
  if (!parsed || !['redis:', 'rediss:'].includes(parsed.protocol))
    throw new Error('--queue must be a Redis address: redis://HOST:PORT, or rediss:// with TLS.');
  if (parsed.password !== '') secrets.learn(decodeURIComponent(parsed.password), parsed.password);
  const files = { ca: queueCa, cert: queueCert, key: queueKey };
  const named = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (named.length === 0) return { url };
  if (parsed.protocol !== 'rediss:')
    throw new Error(`--queue-${named[0]![0]} requires TLS: an address that starts with rediss://.`);
  if ((queueCert === undefined) !== (queueKey === undefined))
    throw new Error('A certificate and its key belong together. Give --queue-cert and --queue-key.');
  return { url, tls: Object.fromEntries(named.map(([name, file]) => [name, pemIn(file, `--queue-${name}`)])) };
}

/** Returns whether the user name or password of an address contains unescaped special characters. */
function hasBareCharacters({ username, password, pathname, search, hash }: URL): boolean {
  if (`${pathname}${search}${hash}`.includes('@')) return true;
  try {
    decodeURIComponent(username + password);
    return false;
  } catch {
    return true;
  }
}

function pemIn(file: string, flag: string): string {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The file of ${flag} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (!text.includes('-----BEGIN ')) throw new Error(`${file} of ${flag} is not a PEM file.`);
  return text;
}

/** The name of the queue of a batch, one per run name. */
export const queueName = (runName: string): string => runName.replace(/[^\w.-]/g, '_');
