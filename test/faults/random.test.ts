import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { chatModel } from '../../src/adapters/models/chat/chatModel';
import { pendingActions, startedActions, undecidedActions } from '../../src/core/log/openActions';
import { statusOf } from '../../src/core/log/status';
import { toMessages } from '../../src/core/model/messages';
import { sessionSpending } from '../../src/core/log/spending';
import { withRetries } from '../../src/core/model/decorators/withRetries';
import type { Event } from '../../src/protocol/events/event';
import { World, type Run } from '../conformance/support/world';
import {
  brokenAfter,
  failure,
  htmlPage,
  inPieces,
  raw,
  reply,
  stallAfter,
  startModelServer,
  toolCalls,
  type Answer,
  type CallSpec,
  type RecordedRequest,
} from '../support/modelServer';
import { asSent } from '../support/asSent';
import { refusal } from '../support/strict/strictChat';
import { canary, until } from './support/session';

/** Another seed or more runs, such as for a night: FAULTS_SEED=7 FAULTS_RUNS=200. */
const seed = Number(process.env['FAULTS_SEED'] ?? 20_261_121);
const numRuns = Number(process.env['FAULTS_RUNS'] ?? 40);

const call = fc.constantFrom(
  'read',
  'missing',
  'write',
  'run',
  'slow',
  'nope',
  'broken',
  'null',
  'ask',
  'todo',
  'finish',
);
const said = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('calls' as const),
      calls: fc.array(call, { minLength: 1, maxLength: 4 }),
      sameIds: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'text' as const,
        'empty' as const,
        'cut' as const,
        'declined' as const,
        'thoughts' as const,
        'blind' as const,
      ),
    }),
  },
);
const fault = fc.constantFrom(
  'none',
  'none',
  'none',
  'none',
  '429',
  '500',
  '400',
  '401',
  '413',
  'html',
  'no json',
  'broken',
  'stalled',
  'pieces',
  'no finish',
);
const line = fc.record({ said, fault, place: fc.double({ min: 0, max: 1, noNaN: true }) });
const control = fc.constantFrom(
  'say',
  'steer',
  'interrupt',
  'stop',
  'pause',
  'resume',
  'step',
  'condense',
  'approve',
  'refuse',
  'answer',
  'auto',
  'confirm',
  'plan',
  'human',
  'crash',
  'crash in a tool',
  'interrupt in a tool',
  'interrupt in a text',
  'wait',
  'wait',
  'wait',
  'rest',
  'rest',
  'rest',
  'rest and resume',
);

interface Line {
  said: { kind: string; calls?: string[]; sameIds?: boolean };
  fault: string;
  place: number;
}

/** Numbers every command, so that the folder shows which commands ran and how often. */
function answersOf(lines: readonly Line[]): (request: RecordedRequest, index: number) => Answer {
  let [commands, ids] = [0, 0];
  const specOf = (name: string, sameId: boolean): CallSpec => {
    const id = sameId ? 'call_0' : `call_${++ids}`;
    switch (name) {
      case 'read':
        return { id, tool: 'read_file', input: { path: 'a.txt' } };
      case 'missing':
        return { id, tool: 'read_file', input: { path: `gone-${ids}.txt` } };
      case 'write':
        return { id, tool: 'write_file', input: { path: `made-${++commands}.txt`, content: 'made' } };
      case 'run':
        return { id, tool: 'run_command', input: { command: `echo ${++commands} >> ran` } };
      case 'slow':
        return { id, tool: 'run_command', input: { command: `echo ${++commands} >> ran; sleep 0.05` } };
      case 'broken':
        return { id, tool: 'run_command', input: '{"command": "echo broken >> ran"' };
      case 'null':
        return { id, tool: 'read_file', input: 'null' };
      case 'ask':
        return { id, tool: 'ask_user', input: { question: 'Which?', choices: ['this'] } };
      case 'todo':
        return { id, tool: 'todo', input: { items: [] } };
      case 'finish':
        return { id, tool: 'finish', input: { summary: 'Done.' } };
      default:
        return { id, tool: 'no such tool!', input: {} };
    }
  };
  const whole = ({ kind, calls = [], sameIds = false }: Line['said']): Answer => {
    switch (kind) {
      case 'calls':
        return toolCalls(
          calls.map((name) => specOf(name, sameIds)),
          { text: 'So.' },
        );
      case 'empty':
        return reply('');
      case 'cut':
        return reply('Half of a', { finish: 'length', usage: null });
      case 'declined':
        return reply('', { finish: 'content_filter' });
      case 'thoughts':
        return reply('', { reasoning: 'Hm.' });
      case 'blind':
        return reply('Hello.', { usage: { prompt_tokens: 1, completion_tokens: 1 } });
      default:
        return reply('Hello.');
    }
  };
  const lines_ = [...lines];
  return () => {
    const next = lines_.shift();
    if (!next) return reply('The story is over.');
    const answer = whole(next.said);
    const place = Math.floor(next.place * Buffer.byteLength(answer.body));
    switch (next.fault) {
      case '429':
        return failure(429, 'slow down', { 'retry-after': '3' });
      case '500':
        return failure(500, `failed with ${canary}`);
      case '400':
        return failure(400, 'bad');
      case '401':
        return failure(401, `bad key ${canary}`);
      case '413':
        return failure(413, '');
      case 'html':
        return htmlPage('Sign in');
      case 'no json':
        return raw('data: {"choices": [\n\n');
      case 'broken':
        return brokenAfter(answer, place);
      case 'stalled':
        return stallAfter(answer, place);
      case 'pieces':
        return inPieces(answer, 1 + (place % 40));
      case 'no finish':
        return raw(answer.body.toString().slice(0, place));
      default:
        return answer;
    }
  };
}

const ticks = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('any replies, faults, cancellations, condensations and crashes', () => {
  it('leave a replayable log and a chat a strict provider accepts, and nothing ran twice', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 6, maxLength: 24, size: 'max' }),
        fc.array(fc.tuple(control, fc.nat(12)), { minLength: 6, maxLength: 30, size: 'max' }),
        async (lines, controls) => {
          const world = new World();
          const server = await startModelServer(answersOf(lines as Line[]));
          world.after(() => server.stop());
          const place = world.place();
          place.workspace.place('a.txt', 'hello\n');
          const sleep = async (_ms: number, signal: AbortSignal): Promise<void> => {
            await ticks(1);
            signal.throwIfAborted();
          };
          const model = withRetries(
            chatModel({ baseUrl: server.baseUrl, name: 'test-model', apiKey: canary, idleTimeoutMs: 120 }),
            { maxAttempts: 3, sleep },
          );
          const failures: unknown[] = [];
          let streaming = false;
          /** Waits for a short time for a condition. */
          const comes = async (isSo: () => boolean): Promise<void> => {
            for (let look = 0; look < 40 && !isSo(); look++) await ticks(1);
          };
          const opened = async (saved: readonly Event[]): Promise<{ run: Run; saved: readonly Event[] }> => ({
            saved,
            run: await world.begin({
              profile: 'waymark',
              model,
              place,
              saved,
              mode: 'auto',
              task: 'Mend the roof.',
              listener: {
                onFailure: (thrown) => {
                  failures.push(thrown);
                },
                onDelta: ({ kind }) => {
                  streaming = kind === 'text';
                },
              },
            }),
          });
          try {
            let now = await opened([]);
            const halting: Promise<void>[] = [];
            now.run.conversation.wake();
            for (const [what, ms] of controls) {
              const { conversation } = now.run;
              const [waiting] = undecidedActions(conversation.history);
              const question = conversation.history.findLast((event) => event.type === 'question_asked');
              streaming = false;
              if (what.endsWith('in a tool')) await comes(() => startedActions(conversation.history).length > 0);
              if (what.endsWith('in a text')) await comes(() => streaming);
              switch (what) {
                case 'say':
                  conversation.say('Words.');
                  break;
                case 'steer':
                  conversation.say('Steering words.', { delivery: 'steer' });
                  break;
                case 'interrupt':
                case 'interrupt in a tool':
                case 'interrupt in a text':
                  halting.push(conversation.interrupt());
                  break;
                case 'stop':
                  halting.push(conversation.stop());
                  break;
                case 'pause':
                  conversation.pause();
                  break;
                case 'resume':
                  conversation.resume();
                  break;
                case 'step':
                  conversation.step();
                  break;
                case 'condense':
                  conversation.condense();
                  break;
                case 'approve':
                  if (waiting) conversation.approve(waiting.id);
                  break;
                case 'refuse':
                  if (waiting) conversation.refuse(waiting.id, { comment: 'No.' });
                  break;
                case 'answer':
                  if (question?.type === 'question_asked') conversation.answer(question.actionId, 'This.');
                  break;
                case 'wait':
                  await ticks(ms);
                  break;
                case 'rest':
                  await conversation.rested();
                  break;
                case 'rest and resume':
                  await conversation.rested();
                  conversation.resume();
                  break;
                case 'crash':
                case 'crash in a tool': {
                  // The state another process finds: a snapshot of the log without a live owner.
                  const found = structuredClone(conversation.history);
                  await conversation.interrupt('The process died.');
                  now = await opened(found);
                  now.run.conversation.wake();
                  break;
                }
                default:
                  conversation.setMode(what);
              }
            }
            const {
              run: { conversation, saved },
              saved: before,
            } = now;
            await Promise.all(halting);
            await conversation.interrupt();
            await conversation.rested();
            await until(
              'the last write of the log',
              () => before.length + saved().length === conversation.history.length,
            );
            assertReplays(conversation.history, [...before, ...saved()]);
            assertHeld(conversation.history);
            for (const [index, { body }] of server.requests.entries())
              assert.equal(refusal(body, server.takes), undefined, `request ${index + 1}`);
            const ran = place.workspace.bytes('ran')?.toString().trim().split('\n') ?? [];
            assert.equal(new Set(ran).size, ran.length, `a command ran twice: ${ran.join()}`);
            assert.ok(!ran.includes('broken'), 'a call that could not be read was run');
            assert.ok(
              !JSON.stringify([conversation.history, failures.map(String)]).includes(canary),
              'the key is shown',
            );
            await assertUsable(now.run);
          } finally {
            await world.end();
          }
        },
      ),
      { seed, numRuns },
    )).timeout(600_000);
});

/** Asserts that another process reads the events shown to the user from the file. */
function assertReplays(history: readonly Event[], read: readonly Event[]): void {
  assert.deepEqual(read, JSON.parse(JSON.stringify(history)));
  assert.deepEqual(
    [statusOf(read), pendingActions(read), toMessages(read), sessionSpending(read)],
    JSON.parse(
      JSON.stringify([statusOf(history), pendingActions(history), toMessages(history), sessionSpending(history)]),
    ),
  );
}

function assertHeld(history: readonly Event[]): void {
  const observed = history.flatMap((event) => (event.type === 'observation' ? [event.actionId] : []));
  assert.equal(new Set(observed).size, observed.length, 'two observations for one action');
  const began = history.flatMap((event) => (event.type === 'action_started' ? [event.actionId] : []));
  assert.equal(new Set(began).size, began.length, 'something began twice');
  for (let length = 1; length <= history.length; length++) {
    const messages = toMessages(history.slice(0, length));
    if (messages.at(-1)?.role !== 'assistant')
      assert.equal(refusal(asSent(messages)), undefined, `the first ${length} events`);
  }
}

/** Asserts that the user can still send a message and gets an answer. */
async function assertUsable({ conversation }: Run): Promise<void> {
  conversation.setMode('auto');
  for (let turn = 0; turn < 40; turn++) {
    conversation.say('Are you there?');
    await conversation.rested();
    const last = conversation.history.findLast((event) => event.type === 'agent_response');
    if (last?.text === 'The story is over.') return;
    const question = conversation.history.findLast((event) => event.type === 'question_asked');
    if (statusOf(conversation.history) === 'waiting_for_answer' && question?.type === 'question_asked')
      conversation.answer(question.actionId, 'This.');
    await conversation.rested();
  }
  assert.fail(`nobody answers: ${JSON.stringify(conversation.history.slice(-4))}`);
}
