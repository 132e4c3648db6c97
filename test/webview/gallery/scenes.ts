import type { NewEvent } from '../../../src/protocol/events/event';
import type { ToPanel } from '../../../src/protocol/panel/panel';
import { approvalScenes } from './approvalScenes';
import { consentScenes } from './consentScenes';
import { action, command, facts, log, observed, page, reply, started, task } from '../support/events';
import { diagrams } from './diagrams';
import { offers, starters } from './offers';
import {
  riskyWork,
  child,
  condensation,
  delegation,
  editAndCommand,
  failed,
  finishedWork,
  childNews,
  longWrite,
  markdown,
  plan,
  planned,
  ranMedium,
  sampledReply,
  scoredRivals,
  strangeCommand,
  twoCommands,
  typedCommand,
  waitingStatus,
  finishedWithResults,
  work,
} from './sampleLogs';

/** Every state of the panel, as the messages that lead to it. */
export interface Scene {
  readonly messages: ToPanel[];
  /** Test ids to click, in order. */
  readonly click?: string[];
  readonly keys?: string[];
  readonly type?: string;
}

export const scenes: Record<string, Scene> = {
  ...consentScenes,
  ...approvalScenes,
  'first-start': {
    messages: [
      {
        type: 'welcome',
        offers,
        facts: (({ model: _, sessionId: __, ...rest }) => ({
          ...rest,
          status: 'empty' as const,
          title: '',
          context: null,
          spent: {
            inputTokens: null,
            outputTokens: null,
            cachedTokens: null,
            cost: null,
            steps: 0,
            uncounted: 0,
            unpriced: 0,
          },
        }))(facts()),
      },
    ],
  },
  empty: {
    messages: [
      page([], {
        status: 'empty',
        title: '',
        spent: {
          inputTokens: null,
          outputTokens: null,
          cachedTokens: null,
          cost: null,
          steps: 0,
          uncounted: 0,
          unpriced: 0,
        },
        context: null,
        model: {
          name: 'tutorial (scripted)',
          provider: 'scripted',
          scripted: true,
          textOnly: true,
          contextWindow: null,
        },
      }),
    ],
  },
  starters: {
    messages: [page([], { status: 'empty', title: '', sessionId: undefined as never }), starters],
  },
  place: {
    messages: [page([], { status: 'empty', title: '', context: null, place: { chosen: 'worktree_uncommitted' } })],
  },
  'place-refused': {
    messages: [
      page([], {
        status: 'empty',
        title: '',
        context: null,
        place: { chosen: 'workspace', problem: 'A worktree needs a Git repository with a commit.' },
      }),
    ],
  },
  'in-worktree': { messages: [page(log(...work), { status: 'ready', worktree: '/home/ada/first-run' })] },
  'pinned-todo': {
    messages: [page(log(...planned), { running: true, status: 'ready' })],
    click: ['pinned-toggle'],
  },
  editing: { messages: [page(log(...work))], keys: [], click: ['edit-message'] },
  streaming: {
    messages: [
      page(log(...work), { running: true, status: 'ready' }),
      {
        type: 'deltas',
        deltas: [
          { kind: 'reasoning', text: 'The edit is in. The tests have to be run once more.' },
          {
            kind: 'text',
            text: 'The sign is corrected. Now the tests run again, to see that\n\n- the first passes,\n- and nothing else',
          },
        ],
      },
    ],
  },
  'streaming-call': {
    messages: [
      page(log(...work), { running: true, status: 'ready' }),
      {
        type: 'deltas',
        deltas: [
          { kind: 'tool', tool: 'write_file', bytes: 412, call: 0, path: 'src/parse.ts' },
          {
            kind: 'written',
            call: 0,
            text: Array.from({ length: 12 }, (_, line) => `export const rule${line + 1} = /^${line}+/;\n`).join(''),
          },
        ],
      },
    ],
  },
  markdown: { messages: [page(log(task('Explain the parser.'), reply(markdown, [])))] },
  diagrams: { messages: [page(log(task('Draw how a request is handled.'), reply(diagrams.flowchart, [])))] },
  'diagram-sequence': { messages: [page(log(task('Draw who says what.'), reply(diagrams.sequence, [])))] },
  'diagram-others': { messages: [page(log(task('Draw the states and the data.'), reply(diagrams.others, [])))] },
  'diagram-source': {
    messages: [page(log(task('Draw how a request is handled.'), reply(diagrams.flowchart, [])))],
    click: ['diagram-source'],
  },
  'running-command': {
    messages: [
      page(
        log(
          ...work,
          reply('', [
            action('c2', 'run_command', { command: 'npm test -- --watch=false --reporter=spec' }, 'Run npm test'),
          ]),
          started('c2'),
        ),
        { running: true, status: 'ready' },
      ),
      {
        type: 'deltas',
        deltas: [
          {
            kind: 'output',
            actionId: 'c2',
            text: Array.from({ length: 14 }, (_, line) => `✔ case ${line + 1} passes (0.${line} ms)\n`).join(''),
          },
        ],
      },
    ],
  },
  approval: { messages: [page(log(...riskyWork), waitingStatus)] },
  'approval-strange': {
    messages: [
      page(
        log(task('Install it.'), strangeCommand, { type: 'confirmation_requested', actionIds: ['c9'] }),
        waitingStatus,
      ),
    ],
  },
  'approval-long': {
    messages: [
      page(
        log(task('Generate the table.'), longWrite, { type: 'confirmation_requested', actionIds: ['w1'] }),
        waitingStatus,
      ),
      { type: 'preview', actionId: 'w1', hash: '', canAllow: true },
    ],
  },
  'approval-two': {
    messages: [
      page(log(task('Fix it.'), editAndCommand, { type: 'confirmation_requested', actionIds: ['e5', 'c5'] }), {
        ...waitingStatus,
        confirmation: 'always',
      }),
    ],
  },
  'approval-note': {
    messages: [
      page(log(...riskyWork), {
        ...waitingStatus,
        sandbox: {
          on: false,
          words: 'Commands run without a sandbox, with all rights of your account: bubblewrap is not installed.',
        },
      }),
    ],
    click: ['refuse-note'],
  },
  refused: {
    messages: [
      page(
        log(
          ...riskyWork,
          {
            type: 'confirmation_resolved',
            actionIds: ['c9'],
            approved: false,
            comment: 'Leave the cache alone; only dist may go.',
            by: 'person',
          },
          observed('c9', 'Refused', undefined, 'rejected'),
          reply('Understood: only `dist` is removed.', []),
        ),
      ),
    ],
  },
  question: {
    messages: [
      page(
        log(...work, reply('', [action('q1', 'ask_user', { question: '', choices: [] }, 'Ask')]), {
          type: 'question_asked',
          actionId: 'q1',
          question: 'Two files define `add`. Which one should stay?',
          choices: ['src/add.ts', 'src/legacy/add.ts', 'Both, with a warning in the old one'],
        }),
        { status: 'waiting_for_answer', running: true },
      ),
    ],
  },
  paused: {
    messages: [page(log(...work, { type: 'paused', reason: 'You interrupted this run.' }), { status: 'paused' })],
  },
  'paused-before-acting': {
    messages: [
      page(
        log(
          ...work,
          twoCommands,
          { type: 'pause_requested' },
          { type: 'paused', reason: 'You paused this run.', checkpoint: 'before_acting' },
        ),
        { status: 'paused' },
      ),
    ],
  },
  stepping: {
    messages: [
      page(
        log(
          ...work.slice(0, 5),
          { type: 'settings_changed', stepping: true },
          { type: 'paused', reason: 'Step by step.', checkpoint: 'before_reasoning' },
          { type: 'resumed' },
          ...work.slice(5),
          { type: 'paused', reason: 'Step by step.', checkpoint: 'before_reasoning' },
        ),
        { status: 'paused', stepping: true },
      ),
    ],
  },
  pausing: {
    messages: [
      page(log(...work, twoCommands, started('c2'), { type: 'pause_requested' }), {
        running: true,
        status: 'ready',
        pauseRequested: true,
      }),
    ],
  },
  stopped: {
    messages: [
      page(
        log(...work, {
          type: 'finished',
          status: 'stopped',
          cause: 'person',
          summary: 'You stopped this run. 5 actions were done. Changed: src/add.ts.',
        }),
        { status: 'finished' },
      ),
    ],
  },
  steered: {
    messages: [
      page(
        log(
          ...work.slice(0, 5),
          { type: 'user_message', text: 'Only the first test matters.', delivery: 'steer' },
          reply(
            'Only the first, then.',
            [
              action(
                'c4',
                'run_command',
                { command: 'node --test test/add.test.ts' },
                'Run node --test test/add.test.ts',
              ),
            ],
            { readUpTo: 6 },
          ),
          started('c4'),
          { type: 'user_message', text: 'And name it in the log.', delivery: 'steer' },
        ),
        { running: true, status: 'ready' },
      ),
    ],
  },
  human: {
    messages: [
      page(
        log(
          ...work,
          { type: 'settings_changed', mode: 'human' },
          { type: 'user_message', text: 'git diff --stat' },
          typedCommand('git diff --stat', 14),
          started('h1'),
          observed('h1', ' src/add.ts | 3 ++-\n', command(0, 40)),
          { type: 'user_message', text: 'npm test' },
        ),
        { mode: 'human', status: 'ready', running: true },
      ),
    ],
    type: 'git status',
  },
  'human-turn': {
    messages: [page(log(...work, { type: 'settings_changed', mode: 'human' }), { mode: 'human', status: 'idle' })],
  },
  'plan-mode': {
    messages: [
      page(
        log(
          ...work.slice(0, 5),
          { type: 'settings_changed', mode: 'plan' },
          {
            type: 'feedback',
            cause: 'mode_changed',
            text: 'Plan mode: read and think, but change nothing and run no project code (no tests, builds, scripts or package managers). Answer with a plan, or the answer to a question.',
          },
          reply('1. Correct the sign in `src/add.ts`.\n2. Run the tests.', []),
        ),
        { mode: 'plan', profile: 'hermes' },
      ),
    ],
  },
  condensed: {
    messages: [
      page(
        log(
          ...work,
          { type: 'condensation_requested', by: 'person' },
          condensation,
          reply('Now the tests run again.', []),
        ),
      ),
    ],
    keys: ['k', 'k', 'Enter'],
    click: ['forgotten'],
  },
  context: {
    messages: [
      page(log(...work), {
        context: {
          tokens: 108_400,
          parts: {
            system: 3200,
            tools: 9600,
            messages: 2300,
            replies: 18_900,
            reasoning: 12_400,
            results: 58_000,
            summaries: 4000,
          },
          measured: true,
        },
      }),
    ],
    click: ['usage'],
  },
  'context-estimated': {
    messages: [
      page(log(...work), {
        model: {
          name: 'qwen3-coder',
          provider: 'openai-compatible',
          scripted: false,
          textOnly: false,
          contextWindow: null,
        },
        context: {
          tokens: 11_400,
          parts: {
            system: 1200,
            tools: 2600,
            messages: 300,
            replies: 900,
            reasoning: 400,
            results: 6000,
            summaries: 0,
          },
          measured: false,
        },
      }),
    ],
    click: ['usage'],
  },
  circles: {
    messages: [
      page(
        log(
          ...work.slice(0, 8),
          {
            type: 'feedback',
            cause: 'going_in_circles',
            text: 'The last 3 steps made the same call, and it failed each time (same error). Repeating it will not help: read the result, try another way, or ask.',
          },
          {
            type: 'finished',
            status: 'failed',
            cause: 'going_in_circles',
            summary: '',
            problem: {
              what: 'The run is stuck in a loop.',
              why: 'The last 4 steps made the same call, and it failed each time (same error).',
              next: 'Tell the agent what to do differently, or resume to let it continue.',
            },
          },
        ),
        { status: 'finished' },
      ),
    ],
  },
  'too-long': {
    messages: [
      page(
        log(task('Summarize the timetable.'), reply('Half of it is read.', []), task('And the rest?'), {
          type: 'finished',
          status: 'failed',
          cause: 'context_overflow',
          summary: '',
          problem: {
            what: 'The conversation is longer than the model “qwen3-coder” can read.',
            why: 'The server answered: prompt is too long: 32,900 tokens > 32,768 maximum.',
            next: 'Condense the conversation, start a new one, or choose a model with a larger context.',
            remedy: 'choose_model',
          },
        }),
        { status: 'finished' },
      ),
    ],
  },
  feedback: {
    messages: [
      page(
        log(
          task('Fix it.'),
          reply('I would run the tests now.', [], {
            written: 'I would run the tests now.\n\n```bash\nnpm test\n```\n\n```bash\nls\n```',
            unreadCalls: [{ function: { name: 'run_command', arguments: '{"command": "npm te' } }],
          }),
          { type: 'feedback', cause: 'format_error', text: 'Write exactly one command.', hidesReply: true },
          { type: 'feedback', cause: 'reply_cut', text: 'Go on.' },
          { type: 'feedback', cause: 'bad_arguments', text: '' },
          { type: 'feedback', cause: 'wrap_up', text: 'The limit of this task is reached.' },
          reply('All is done but the docs.', []),
        ),
      ),
    ],
    click: ['reply-details'],
  },
  structured: {
    messages: [
      page(
        log(
          task('Fix it.'),
          reply(
            'I look at the test first.',
            [action('x1', 'run_command', { command: 'cat test/add.test.ts' }, 'Run cat test/add.test.ts')],
            {
              written:
                '<StructuredResponse>\n  <InstantResponse>I look at the test first.</InstantResponse>\n  <TaskStatus>Ongoing</TaskStatus>\n</StructuredResponse>',
              taskState: {
                status: 'ongoing',
                description: 'The test is being read',
                learnings: ['Tests run with node --test'],
              },
            },
          ),
          started('x1'),
          observed('x1', 'import …\n', command(0)),
        ),
        { profile: 'workgraph' },
      ),
    ],
    keys: ['k', 'Enter'],
  },
  options: {
    messages: [
      page([], {
        status: 'empty',
        title: '',
        context: null,
        next: {
          profile: 'hermes',
          mode: 'confirm',
          candidates: 4,
          verifier: 'reward_model',
          toolsets: ['debugging', 'todo'],
          disabledToolsets: [],
        },
        profile: 'hermes',
        spent: {
          inputTokens: null,
          outputTokens: null,
          cachedTokens: null,
          cost: null,
          steps: 0,
          uncounted: 0,
          unpriced: 0,
        },
      }),
    ],
  },
  retry: {
    messages: [
      page(
        log(...work).concat({
          seq: work.length,
          at: Date.now(),
          type: 'retry_scheduled',
          attempt: 2,
          delayMs: 8000,
          why: 'The server answered 429: too many requests. It asks to wait 8 s.',
        }),
        { running: true, status: 'ready' },
      ),
    ],
  },
  'limit-reached': {
    messages: [
      page(
        log(...work, {
          type: 'finished',
          status: 'limit_exceeded',
          cause: 'steps',
          summary: 'The limit of 50 steps is reached.',
        }),
        { status: 'finished', limits: { steps: 50, cost: 5, seconds: 0 } },
      ),
    ],
  },
  failed: {
    messages: [
      page(log(...failed), {
        status: 'finished',
        spent: {
          inputTokens: 24_310,
          outputTokens: 1210,
          cachedTokens: null,
          cost: null,
          steps: 6,
          uncounted: 0,
          unpriced: 6,
        },
      }),
    ],
  },
  finished: { messages: [page(log(...finishedWork), { status: 'finished' })] },
  'finished-reviewed': {
    messages: [
      page(log(...finishedWork), { status: 'finished' }),
      { type: 'changes', session: 's1', kept: true, total: 0, files: [] },
      {
        type: 'past_changes',
        session: 's1',
        files: [
          { action: 'c1', shown: 'src/add.ts', kind: 'modified', reverted: true },
          { action: 'c2', shown: 'coverage/index.html', kind: 'created', byCommand: true },
          {
            ...{ action: 'c2', shown: 'packages/reports/coverage/summary-of-all-packages/index.html' },
            ...{ kind: 'deleted', byCommand: true, reverted: true },
          },
        ],
      },
    ],
  },
  'finished-results': { messages: [page(log(...finishedWithResults), { status: 'finished' })] },
  'ran-medium': { messages: [page(log(...ranMedium), { status: 'ready' })] },
  restricted: { messages: [page(log(...work.slice(0, 5), reply('It subtracts.', [])), { trusted: false })] },
  'read-only': { messages: [page(log(...work), { writable: false, status: 'ready' })] },
  interrupted: {
    messages: [
      page(
        log(...work, reply('', [action('c2', 'run_command', { command: 'npm test' }, 'Run npm test')]), started('c2'), {
          type: 'notice',
          level: 'warning',
          text: 'The last line of the log was damaged and left out; everything before it is intact.',
        }),
        { status: 'ready' },
      ),
    ],
  },
  queued: {
    messages: [
      page(
        log(
          ...work,
          reply('', [action('c2', 'run_command', { command: 'npm run build' }, 'Run npm run build')]),
          started('c2'),
          { type: 'user_message', text: 'Also add a test for negative numbers.' },
          {
            type: 'user_message',
            text: 'Then explain in the README what sum does when it is given no numbers at all, with an example.',
            images: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
          },
          { type: 'user_message', text: 'Stop using the old name.', delivery: 'steer' },
          { type: 'user_message', text: 'Rename sum to total.' },
          { type: 'message_changed', message: work.length + 5, change: 'held' },
        ),
        { running: true, status: 'ready' },
      ),
    ],
    type: 'And keep the old name exported.',
  },
  opened: { messages: [page(log(...work))], keys: ['k', 'Enter', 'k', 'k', 'Enter'] },
  todo: {
    messages: [
      page(
        log(
          task('Plan it.'),
          reply('', [action('t1', 'todo', {}, 'Plan: 1 of 3 done')]),
          observed('t1', '', {
            kind: 'todo',
            items: [
              { text: 'Read the test', state: 'done' },
              { text: 'Correct the sign', state: 'active' },
              { text: 'Run everything', state: 'pending' },
            ],
          }),
          { type: 'condensation', forgotten: [1, 2, 3], summary: 'Earlier: the test was read.' },
          { type: 'allow_rule_added', rule: { tool: 'run_command', key: 'npm test' } },
          reply('', []),
        ),
      ),
    ],
    keys: ['k', 'k', 'k', 'Enter'],
  },
  candidates: {
    messages: [page(log(...work.slice(0, 5), sampledReply({})), { running: true, status: 'ready' })],
    keys: ['k', 'k', 'k', 'Enter'],
  },
  'candidates-scored': {
    messages: [
      page(
        log(
          task('Fix it.'),
          sampledReply(
            {
              candidates: scoredRivals,
              chosen: 1,
              by: 'reward_model',
              reason: 'It has the highest score, 0.9. One got no score. 1 of 4 candidates failed: The server is busy.',
              outputs: ['It only looks.\nREWARD: 0.2', 'It gets things done.\nREWARD: 0.9', 'I cannot say.'],
            },
            [],
          ),
        ),
      ),
    ],
    keys: ['k', 'k', 'Enter'],
  },
  'candidates-closed': {
    messages: [
      page(
        log(
          ...work.slice(0, 5),
          sampledReply({}),
          started('c3'),
          observed('c3', 'ok', command(0)),
          sampledReply(
            {
              by: 'llm',
              fallback: 'first_valid',
              reason: 'The judge named no candidate. The first valid candidate is used.',
              outputs: ['All are fine.'],
            },
            [],
          ),
        ),
      ),
    ],
  },
  'candidates-coming': {
    messages: [
      page(log(...work), { running: true, status: 'ready' }),
      { type: 'deltas', deltas: [{ kind: 'progress', doing: 'sampling', done: 2, of: 4 }] },
    ],
  },
  delegated: {
    messages: [
      page(log(...delegation), { running: true, status: 'ready' }),
      {
        type: 'deltas',
        deltas: [
          childNews({
            actionId: 'd1',
            session: 'c0',
            title: 'Read the parser',
            status: 'ready',
            words: 'Read src/parse.ts',
          }),
          childNews({
            actionId: 'd1',
            session: 'c1',
            title: 'Clean the build folder',
            status: 'waiting_for_confirmation',
            words: 'Run rm -rf dist',
          }),
          childNews({
            actionId: 'd1',
            session: 'c2',
            title: 'Look at the tests',
            status: 'idle',
            words: 'There are nine tests, and none of them reads a continued line.',
          }),
        ],
      },
    ],
  },
  'delegated-done': {
    messages: [
      page(
        log(
          ...delegation,
          observed('d1', '## Read the parser: answered\nIt reads three kinds of line.', {
            kind: 'delegate',
            children: [
              child('c0', 'Read the parser', 'answered', 'It reads three kinds of line.'),
              child(
                'c1',
                'Clean the build folder',
                'limit_exceeded',
                'The limit of 4 steps is reached. 3 actions were done.',
              ),
              child('c2', 'Look at the tests', 'failed', 'The model’s server did not answer.'),
            ],
          }),
          reply('The parser is known; the rest is still open.', []),
        ),
      ),
    ],
  },
  plan: {
    messages: [
      page(log(...plan), { running: true, status: 'ready' }),
      {
        type: 'deltas',
        deltas: [
          childNews({
            actionId: 'p1',
            session: 'pa',
            title: 'A: Describe the old format',
            status: 'idle',
            words: 'Each line is a departure.',
          }),
          childNews({
            actionId: 'p1',
            session: 'pb',
            title: 'B: Write the converter',
            status: 'ready',
            words: 'Edit src/convert.ts',
          }),
          childNews({
            actionId: 'p1',
            session: 'pc',
            title: 'C: Write its tests',
            status: 'waiting_for_confirmation',
            words: 'Run npm install',
          }),
        ],
      },
    ],
  },
  'plan-done': {
    messages: [
      page(
        log(
          ...plan,
          observed('p1', '…', {
            kind: 'delegate',
            edges: [
              [0, 1],
              [0, 2],
              [1, 3],
              [2, 3],
            ],
            children: [
              child('pa', 'A: Describe the old format', 'answered', 'Each line is a departure.'),
              child('pb', 'B: Write the converter', 'submitted', 'src/convert.ts converts a file.'),
              child('pc', 'C: Write its tests', 'failed', 'npm install was refused.'),
              child('', 'D: Convert all files and check them', 'not_run', 'D depends on C, which was not solved.'),
            ],
          }),
        ),
      ),
    ],
  },
  child: {
    messages: [
      page(
        log(
          { ...task('Read the parser.'), parent: { session: 's0', actionId: 'd1' } } as NewEvent,
          reply('It reads three kinds of line.', []),
        ),
      ),
    ],
  },
  search: { messages: [page(log(...finishedWork), { status: 'finished' })], keys: ['/'], type: 'add.ts' },
  help: { messages: [page(log(...work))], keys: ['?'] },
  compose: {
    messages: [
      page(log(...work)),
      {
        type: 'compose',
        text: 'Also add a test for negative numbers.',
        problem: 'The message was not sent: the model’s server is not reachable.',
      },
    ],
  },
};
