import { strict as assert } from 'node:assert';
import { chatModel } from '../../../src/adapters/models/chat/chatModel';
import type { EndpointOptions } from '../../../src/adapters/models/endpoint/endpoint';
import { statusOf } from '../../../src/core/log/status';
import type { Delta } from '../../../src/protocol/panel/panel';
import { withRetries, type RetryOptions } from '../../../src/core/model/decorators/withRetries';
import type { EventOf, EventType, Problem } from '../../../src/protocol/events/event';
import { World, type Beginning, type Run } from '../../conformance/support/world';
import { reply, startModelServer, type Answering, type ModelServer } from '../../support/modelServer';
import { refusal } from '../../support/strict/strictChat';

/** API key of every session here. No user-visible text and no log may contain it. */
export const canary = 'sk-canary-9f3b/71+e0c4a8d2';

/** A session in a real folder whose model runs on a real server. Retry delays are recorded but not waited for. */
export interface Session extends Run {
  readonly server: ModelServer;
  /** Delay before each retry, in ms. */
  readonly waits: readonly number[];
  readonly deltas: readonly Delta[];
  /** Entries of the output channel. */
  readonly failures: readonly unknown[];
  of<Type extends EventType>(type: Type): EventOf<Type>[];
  /** Returns the problem that ended the run. Fails if there is none, or if it does not tell the user what to do. */
  problem(): Problem;
  /** Sends a message, queues this answer after the pending ones, and runs. */
  say(text: string, ...answers: Answering[]): Promise<void>;
}

interface SessionOptions extends Partial<Omit<Beginning, 'model'>> {
  readonly model?: Partial<EndpointOptions>;
  readonly retry?: RetryOptions;
  /** Replaces the session's own server. */
  readonly server?: ModelServer;
  readonly files?: Readonly<Record<string, string>>;
  /** True if the run cannot accept messages afterwards. */
  readonly ends?: boolean;
  /** Number of requests that the server may refuse, each of which reveals something it does not support. */
  readonly lessons?: number;
}

/**
 * Starts a session with these answers, runs it, passes it to `use`, and then checks what holds for every fault: the
 * session accepts messages, a strict provider accepts its chat, nothing is lost, nothing ran twice, and the key appears
 * nowhere.
 */
export async function withSession(
  answers: readonly Answering[],
  use: (session: Session) => Promise<void> | void,
  options: SessionOptions = {},
): Promise<void> {
  await withWaitingSession(
    answers,
    async (session) => {
      await session.go();
      await use(session);
    },
    options,
  );
}

/** The same, but the session has not started yet. */
export async function withWaitingSession(
  answers: readonly Answering[],
  use: (session: Session) => Promise<void> | void,
  {
    model: about,
    retry: retries,
    server: given,
    files = {},
    ends = false,
    lessons = 0,
    ...beginning
  }: SessionOptions = {},
): Promise<void> {
  const world = new World();
  try {
    const server = given ?? (await startModelServer(answers));
    if (!given) world.after(() => server.stop());
    const place = beginning.place ?? world.place();
    for (const [name, text] of Object.entries(files)) place.workspace.place(name, text);
    const waits: number[] = [];
    const deltas: Delta[] = [];
    const failures: unknown[] = [];
    const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
      waits.push(ms);
      signal.throwIfAborted();
    };
    const model = withRetries(
      chatModel({ baseUrl: server.baseUrl, name: 'test-model', apiKey: canary, idleTimeoutMs: 20_000, ...about }),
      { random: () => 0.5, sleep, ...retries },
    );
    const { listener = {}, ...rest } = beginning;
    const run = await world.begin({
      profile: 'waymark',
      model,
      task: 'Mend the roof.',
      ...rest,
      place,
      listener: {
        ...listener,
        onDelta: (delta) => {
          deltas.push(delta);
          listener.onDelta?.(delta);
        },
        onFailure: (thrown) => {
          failures.push(thrown);
          listener.onFailure?.(thrown);
        },
      },
    });
    const { conversation } = run;
    const session: Session = {
      ...run,
      server,
      waits,
      deltas,
      failures,
      of: (type) => conversation.history.filter((event): event is EventOf<typeof type> => event.type === type),
      problem() {
        const last = conversation.history.findLast((event) => event.type === 'finished');
        assert.ok(last?.problem, `it ended with ${conversation.history.at(-1)?.type}, not with a problem`);
        assertWords(last.problem);
        return last.problem;
      },
      async say(text, ...more) {
        server.push(...more);
        conversation.say(text);
        await conversation.rested();
      },
    };
    await use(session);
    if (!ends) await assertUsable(session);
    await until('the last write of the log', () => session.saved().length === conversation.history.length);
    assertWhole(session, lessons);
  } finally {
    await world.end();
  }
}

/** Asserts that the user reads one sentence about what happened, why, and what to do next. */
function assertWords({ what, why, next }: Problem): void {
  for (const words of [what, why, next]) {
    assert.match(words, /\S.*[.…]\)?$/s);
    assert.doesNotMatch(words, /!|\b(I|we|my)\b|An error occurred|undefined|NaN|\[object/, words);
  }
  assert.equal(what.match(/[.?](\s|$)/g)?.length, 1, `not one sentence: ${what}`);
}

async function assertUsable({ conversation, server, say }: Session): Promise<void> {
  assert.equal(conversation.running, false);
  await say('Are you still there?', reply('Still here.', { usage: null }));
  const last = conversation.history.findLast((event) => event.type === 'agent_response');
  assert.equal(
    last?.text,
    'Still here.',
    `the next turn does not work: ${conversation.history.map(({ type }) => type).join(' ')}; connections ${server.requests.map(({ connection }) => connection).join(' ')}; ${JSON.stringify(conversation.history.slice(-3))}`,
  );
  assert.equal(statusOf(conversation.history), 'idle');
  const { messages } = server.requests.at(-1)!.body;
  assert.match(JSON.stringify(messages[1]), /Mend the roof\./, 'the task is lost');
  assert.match(JSON.stringify(messages.at(-1)), /Are you still there\?/);
}

function assertWhole({ conversation: { history }, server, saved, failures, deltas }: Session, lessons: number): void {
  const refused = server.requests.flatMap(({ body }, index) => {
    const why = refusal(body, server.takes);
    return why === undefined ? [] : [`request ${index + 1}: ${why}`];
  });
  assert.ok(refused.length <= lessons, refused.join('\n'));
  assert.deepEqual(saved(), JSON.parse(JSON.stringify(history)), 'the file is not the log');
  const actions = history.flatMap((event) =>
    event.type === 'agent_response' ? event.actions.map(({ id }) => id) : [],
  );
  const observed = history.flatMap((event) => (event.type === 'observation' ? [event.actionId] : []));
  assert.deepEqual([...observed].sort(), [...actions].sort(), 'not one observation for each action');
  const began = history.flatMap((event) => (event.type === 'action_started' ? [event.actionId] : []));
  assert.equal(new Set(began).size, began.length, 'something ran twice');
  const shown = JSON.stringify([history, deltas, failures.map(told), server.requests.map(({ text }) => text)]);
  for (const form of [
    canary,
    encodeURIComponent(canary),
    JSON.stringify(canary).slice(1, -1),
    Buffer.from(canary).toString('base64').replace(/=+$/, ''),
  ])
    assert.ok(!shown.includes(form), 'the key is shown');
  assert.doesNotMatch(shown, /\bNaN\b/);
}

const told = (thrown: unknown): unknown =>
  thrown instanceof Error ? [thrown.message, thrown.stack, told(thrown.cause)] : thrown;

/** Waits until a condition is true. Fails with `what` after 20 seconds. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Returns the text of the latest reply. */
export const lastText = ({ of }: Session): string | undefined => of('agent_response').at(-1)?.text;
