// A bundle of its own (dist/queue.js): BullMQ and ioredis are loaded by whoever works
// with a queue, and never by the extension.
import { Queue, WaitingError, Worker, type ConnectionOptions, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import type { RequestGate } from '../../core/batch/requestGate';
import { connect, type QueueAddress } from './redisConnection';

export { refusedByRedis } from './redisConnection';

/** Where the tasks of a batch wait for workers. */
export interface TaskQueue {
  /** Adds tasks that are not in the queue yet; the same task twice is one. */
  add(tasks: readonly { readonly id: string; readonly data: unknown }[]): Promise<void>;
  /**
   * Calls `take` with each task that ended since; what it took is removed from
   * the queue. Resolves to how many that are.
   */
  collect(take: (ended: EndedTask) => boolean): Promise<number>;
  /** Takes away tasks that no worker has begun. Returns how many. */
  withdraw(): Promise<number>;
  /**
   * Takes the queue for one batch, and keeps it while this is called again within a
   * minute. False while another batch has it.
   */
  claim(owner: string): Promise<boolean>;
  /** Gives the queue back, so that another batch can have it at once. */
  release(owner: string): Promise<void>;
  /** How many tasks have not ended. */
  waiting(): Promise<number>;
  /** How many tasks workers are at. */
  active(): Promise<number>;
  /** `atOnce`: what was asked and not answered is given up, as where Redis cannot be reached. */
  close(atOnce?: boolean): Promise<void>;
}

export interface EndedTask {
  readonly id: string;
  /** What the worker left; undefined where every try failed. */
  readonly outcome?: string;
  readonly log?: string;
  /** Why every try failed. */
  readonly problem?: string;
}

/** What a worker hands back for a task. */
export interface WorkerOutcome {
  readonly outcome: string;
  readonly log: string;
}

export interface QueueOptions extends QueueAddress {
  readonly name: string;
}

const prefix = 'waymark';
const tries = 3;
/** So often another worker takes over a task whose worker is gone: machines go, and a task may be why. */
const mostTakeovers = 10;
const retryMs = 1000;
const pieceBytes = 256 * 1024;
const keptSeconds = 7 * 24 * 3600;
const atOnce = 500;

/** BullMQ allows no colon in a name, and Redis no limit: a hash is short and safe. */
const jobIdOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);

const againMs = 200;

/**
 * Asks again where Redis went in the middle of several commands that belong together: single ones are sent again by the
 * connection itself, these are given up by it. Whatever is asked here does no harm when it is done twice.
 */
async function untilBack<Answer>(ask: () => Promise<Answer>, isGivenUp: () => boolean): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isAborted = (error as Error).name === 'AbortError' || /connection close/i.test((error as Error).message);
      if (!isAborted || isGivenUp()) throw error;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}

/** How long a queue stays with a batch that is silent. */
const keptForBatchMs = 60_000;
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

/** Opens a queue for whoever puts tasks into it. `onProblem`: called with words when Redis cannot be reached. */
export function openQueue({ name, ...address }: QueueOptions, onProblem: (words: string) => void): TaskQueue {
  const redis = connect(address, onProblem);
  const isTaken = async (job: Job<TaskJobData, Handed>, take: (ended: EndedTask) => boolean): Promise<boolean> => {
    const ended = await endedTask(redis, job);
    // Something that is no task was put there by another program and is dropped.
    return ended === undefined || take(ended);
  };
  const queue = new Queue<TaskJobData, Handed>(name, { connection: redis as unknown as ConnectionOptions, prefix });
  queue.on('error', () => undefined);
  let isClosed = false;
  const surely = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => untilBack(ask, () => isClosed);
  return {
    async add(tasks) {
      for (let from = 0; from < tasks.length; from += atOnce) {
        const jobs = tasks.slice(from, from + atOnce).map(({ id, data }) => ({
          name: 'task',
          data: { id, task: data },
          opts: {
            jobId: jobIdOf(id),
            attempts: tries,
            backoff: { type: 'exponential', delay: retryMs },
          },
        }));
        await surely(() => queue.addBulk(jobs));
      }
    },
    async collect(take) {
      let taken = 0;
      for (const type of ['completed', 'failed'] as const) {
        // Those that nobody here takes stay in front of the others.
        let left = 0;
        for (;;) {
          const from = left;
          const ended = await surely(() => queue.getJobs([type], from, from + atOnce - 1, true));
          for (const job of ended) {
            if (!job?.id || !(await isTaken(job, take))) {
              left += 1;
              continue;
            }
            taken += 1;
            // A kill in between leaves texts that expire by themselves; the other way round, it would leave a job without its result.
            const key = job.returnvalue?.key;
            await surely(() => job.remove());
            if (key) await redis.del(`${key}:outcome`, `${key}:log`);
          }
          if (ended.length < atOnce) break;
        }
      }
      return taken;
    },
    async claim(owner) {
      return (await redis.eval(claimed, 1, `${prefix}:${name}:batch`, owner, keptForBatchMs)) === 1;
    },
    async release(owner) {
      await redis.eval(released, 1, `${prefix}:${name}:batch`, owner);
    },
    async withdraw() {
      const before = await surely(() => queue.count());
      await surely(() => queue.drain(true));
      return before - (await surely(() => queue.count()));
    },
    async waiting() {
      const counts = await surely(() => queue.getJobCounts('active', 'waiting', 'delayed', 'prioritized'));
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    async active() {
      return surely(() => queue.getActiveCount());
    },
    async close(atOnce = false) {
      isClosed = true;
      if (atOnce) {
        redis.disconnect();
        void queue.close().catch(() => undefined);
        return;
      }
      await queue.close();
      redis.disconnect();
    },
  };
}

/** Undefined for a job that holds no task. */
async function endedTask(redis: Redis, job: Job<TaskJobData, Handed>): Promise<EndedTask | undefined> {
  const id: unknown = (job.data as Partial<TaskJobData> | null)?.id;
  if (typeof id !== 'string') return undefined;
  if (!job.returnvalue?.key) return { id, problem: job.failedReason || 'Its worker ended.' };
  const { key } = job.returnvalue;
  return { id, outcome: await handedText(redis, `${key}:outcome`), log: await handedText(redis, `${key}:log`) };
}

/**
 * The moment when the next request to an endpoint may begin, kept by Redis for everybody: requests follow each other
 * evenly by its clock. Answers with the milliseconds to wait.
 */
const nextRequest = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local interval = tonumber(ARGV[1])
local at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
redis.call('SET', KEYS[1], string.format('%.3f', at + interval), 'PX', math.ceil(at - now + interval) + 60000)
return math.ceil(at - now)
`;

/**
 * Lets requests begin, no more in a minute than `perMinute` for each endpoint,
 * together with everybody who uses the same Redis.
 */
export function openGate({
  perMinute,
  ...address
}: QueueAddress & { readonly perMinute: number }): RequestGate & { close(): void } {
  const redis = connect(address, () => undefined);
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

export interface WorkerOptions extends QueueOptions {
  readonly concurrency: number;
  /** Tasks that all workers of the queue begin together in one minute; any number when absent. */
  readonly tasksPerMinute?: number | undefined;
  /** How long a task of a worker that is gone waits for another one, in milliseconds. */
  readonly leaseMs: number;
}

export interface TaskWorker {
  /** Begins no further task, and resolves when those that run have ended and told it. */
  drain(): Promise<void>;
  /** Lets go of Redis at once: what was not told is done by another worker. */
  leave(): void;
  /** Tries of tasks that ended here. */
  readonly ended: number;
}

/**
 * Works on tasks of a queue. While a task runs, its lease is renewed; one whose worker is gone is taken over. `work`
 * gets what lies in the queue, which is not to be trusted, and throws where another try may help. Where it resolves to
 * undefined, the task goes back as if nobody had tried it.
 */
export function startWorker(
  { name, concurrency, tasksPerMinute, leaseMs, ...address }: WorkerOptions,
  work: (task: unknown, signal: AbortSignal) => Promise<WorkerOutcome | undefined>,
  onProblem: (words: string) => void,
): TaskWorker {
  const redis = connect(address, onProblem);
  const stopped = new AbortController();
  let ended = 0;
  const worker = new Worker<TaskJobData, Handed>(
    name,
    async (job, token) => {
      const left = await work(job.data.task, stopped.signal);
      if (!left) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const { outcome, log } = left;
      const key = `${prefix}:${name}:told:${job.id}:${job.attemptsMade}:${crypto.randomUUID()}`;
      await hand(redis, `${key}:outcome`, outcome);
      await hand(redis, `${key}:log`, log);
      return { key };
    },
    {
      connection: redis as unknown as ConnectionOptions,
      prefix,
      concurrency,
      lockDuration: leaseMs,
      stalledInterval: leaseMs,
      maxStalledCount: mostTakeovers,
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
 * Hands over a text in pieces, so that no command holds Redis for long. Each piece has its number: what is sent again
 * after a lost Redis, which may have kept it before it went, is there once.
 */
async function hand(redis: Redis, key: string, text: string): Promise<void> {
  // Cut as bytes: a piece of a text could end in the middle of a character, which is lost then.
  const bytes = Buffer.from(text);
  for (let at = 0; at * pieceBytes < bytes.length; at += 1) {
    const piece = bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes);
    await redis.hset(key, String(at), piece);
    // Also what a worker leaves that is killed between two pieces goes some day.
    if (at === 0) await redis.expire(key, keptSeconds);
  }
}

/** The text that was handed over; as much of it as Redis still has. */
async function handedText(redis: Redis, key: string): Promise<string> {
  const count = await redis.hlen(key);
  const pieces: Buffer[] = [];
  for (let at = 0; at < count; at += 1) {
    const piece = await redis.hgetBuffer(key, String(at));
    if (piece) pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
