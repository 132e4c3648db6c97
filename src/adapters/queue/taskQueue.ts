// A bundle of its own (dist/queue.js): BullMQ and ioredis are loaded only by code that works with a queue, never by the
// extension.
import { Queue, WaitingError, Worker, type ConnectionOptions, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import type { RequestGate } from '../../core/batch/requestGate';
import { connectToRedis, type QueueAddress } from './redisConnection';

export { refusedByRedis } from './redisConnection';

/** Where the tasks of a batch wait for workers. */
export interface TaskQueue {
  /** Adds tasks that are not in the queue yet; adding a task twice has no effect. */
  add(tasks: readonly { readonly id: string; readonly data: unknown }[]): Promise<void>;
  /**
   * Calls `take` with each task that has ended; tasks for which it returns true are removed from the queue. Resolves to
   * the number of those.
   */
  collect(take: (ended: EndedTask) => boolean): Promise<number>;
  /** Removes tasks that no worker has started. Returns their number. */
  withdraw(): Promise<number>;
  /**
   * Claims the queue for one batch; call it again within a minute to keep the claim. Returns false if another batch has
   * it.
   */
  claim(owner: string): Promise<boolean>;
  /** Releases the claim, so that another batch can have the queue at once. */
  release(owner: string): Promise<void>;
  /** Number of tasks that have not ended. */
  waiting(): Promise<number>;
  /** Number of tasks that workers are running. */
  active(): Promise<number>;
  close(): Promise<void>;
  /** Closes without waiting for answers, for a Redis that cannot be reached. */
  abandon(): void;
}

/** A task that needs no more attempts. */
export interface EndedTask {
  readonly id: string;
  /** The worker's outcome; undefined if every attempt failed. */
  readonly outcome?: string;
  readonly log?: string;
  /** Why every attempt failed. */
  readonly problem?: string;
}

/** What a worker returns for a task. */
export interface WorkerOutcome {
  readonly outcome: string;
  readonly log: string;
}

interface QueueOptions extends QueueAddress {
  readonly name: string;
}

const prefix = 'waymark';
const tries = 3;
/**
 * Maximum number of times that another worker takes over a task after its worker vanished: machines fail, but the task
 * may be the cause.
 */
const maxTakeovers = 10;
const retryMs = 1000;
const pieceBytes = 256 * 1024;
const retentionSeconds = 7 * 24 * 3600;
/** Number of tasks that one command adds or reads. */
const pageSize = 500;

/** BullMQ allows no colon in an id and Redis sets no length limit: a hash is short and safe. */
const jobIdOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);

const againMs = 200;

/**
 * Retries if Redis was lost in the middle of several related commands: the connection resends single commands by itself
 * but gives up on these. Everything asked here may safely run twice.
 */
async function untilConnected<Answer>(request: () => Promise<Answer>, isGivenUp: () => boolean): Promise<Answer> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isAborted = (error as Error).name === 'AbortError' || /connection close/i.test((error as Error).message);
      if (!isAborted || isGivenUp()) throw error;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}

/** How long a queue stays claimed by a batch that does not renew its claim, in ms. */
const retentionForBatchMs = 60_000;
const claimed = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

const released = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`;

interface TaskJobData {
  readonly id: string;
  readonly task: unknown;
}
interface Handed {
  readonly key: string;
}

/** Opens a queue to which the caller adds tasks. `onProblem` is called with a message when Redis cannot be reached. */
export function openQueue({ name, ...address }: QueueOptions, onProblem: (words: string) => void): TaskQueue {
  const redis = connectToRedis(address, onProblem);
  const isTaken = async (job: Job<TaskJobData, Handed>, take: (ended: EndedTask) => boolean): Promise<boolean> => {
    const ended = await endedTask(redis, job);
    // Another program added something that is not a task; it is dropped.
    return ended === undefined || take(ended);
  };
  const queue = new Queue<TaskJobData, Handed>(name, { connection: redis as unknown as ConnectionOptions, prefix });
  queue.on('error', () => undefined);
  let isClosed = false;
  const whenConnected = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => untilConnected(ask, () => isClosed);
  return {
    async add(tasks) {
      for (let from = 0; from < tasks.length; from += pageSize) {
        const jobs = tasks.slice(from, from + pageSize).map(({ id, data }) => ({
          name: 'task',
          data: { id, task: data },
          opts: {
            jobId: jobIdOf(id),
            attempts: tries,
            backoff: { type: 'exponential', delay: retryMs },
          },
        }));
        await whenConnected(() => queue.addBulk(jobs));
      }
    },
    async collect(take) {
      let taken = 0;
      for (const type of ['completed', 'failed'] as const) {
        // Tasks that are not taken here remain at the front.
        let left = 0;
        for (;;) {
          const from = left;
          const ended = await whenConnected(() => queue.getJobs([type], from, from + pageSize - 1, true));
          for (const job of ended) {
            if (!job?.id || !(await isTaken(job, take))) {
              left += 1;
              continue;
            }
            taken += 1;
            // If the process is killed in between, the texts that remain expire by themselves; in the other order, a
            // job would remain without its result.
            const key = job.returnvalue?.key;
            await whenConnected(() => job.remove());
            if (key) await redis.del(`${key}:outcome`, `${key}:log`);
          }
          if (ended.length < pageSize) break;
        }
      }
      return taken;
    },
    async claim(owner) {
      return (await redis.eval(claimed, 1, `${prefix}:${name}:batch`, owner, retentionForBatchMs)) === 1;
    },
    async release(owner) {
      await redis.eval(released, 1, `${prefix}:${name}:batch`, owner);
    },
    async withdraw() {
      const before = await whenConnected(() => queue.count());
      await whenConnected(() => queue.drain(true));
      return before - (await whenConnected(() => queue.count()));
    },
    async waiting() {
      const counts = await whenConnected(() => queue.getJobCounts('active', 'waiting', 'delayed', 'prioritized'));
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    async active() {
      return whenConnected(() => queue.getActiveCount());
    },
    async close() {
      isClosed = true;
      await queue.close();
      redis.disconnect();
    },
    abandon() {
      isClosed = true;
      redis.disconnect();
      void queue.close().catch(() => undefined);
    },
  };
}

/** Returns undefined for a job that does not contain a task. */
async function endedTask(redis: Redis, job: Job<TaskJobData, Handed>): Promise<EndedTask | undefined> {
  const id: unknown = (job.data as Partial<TaskJobData> | null)?.id;
  if (typeof id !== 'string') return undefined;
  if (!job.returnvalue?.key) return { id, problem: job.failedReason || 'Its worker ended.' };
  const { key } = job.returnvalue;
  return { id, outcome: await handedText(redis, `${key}:outcome`), log: await handedText(redis, `${key}:log`) };
}

/**
 * The time at which the next request to an endpoint may begin, shared through Redis: requests are spaced evenly by its
 * clock. Returns the wait in ms.
 */
const nextRequest = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local interval = tonumber(ARGV[1])
local at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
redis.call('SET', KEYS[1], string.format('%.3f', at + interval), 'PX', math.ceil(at - now + interval) + 60000)
return math.ceil(at - now)
`;

/** Limits requests to `perMinute` per minute for each endpoint, together with everyone who uses the same Redis. */
export function openGate({
  perMinute,
  ...address
}: QueueAddress & { readonly perMinute: number }): RequestGate & { close(): void } {
  const redis = connectToRedis(address, () => undefined);
  const interval = 60_000 / perMinute;
  return {
    async pass(endpoint) {
      const key = `${prefix}:endpoint:${createHash('sha256').update(endpoint).digest('hex').slice(0, 32)}`;
      const wait = Number(await redis.eval(nextRequest, 1, key, interval));
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    },
    close: () => redis.disconnect(),
  };
}

interface WorkerOptions extends QueueOptions {
  readonly concurrency: number;
  /** Maximum number of tasks that all workers of the queue start per minute; unlimited if absent. */
  readonly tasksPerMinute?: number | undefined;
  /** How long a task of a vanished worker waits before another takes it over, in ms. */
  readonly leaseMs: number;
}

interface TaskWorker {
  /** Starts no more tasks; resolves when the running ones have ended and reported their outcome. */
  drain(): Promise<void>;
  /** Disconnects from Redis at once: another worker repeats what was not reported. */
  leave(): void;
  /** Number of task attempts that ended here. */
  readonly ended: number;
}

/**
 * Starts a worker for the tasks of a queue. While a task runs, its lease is renewed; a task whose worker vanished is
 * taken over. `work` gets the untrusted content of the queue, and throws if another attempt may help. If it resolves to
 * undefined, the task returns to the queue as if nobody had tried it.
 */
export function startWorker(
  { name, concurrency, tasksPerMinute, leaseMs, ...address }: WorkerOptions,
  work: (task: unknown) => Promise<WorkerOutcome | undefined>,
  onProblem: (words: string) => void,
): TaskWorker {
  const redis = connectToRedis(address, onProblem);
  let ended = 0;
  const worker = new Worker<TaskJobData, Handed>(
    name,
    async (job, token) => {
      const result = await work(job.data.task);
      if (!result) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const { outcome, log } = result;
      const key = `${prefix}:${name}:told:${job.id}:${job.attemptsMade}:${crypto.randomUUID()}`;
      await writeInPieces(redis, `${key}:outcome`, outcome);
      await writeInPieces(redis, `${key}:log`, log);
      return { key };
    },
    {
      connection: redis as unknown as ConnectionOptions,
      prefix,
      concurrency,
      lockDuration: leaseMs,
      stalledInterval: leaseMs,
      maxStalledCount: maxTakeovers,
      ...(tasksPerMinute !== undefined && { limiter: { max: tasksPerMinute, duration: 60_000 } }),
    },
  );
  worker.on('error', () => undefined);
  worker.on('completed', () => (ended += 1));
  worker.on('failed', () => (ended += 1));
  return {
    get ended() {
      return ended;
    },
    async drain() {
      await worker.close();
      redis.disconnect();
    },
    leave() {
      redis.disconnect();
      void worker.close(true).catch(() => undefined);
    },
  };
}

/**
 * Writes a text in pieces, so that no command blocks Redis for long. Each piece is numbered, so that a piece sent again
 * after a lost connection is stored only once.
 */
async function writeInPieces(redis: Redis, key: string, text: string): Promise<void> {
  // Cut as bytes: cutting a string could split a character, which would be lost.
  const bytes = Buffer.from(text);
  for (let at = 0; at * pieceBytes < bytes.length; at += 1) {
    const piece = bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes);
    await redis.hset(key, String(at), piece);
    // The pieces expire even if the worker is killed between two of them.
    if (at === 0) await redis.expire(key, retentionSeconds);
  }
}

/** Returns the text that was written; as much of it as Redis still has. */
async function handedText(redis: Redis, key: string): Promise<string> {
  const count = await redis.hlen(key);
  const pieces: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    const piece = await redis.hgetBuffer(key, String(index));
    if (piece) pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
