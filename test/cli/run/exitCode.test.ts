import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { exitCode } from '../../../src/cli/run/exitCode';
import type { Event } from '../../../src/protocol/events/event';
import { agentResponse, taskStarted } from '../../support/newEvents';
import { failure, reply, silence, toolCall, toolCalls } from '../../support/modelServer';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { ensureBuilt, onMachine, processesIn, until } from '../support/commandLine';

const finish = toolCall('finish', { summary: 'It is done.' });
const command = (text: string) => toolCall('run_command', { command: text });

describe('the exit code of waymark run', () => {
  before(ensureBuilt);

  it('is 0 for a submitted task and for a final answer in plain text', () =>
    onMachine([command('echo made > made.txt'), finish, reply('All is well.')], async ({ run, workspace, events }) => {
      const first = await run('Make a file.');
      assert.deepEqual([first.code, workspace.bytes('made.txt')?.toString()], [0, 'made\n']);
      assert.match(first.stderr, /^1 changed file\. .*\n$/);
      assert.match(first.stdout, /✓ It is done\./);
      const second = await run('Is it well?');
      assert.deepEqual([second.code, events().at(-1)?.type], [0, 'finished']);
      assert.match(second.stdout, /All is well\./);
    }));

  it('is 1 if the server rejects the key, with advice', () =>
    onMachine([failure(401, 'bad key')], async ({ run }) => {
      const { code, stdout, stderr } = await run('Try.');
      assert.equal(code, 1);
      assert.match(stdout, /✗ .*key/i);
      assert.match(stderr, /session\.jsonl; --log continues it/);
    }));

  it('is 1 if the script of the tutorial model is invalid', () =>
    onMachine([], async ({ start, workspace, log }) => {
      workspace.place('script.jsonl', 'this is no script\n');
      const { code, stderr } = await start(['run', 'Try.', '--script', 'script.jsonl', '--log', log]).ended;
      assert.equal(code, 1);
      assert.match(stderr, /script/i);
      assert.doesNotMatch(stderr, /\n\s+at /, 'a stack trace is for nobody');
    }));

  it('is 2 at the step limit', () =>
    onMachine([command('echo 1'), command('echo 2')], async ({ run, server, events }) => {
      const { code, stdout } = await run('Go on and on.', '--max-steps', '2');
      assert.deepEqual([code, server.requests.length, events().at(-1)?.type], [2, 2, 'finished']);
      assert.match(stdout, /limit of 2 steps/);
    }));

  it('is 2 at the step limit, in which other candidates do not count', () =>
    onMachine([command('echo 1'), command('echo 2'), command('echo 3')], async ({ run, server }) => {
      const { code } = await run('Go on and on.', '--max-steps', '1', '--candidates', '3');
      assert.deepEqual([code, server.requests.length], [2, 3]);
    }));

  it('is 2 at the cost limit', () =>
    onMachine(
      [command('echo 1')].map((answer) => ({
        ...answer,
        body: String(answer.body).replace('"prompt_tokens":10', '"prompt_tokens":1000000'),
      })),
      async ({ run, server }) => {
        const { code, stdout } = await run('Spend.', '--max-cost', '1');
        assert.deepEqual([code, server.requests.length], [2, 1]);
        assert.match(stdout, /limit of \$1/);
      },
    ));

  it('is 2 at the time limit, even during a command, and no process is left', () =>
    onMachine([command('sleep 600; echo late > late.txt')], async ({ run, workspace, events }) => {
      const { code, stdout } = await run('Wait.', '--max-seconds', '2', '--confirm', 'never');
      assert.equal(code, 2);
      assert.match(stdout, /limit of 2 seconds/);
      assert.deepEqual(
        events()
          .slice(-2)
          .map((event) => (event.type === 'observation' ? event.outcome : event.type)),
        ['interrupted', 'finished'],
      );
      assert.deepEqual(processesIn(workspace.root), [], 'something lives on');
      assert.equal(workspace.bytes('late.txt'), undefined);
    }));

  it('is 2 at the time limit while the model is silent', () =>
    onMachine([silence], async ({ run }) => {
      assert.equal((await run('Wait.', '--max-seconds', '1')).code, 2);
    }));

  it('is 3 if consent is needed and nobody can be asked; nothing ran, and the log can be continued', () =>
    onMachine([command('rm -rf precious'), finish], async ({ run, workspace, server, events }) => {
      workspace.place('precious/file.txt', 'x');
      const { code, stderr } = await run('Clean up.', '--dialect', 'waymark');
      assert.deepEqual(
        [code, workspace.names(), events().at(-1)?.type],
        [3, ['precious', 'precious/file.txt'], 'confirmation_requested'],
      );
      assert.match(stderr, /needs approval.*--confirm never/s);

      const still = await run('Please.', '--json');
      assert.deepEqual(
        [still.code, workspace.names().length, server.requests.length],
        [3, 2, 1],
        'words are no consent',
      );
      assert.match(still.stderr, /--approve [0-9a-f]{12} /);
      for (const line of still.stdout.trim().split('\n')) JSON.parse(line);

      const second = await run('Go on.', '--confirm', 'never');
      assert.deepEqual([second.code, workspace.names()], [0, []]);
      const [result = '', words] = server.requests
        .at(-1)!
        .body.messages.slice(-2)
        .map(({ content }) => content as string);
      assert.match(result, /^\[exit code 0(\nIt ran outside the sandbox[^]*)?\]$/);
      assert.equal(words, 'Please.\n\nGo on.');
    }));

  it('is 3 after the earlier actions of the reply, or before all of them with --whole-replies on', async () => {
    const calls = ['echo x > first.txt', 'rm -rf precious', 'echo x > last.txt'].map((text) => ({
      tool: 'run_command',
      input: { command: text },
    }));
    const places: readonly (readonly [string, readonly string[]])[] = [
      ['profile', ['first.txt']],
      ['off', ['first.txt']],
      ['on', []],
    ];
    for (const [when, made] of places)
      await onMachine([toolCalls(calls)], async ({ run, workspace }) => {
        workspace.place('precious/file.txt', 'x');
        const { code } = await run('Clean up.', '--dialect', 'waymark', '--whole-replies', when);
        assert.deepEqual([code, workspace.names()], [3, [...made, 'precious', 'precious/file.txt']], when);
      });
  });

  it('is 130 if it is interrupted during a command; no process is left and the log is complete', () =>
    onMachine(
      [command('sleep 600 & echo begun > begun; wait; echo late > late.txt')],
      async ({ start, args, workspace, events }) => {
        const { child, ended } = start(args('Wait.', '--confirm', 'never'));
        await until('the command', () => (workspace.bytes('begun')?.length ?? 0) > 0);
        assert.notEqual(processesIn(workspace.root).length, 0);
        child.kill('SIGINT');
        const { code, stderr } = await ended;
        assert.equal(code, 130);
        assert.match(stderr, /^The run was stopped, and with it \d+ process(es)?\.$/m);
        assert.deepEqual(processesIn(workspace.root), [], 'something lives on');
        assert.deepEqual(
          events()
            .slice(-2)
            .map((event) => (event.type === 'observation' ? event.outcome : event.type)),
          ['interrupted', 'finished'],
        );
        assert.equal(workspace.bytes('late.txt'), undefined);
      },
    ));

  for (const unit of ['a', 'a://', '{', ' \n']) {
    it(`is 130 if it is interrupted while 2 MB of ${JSON.stringify(unit)} are judged or written`, () =>
      onMachine(
        [
          toolCall('write_file', { path: 'long.ts', content: unit.repeat(2_000_000 / unit.length) }),
          { ...reply('Never read.'), delayMs: 600_000 },
        ],
        async ({ start, args, workspace, server, events }) => {
          const { child, ended } = start(args('Write it.', '--confirm', 'risky'));
          await until('the request', () => server.requests.length > 0);
          child.kill('SIGINT');
          assert.equal((await ended).code, 130);
          const last = events().at(-1)!;
          assert.deepEqual([last.type, last.type === 'finished' && last.status], ['finished', 'stopped']);
          const written = workspace.bytes('long.ts');
          assert.ok(written === undefined || written.length === 2_000_000, 'half of the file was written');
        },
      ));
  }

  it('is 130 if nobody reads the output', () =>
    onMachine([{ ...reply('Hello.'), delayMs: 60_000 }], async ({ start, args, events }) => {
      const { child, ended } = start(args('Talk.', '--json'));
      child.stdout!.destroy();
      const { code, stderr } = await ended;
      assert.equal(code, 130);
      assert.doesNotMatch(stderr, /EPIPE/);
      assert.equal(events()[0]?.type, 'task_started');
    }));

  it('is 1 with a short message for a missing folder', () =>
    onMachine([], async ({ run, workspace }) => {
      const { code, stderr, stdout } = await run('Try.', '--cwd', workspace.at('nowhere'));
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /nowhere is not a folder\. .*--cwd\.\n$/);
    }));

  it('is 1 for a session of another folder', () =>
    onMachine([reply('Hello.')], async ({ run }) => {
      const elsewhere = temporaryWorkspace();
      try {
        assert.equal((await run('Hello.')).code, 0);
        const { code, stderr } = await run('Again.', '--cwd', elsewhere.root);
        assert.equal(code, 1);
        assert.match(stderr, /This session works in/);
      } finally {
        elsewhere.stop();
      }
    }));

  it('is 1 while another process writes the log', () =>
    onMachine([{ ...reply('Hello.'), delayMs: 60_000 }], async ({ run, start, args, log, server }) => {
      const { child, ended } = start(args('Wait.'));
      await until('the request', () => server.requests.length > 0 && fs.existsSync(log));
      const second = await run('Me too.');
      child.kill('SIGTERM');
      assert.deepEqual([second.code, (await ended).code], [1, 130]);
      assert.match(second.stderr, /open in another/);
    }));

  const wrong: [string, string[], RegExp][] = [
    ['an unknown option', ['--colour', 'red'], /unknown option '--colour'/],
    ['a non-numeric limit', ['--max-steps', 'many'], /--max-steps.*must be a number/s],
    ['a negative limit', ['--max-cost', '-1'], /--max-cost|unknown option/],
    ['an unknown confirmation policy', ['--confirm', 'maybe'], /--confirm.*always, risky, never/s],
  ];
  for (const [what, options, words] of wrong) {
    it(`is 1 with an explanation for ${what}`, () =>
      onMachine([], async ({ run, server }) => {
        const { code, stderr } = await run('Try.', ...options);
        assert.deepEqual([code, server.requests.length], [1, 0]);
        assert.match(stderr, words);
      }));
  }

  it('is 1 without a task or without a model', () =>
    onMachine([], async ({ start, log }) => {
      for (const [args, words] of [
        [['run'], /missing required argument 'task'\nRun "waymark run --help" for its arguments and options\./],
        [['frobnicate'], /unknown command 'frobnicate'\nRun "waymark --help" for all commands\./],
        [['run', ' ', '--log', log], /There is no task/],
        [['run', 'Try.', '--log', log], /Give --model, and --provider or --base-url/],
      ] as const) {
        const { code, stderr } = await start(args).ended;
        assert.equal(code, 1);
        assert.match(stderr, words);
      }
      assert.equal(fs.existsSync(log), false, 'a run that could not begin leaves no log');
    }));
});

describe('the command that answers a question of the agent', () => {
  for (const [choice, typed] of [
    ['red', 'red'],
    ['a red one', "'a red one'"],
    ['--confirm=never', "'YOUR ANSWER'"],
    ['-y', "'YOUR ANSWER'"],
    ['\u001b[2Jred', "'YOUR ANSWER'"],
  ] as const) {
    it(`for ${JSON.stringify(choice)} names no option and hides nothing`, () => {
      const action = {
        ...{ id: 'a', tool: 'ask_user', input: {}, summary: 'Asks', group: 0, effect: 'reads' as const },
        risk: { level: 'low' as const, reasons: [] },
      };
      const history = [
        taskStarted('Paint.'),
        agentResponse('', { readUpTo: 1, actions: [action] }),
        { type: 'question_asked', actionId: 'a', question: 'Which?', choices: [choice, 'blue'] },
      ].map((event, seq) => ({ ...event, seq, at: 0 }) as Event);
      const { code, words = '' } = exitCode({ history, log: 'run.jsonl', again: [] });
      assert.equal(code, 3);
      assert.match(words, new RegExp(`^To answer: waymark run ${typed} --log run\\.jsonl$`, 'm'));
      assert.doesNotMatch(words, /[^\P{Cc}\n]/u);
    });
  }
});
