import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { secrets } from '../../core/secrets/secrets';

/** BullMQ and ioredis are in a bundle of their own beside this program, which only work with a queue loads. */
export async function queueBundle(): Promise<typeof import('../../adapters/queue/taskQueue')> {
  const beside = path.dirname(fs.realpathSync(process.argv[1]!));
  const file = path.join(beside, 'queue.js');
  if (!fs.existsSync(file))
    throw new Error(`${file} is missing, so no queue can be used. Install Waymark’s command line again.`);
  return (await import(pathToFileURL(file).href)) as typeof import('../../adapters/queue/taskQueue');
}

/** Throws in words for what is no address of Redis. Its password is masked in all that is printed from now on. */
export function checkedQueue(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['redis:', 'rediss:'].includes(parsed.protocol))
    throw new Error('--queue is an address of Redis: redis://HOST:PORT, or rediss:// with TLS.');
  if (parsed.password !== '') secrets.learn(decodeURIComponent(parsed.password), parsed.password);
  return url;
}

/** The name of the queue of a batch: one for each run name. */
export const queueName = (runName: string): string => runName.replace(/[^\w.-]/g, '_');
