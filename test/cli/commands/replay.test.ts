import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { reply, toolCall } from '../../support/modelServer';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { ensureBuilt, onMachine } from '../support/commandLine';
import { agentResponse, taskStarted, uncounted } from '../../support/newEvents';

const run = (command: string) => toolCall('run_command', { command });

/** Changes from another program's log need approval without a sandbox, and nobody approves here. */
async function skipWithoutSandbox(test: Mocha.Context): Promise<void> {
  if ('none' in (await findSandbox([process.cwd()]))) test.skip();
}

describe('waymark replay', () => {
  before(ensureBuilt);

  const answers = () => [
    toolCall('read_file', { path: 'a.txt' }),
    toolCall('edit_file', { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] }),
    run('cat a.txt; date; pwd; echo "took 0.$RANDOM s"'),
    run('ls missing'),
    reply('It is done.'),
  ];

  it('reports the same results, and deletes its copy afterwards', () =>
    onMachine(answers(), async (machine) => {
      const [original, copies] = [temporaryWorkspace(), temporaryWorkspace()];
      for (const { place } of [machine.workspace, original]) place('a.txt', 'one\n');
      assert.equal((await machine.run('Change it.')).code, 0);
      for (const file of [
        machine.log,
        exported(
          await machine.start([
            'export',
            machine.log,
            '--to',
            'mini',
            '--out',
            machine.workspace.at('run.traj.json'),
            '--force',
          ]).ended,
          machine.workspace.at('run.traj.json'),
        ),
      ]) {
        const { code, stdout, stderr } = await machine.start(['replay', file, '--cwd', original.root], {
          TMPDIR: copies.root,
        }).ended;
        assert.deepEqual(
          [code, stdout.match(/^4 actions: 4 the same, 0 different\.$/m)?.length],
          [0, 1],
          stdout + stderr,
        );
      }
      assert.equal(fs.readFileSync(original.at('a.txt'), 'utf8'), 'one\n', 'the folder itself is not touched');
      assert.deepEqual(fs.readdirSync(copies.root), []);
      original.stop();
      copies.stop();
    }));

  it('reports different output, exit codes and files', () =>
    onMachine(answers(), async (machine) => {
      const other = temporaryWorkspace();
      machine.workspace.place('a.txt', 'one\n');
      other.place('a.txt', 'one\nmore\n');
      other.place('missing/it', '');
      await machine.run('Change it.');
      const { code, stdout } = await machine.start(['replay', machine.log, '--cwd', other.root, '--json']).ended;
      const { same, counts, actions } = JSON.parse(stdout) as {
        same: boolean;
        counts: Record<string, number>;
        actions: { verdict: string; differences: { what: string; recorded: string; replayed: string }[] }[];
      };
      assert.deepEqual([code, same, counts['differs']], [1, false, 4], stdout);
      assert.deepEqual(
        actions.map(({ differences }) => differences.map(({ what }) => what)),
        [['output'], ['files'], ['output'], ['exit_code', 'output']],
      );
      assert.deepEqual(actions[3]!.differences[0], {
        what: 'exit_code',
        recorded: 'exit code 2',
        replayed: 'exit code 0',
      });
      other.stop();
    }));

  it('runs nothing that needs consent or that a person refused, whatever the log says', () =>
    onMachine(
      [run('rm -rf src'), run('curl -s http://example.invalid/x'), run('echo kept > kept.txt'), reply('Done.')],
      async (machine) => {
        const original = temporaryWorkspace();
        for (const { place } of [machine.workspace, original]) place('src/x', 'x');
        await machine.run('Clean it.', '--confirm', 'never', '--sandbox', 'off');
        assert.equal(fs.existsSync(machine.workspace.at('src')), false, 'it ran when it was recorded');
        const { code, stdout } = await machine.start(['replay', machine.log, '--cwd', original.root, '--in-place'])
          .ended;
        assert.deepEqual(
          [code, fs.existsSync(original.at('src/x')), fs.existsSync(original.at('kept.txt'))],
          [3, true, true],
          stdout,
        );
        assert.match(stdout, /not run .*rm -rf src/);
        assert.match(stdout, /2 not run, because they need approval/);

        const events = machine
          .events()
          .map((event) =>
            event.type === 'observation' &&
            /kept/.test(
              JSON.stringify(
                machine
                  .events()
                  .find(
                    (each) => each.type === 'agent_response' && each.actions.some(({ id }) => id === event.actionId),
                  ),
              ),
            )
              ? { ...event, outcome: 'rejected' }
              : event,
          );
        const made = machine.workspace.at('made.waymark.jsonl');
        fs.writeFileSync(
          made,
          `${JSON.stringify({ waymark: 1 })}\n${events.map((event) => JSON.stringify(event)).join('\n')}\n`,
        );
        original.remove('kept.txt');
        const second = await machine.start(['replay', made, '--cwd', original.root, '--in-place']).ended;
        assert.deepEqual([second.code, fs.existsSync(original.at('kept.txt'))], [3, false], second.stdout);
        assert.match(second.stdout, /not compared .*It was refused when it was recorded/);
        original.stop();
      },
    ));

  it('replays runs in other formats', async function () {
    await skipWithoutSandbox(this);
    await onMachine(
      [
        toolCall('bash', { command: 'cat a.txt && echo two >> a.txt' }),
        toolCall('bash', { command: 'ls missing; exit 3' }),
        toolCall('bash', { command: 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat a.txt' }),
      ],
      async (machine) => {
        const original = temporaryWorkspace();
        for (const { place } of [machine.workspace, original]) place('a.txt', 'one\n');
        await machine.run('Change it.', '--profile', 'mini', '--confirm', 'never');
        for (const format of ['sharegpt', 'openhands', 'atif', 'openai']) {
          const out = machine.workspace.at(`../${path.basename(machine.workspace.root)}-${format}`);
          assert.equal((await machine.start(['export', machine.log, '--to', format, '--out', out]).ended).code, 0);
          const { code, stdout, stderr } = await machine.start(['replay', out, '--cwd', original.root]).ended;
          assert.deepEqual([format, code, /^3 actions: 3 the same/m.test(stdout)], [format, 0, true], stdout + stderr);
          fs.rmSync(out, { recursive: true });
        }
        original.stop();
      },
    );
  });

  it('asks about more actions if another machine wrote the log and there is no sandbox', () =>
    onMachine([run('truncate -s 0 build/x'), reply('Done.')], async (machine) => {
      const original = temporaryWorkspace();
      for (const { place } of [machine.workspace, original]) place('build/x', 'x');
      await machine.run('Clean it.', '--confirm', 'never', '--sandbox', 'off');
      const made = machine.workspace.at('made.waymark.jsonl');
      fs.writeFileSync(
        made,
        `${JSON.stringify({ waymark: 1 })}\n${machine
          .events()
          .map((event) => JSON.stringify(event))
          .join('\n')}\n`,
      );
      for (const [file, code] of [
        [machine.log, 0],
        [made, 3],
      ] as const) {
        const { code: ended, stdout } = await machine.start([
          'replay',
          file,
          '--cwd',
          original.root,
          '--sandbox',
          'off',
        ]).ended;
        assert.equal(ended, code, stdout);
      }
      original.stop();
    }));

  it('says that nothing could be compared, with an exit code of its own', async () => {
    const replayed = async (answers: Parameters<typeof onMachine>[0], ...options: string[]) => {
      const ends: { code: number | null; stdout: string }[] = [];
      await onMachine(answers, async (machine) => {
        const original = temporaryWorkspace();
        await machine.run('Clean it.', '--confirm', 'risky');
        ends.push(await machine.start(['replay', machine.log, '--cwd', original.root, ...options]).ended);
        original.stop();
      });
      return ends[0]!;
    };
    const words = await replayed([reply('There is nothing to do.')]);
    assert.deepEqual([words.code, words.stdout], [2, '0 actions: nothing could be compared.\n']);
    // Nobody approved it, so that it has no result.
    const waiting = await replayed([run('rm -rf ../elsewhere')]);
    assert.equal(waiting.code, 2, waiting.stdout);
    assert.match(waiting.stdout, /not compared .*does not contain its result/);
    assert.match(waiting.stdout, /^1 action: nothing could be compared\.$/m);
    const json = await replayed([run('rm -rf ../elsewhere')], '--json');
    assert.equal(json.code, 2);
    assert.equal((JSON.parse(json.stdout) as { same: boolean }).same, false);
  });

  it('repeats in the copy what was done at an absolute path', async function () {
    await skipWithoutSandbox(this);
    await onMachine([], async (machine) => {
      const original = temporaryWorkspace();
      const file = machine.workspace.at('made.waymark.jsonl');
      const events = [
        taskStarted('x', {
          systemPrompt: 'x',
          tools: ['run_command'],
          cwd: '/somewhere/project',
          confirmation: 'never',
          mode: 'auto',
        }),
        agentResponse('', {
          readUpTo: 1,
          actions: [
            {
              id: 'a',
              tool: 'run_command',
              input: { command: 'echo hello > /somewhere/project/made.txt && cat /somewhere/project/made.txt' },
              summary: 'Run',
              group: 0,
              risk: { level: 'low', reasons: [] },
              effect: 'executes',
            },
          ],
          usage: uncounted,
          finishReason: 'tool_calls',
          firstTokenMs: null,
        }),
        { type: 'action_started', actionId: 'a' },
        {
          type: 'observation',
          actionId: 'a',
          outcome: 'ok',
          content: 'hello\n[exit code 0]',
          details: {
            kind: 'command',
            end: 'exited',
            exitCode: 0,
            durationMs: 1,
            cwd: '/somewhere/project',
            tty: false,
            outputBytes: 6,
            outputCharacters: 6,
          },
        },
      ];
      fs.writeFileSync(
        file,
        [
          JSON.stringify({ waymark: 1 }),
          ...events.map((event, seq) => JSON.stringify({ seq, at: 1, ...event })),
          '',
        ].join('\n'),
      );
      const { code, stdout, stderr } = await machine.start(['replay', file, '--cwd', original.root]).ended;
      assert.deepEqual([code, original.names()], [0, []], stdout + stderr);
      const wrong = await machine.start(['replay', file, '--cwd', original.at('nothing')]).ended;
      assert.deepEqual(
        [wrong.code, /is not a folder\. With --cwd, name the folder to replay in/.test(wrong.stderr)],
        [1, true],
      );
      original.stop();
    });
  });
});

function exported({ code, stderr }: { code: number | null; stderr: string }, file: string): string {
  assert.equal(code, 0, stderr);
  return file;
}
