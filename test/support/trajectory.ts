import type { Action, Candidate, Event, EventOf, NewEvent } from '../../src/protocol/events/event';
import { action, agentResponse, taskStarted } from './newEvents';

/** Runs to inspect: events as the loop writes them, with everything that an inspector can show. */

const startedAt = Date.UTC(2026, 0, 15, 9, 0, 0);

/** Adds sequence numbers and timestamps, one second apart. Each reply has read everything before it. */
export const logOfRun = (events: readonly NewEvent[]): Event[] =>
  events.map(
    (event, seq) =>
      ({
        ...event,
        ...(event.type === 'agent_response' && { readUpTo: seq }),
        seq,
        at: startedAt + seq * 1000,
      }) as Event,
  );

let tokens = 0;
export function answer(text: string, actions: Action[] = [], more: Partial<EventOf<'agent_response'>> = {}): NewEvent {
  tokens += 1800;
  return agentResponse(text, {
    readUpTo: 0,
    actions,
    usage: {
      inputTokens: 2400 + tokens,
      outputTokens: 160 + (tokens % 700),
      cachedTokens: tokens,
      cost: 0.0021 + tokens / 4_000_000,
    },
    model: 'qwen3-coder',
    finishReason: actions.length > 0 ? 'tool_calls' : 'stop',
    durationMs: 900 + (tokens % 2900),
    firstTokenMs: 210,
    ...more,
  });
}
export const began = (actionId: string): NewEvent => ({ type: 'action_started', actionId });
export const seen = (actionId: string, content: string, more: Partial<EventOf<'observation'>> = {}): NewEvent => ({
  type: 'observation',
  actionId,
  outcome: 'ok',
  content,
  durationMs: 14,
  ...more,
});
const ran = (exitCode: number, durationMs = 2300): EventOf<'observation'>['details'] => ({
  kind: 'command',
  end: 'exited',
  exitCode,
  durationMs,
  cwd: '/home/ada/first-run',
  tty: false,
  outputBytes: 400,
});
export const begin = (task: string): NewEvent =>
  taskStarted(task, {
    title: task.slice(0, 60),
    systemPrompt: 'You are an agent that works in a folder of a person.\nLook before you change anything.',
    model: { name: 'qwen3-coder', provider: 'openai-compatible at 127.0.0.1:11434', contextWindow: 32_000 },
    tools: ['read_file', 'list_files', 'search_text', 'edit_file', 'write_file', 'run_command', 'finish'],
    cwd: '/home/ada/first-run',
    mode: 'confirm',
    profile: 'waymark',
    limits: { steps: 50, cost: 2, seconds: 0 },
  });

const failure =
  '> first-run@1.0.0 test\n> node --test\n\n✖ adds two numbers (2.1ms)\n  AssertionError [ERR_ASSERTION]: -1 == 5\n\nℹ tests 3\nℹ pass 2\nℹ fail 1\n';
const diff = {
  path: 'src/add.ts',
  kind: 'modified' as const,
  added: 2,
  removed: 1,
  version: 'v2',
  hunks: [
    {
      oldStart: 3,
      oldLines: 3,
      newStart: 3,
      newLines: 4,
      lines: [
        ' export function add(a: number, b: number): number {',
        '   // Both may be negative.',
        '-  return a - b;',
        '+  const sum = a + b;',
        '+  return sum;',
        ' }',
      ],
    },
  ],
};
const rival = (
  text: string,
  command: string | undefined,
  score: number | null,
  more: Partial<Candidate> = {},
): Candidate => ({
  text,
  calls:
    command === undefined
      ? []
      : [{ id: 'x', type: 'function', function: { name: 'run_command', arguments: JSON.stringify({ command }) } }],
  usage: { inputTokens: 4200, outputTokens: 96, cachedTokens: 3900, cost: 0.0012 },
  model: 'qwen3-coder',
  finishReason: 'tool_calls',
  summary: command === undefined ? '' : `Run ${command}`,
  score,
  ...more,
});
const report = (session: string, title: string, status: 'answered' | 'failed', cost: number) => ({
  session,
  title,
  status,
  summary: status === 'answered' ? 'It reads three kinds of line.' : 'The model’s server did not answer.',
  steps: 7,
  seconds: 34,
  usage: { inputTokens: 21_000, outputTokens: 1200, cachedTokens: 15_000, cost },
});

/** Returns a run of a dozen steps with one of everything. */
export const fullRun = (): Event[] => {
  tokens = 0;
  return logOfRun([
    begin('The test in test/add.test.ts fails. Find out why, fix it, and make sure that everything passes.'),
    answer(
      'I will look at the test and at what it tests.',
      [
        action('r1', 'read_file', { path: 'test/add.test.ts' }, 'Read test/add.test.ts'),
        action('r2', 'read_file', { path: 'src/add.ts' }, 'Read src/add.ts'),
        { ...action('c1', 'run_command', { command: 'npm test' }, 'Run npm test'), group: 1 },
      ],
      {
        reasoning: {
          text: 'The person says that a test fails.\n\nBefore I change anything I have to see the test, the code that it tests, and how it fails. Both files can be read at once; the tests run after that.',
          field: 'reasoning_content',
        },
      },
    ),
    seen('r1', '1\timport { add } from "../src/add";', {
      details: { kind: 'read', path: 'test/add.test.ts', version: 'a', fromLine: 1, toLine: 24, totalLines: 24 },
    }),
    seen('r2', '1\texport function add', {
      details: { kind: 'read', path: 'src/add.ts', version: 'b', fromLine: 1, toLine: 8, totalLines: 8 },
    }),
    began('c1'),
    seen('c1', failure, { details: ran(1), durationMs: 2310 }),
    answer(
      '`add` subtracts. Here is what has to change:\n\n```ts\nexport function add(a: number, b: number): number {\n  return a + b; // was: a - b\n}\n```\n',
      [
        action(
          'e1',
          'edit_file',
          {
            path: 'src/add.ts',
            edits: [{ old_text: '  return a - b;', new_text: '  const sum = a + b;\n  return sum;' }],
          },
          'Edit src/add.ts',
        ),
      ],
    ),
    began('e1'),
    seen('e1', 'Edited src/add.ts', { details: { kind: 'edit', changes: [diff] } }),
    answer('', [
      {
        ...action(
          'c2',
          'run_command',
          { command: 'rm -rf dist ../shared-cache && npm run build' },
          'Run rm -rf dist ../shared-cache && npm run build',
        ),
        risk: {
          level: 'high',
          reasons: ['Deletes files outside the workspace: ../shared-cache', 'Deletes without asking (rm -rf)'],
          culprit: 'rm -rf dist ../shared-cache',
        },
      },
    ]),
    { type: 'confirmation_requested', actionIds: ['c2'] },
    {
      type: 'confirmation_resolved',
      actionIds: ['c2'],
      approved: false,
      comment: 'Leave the cache alone; only dist may go.',
      by: 'person',
    },
    seen('c2', 'Refused: Leave the cache alone; only dist may go.', { outcome: 'rejected' }),
    { type: 'retry_scheduled', attempt: 1, delayMs: 2000, why: 'The server answered 429: too many requests.' },
    answer(
      'Only `dist`, then.',
      [
        {
          ...action(
            'c3',
            'run_command',
            { command: 'rm -rf dist && npm run build' },
            'Run rm -rf dist && npm run build',
          ),
          risk: { level: 'medium', reasons: ['Deletes dist'] },
        },
      ],
      {
        sampling: {
          candidates: [
            rival('Only `dist`, then.', 'rm -rf dist && npm run build', 0.9),
            rival('I will start over from the last commit.', 'git checkout -- . && npm test', 0.2),
            rival('Let me think.', undefined, null, { problem: 'It contains no action.', finishReason: 'stop' }),
          ],
          chosen: 0,
          by: 'reward_model',
          reason: 'It has the highest score, 0.9. One got no score.',
          outputs: ['It does what was asked.\nREWARD: 0.9', 'It throws work away.\nREWARD: 0.2', 'I cannot say.'],
        },
      },
    ),
    began('c3'),
    seen('c3', 'built dist/ in 412 ms\n', { details: ran(0, 900), durationMs: 905 }),
    { type: 'user_message', text: 'Also look whether anything else subtracts where it should add.' },
    answer('Three agents look at the parts side by side.', [
      action(
        'd1',
        'delegate',
        {
          tasks: [
            { title: 'Read the parser', task: 'Read it.' },
            { title: 'Look at the tests', task: 'Look.' },
          ],
        },
        'Delegate 2 tasks',
      ),
    ]),
    began('d1'),
    { type: 'child_started', actionId: 'd1', session: 'child-a', title: 'Read the parser' },
    { type: 'child_started', actionId: 'd1', session: 'child-b', title: 'Look at the tests' },
    seen('d1', '## Read the parser: answered', {
      durationMs: 34_000,
      details: {
        kind: 'delegate',
        children: [
          report('child-a', 'Read the parser', 'answered', 0.021),
          report('child-b', 'Look at the tests', 'failed', 0.004),
        ],
      },
    }),
    answer('I would run the tests now.', [], {
      unreadCalls: [{ function: { name: 'run_command', arguments: '{"command": "npm te' } }],
    }),
    { type: 'feedback', cause: 'bad_arguments', text: 'The arguments of run_command are no JSON.', hidesReply: true },
    answer('', [action('c4', 'run_command', { command: 'npm test' }, 'Run npm test')]),
    began('c4'),
    seen('c4', 'ℹ pass 3\n', { details: ran(0, 1900), durationMs: 1904 }),
    {
      type: 'condensation',
      forgotten: [1, 2, 3, 4, 5, 6, 7, 8],
      summary: 'The task names a failing test. `add` in src/add.ts subtracted; it was corrected.',
      reasons: ['tokens'],
      usage: { inputTokens: 9400, outputTokens: 210, cachedTokens: 0, cost: 0.006 },
      model: 'qwen3-coder',
      durationMs: 3100,
    },
    {
      type: 'notice',
      level: 'warning',
      text: 'The last line of the log was damaged and left out; everything before it is intact.',
    },
    answer('', [action('f1', 'finish', { summary: 'Fixed.' }, 'Finish the task')]),
    seen('f1', 'Done'),
    {
      type: 'finished',
      status: 'submitted',
      summary: '`add` subtracted instead of adding. The sign is corrected and all three tests pass.',
    },
  ]);
};

/** Returns a run of this many steps with three events each. */
export const longRun = (steps: number): Event[] =>
  logOfRun([
    begin('Count.'),
    ...Array.from({ length: steps }, (_, index): NewEvent[] => [
      answer(index % 5 ? '' : `Turn ${index}: **words** and \`code\`.`, [
        action(`a${index}`, 'run_command', { command: `echo step-${index}` }, `Run echo step-${index}`),
      ]),
      began(`a${index}`),
      seen(`a${index}`, `step-${index}\n`, { details: ran(index % 7 ? 0 : 1, 40) }),
    ]).flat(),
  ]);

/** Returns another attempt at the same task, which diverges after the second step. */
export const otherRun = (): Event[] => {
  tokens = 0;
  const [begun, ...rest] = fullRun().slice(0, 9);
  tokens = 6000;
  return logOfRun([
    begun!,
    ...rest,
    answer('The edit is in, so the tests run again.', [
      action('x1', 'run_command', { command: 'npm test' }, 'Run npm test'),
    ]),
    began('x1'),
    seen('x1', 'ℹ pass 3\n', { details: ran(0, 1800), durationMs: 1803 }),
    answer('', [action('f1', 'finish', { summary: 'Fixed.' }, 'Finish the task')]),
    seen('f1', 'Done'),
    { type: 'finished', status: 'submitted', summary: 'The sign is corrected; the tests pass.' },
  ]);
};
