import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { afterLongOutput, reply, toolCall } from '../support/modelServer';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { cliFile, ensureBuilt, onMachine, processesIn } from './support/commandLine';

/** Exit code that a shell reports for a program whose reader went away. */
const unread = 141;

describe('output that nobody reads', function () {
  this.timeout(120_000); // a dozen programs, each started separately
  before(ensureBuilt);

  it('ends each command silently', () =>
    onMachine(
      [toolCall('run_command', { command: 'seq 20000' }), reply('Done.', afterLongOutput)],
      async ({ run, environment, log, workspace }) => {
        await run('Count.', '--sandbox', 'off');
        const temporary = temporaryWorkspace();
        const ends = (...args: string[]) =>
          new Promise<{ code: number | null; stderr: string }>((resolve) => {
            const child = spawn(process.execPath, [cliFile, ...args], {
              cwd: workspace.root,
              env: { ...environment, TMPDIR: temporary.root },
              stdio: ['ignore', 'pipe', 'pipe'],
            });
            child.stdout.destroy();
            let stderr = '';
            child.stderr.setEncoding('utf8').on('data', (text: string) => {
              stderr += text;
            });
            child.on('close', (code) => resolve({ code, stderr }));
          });
        const commands = [
          ['inspect', log],
          ['inspect', log, '--json'],
          ['inspect', log, '--step', '1'],
          ['export', log, '--to', 'openai', '--out', '-'],
          ['assess', 'ls'],
          ['assess', 'ls', '--json'],
          ['skills', '--json'],
          ['--help'],
          ['--version'],
        ];
        for (const args of commands) {
          const { code, stderr } = await ends(...args);
          assert.equal(stderr, '', args.join(' '));
          assert.ok(code === unread || code === 0, `${args.join(' ')}: ${code}`);
        }
        assert.equal((await ends('replay', log, '--cwd', workspace.root, '--sandbox', 'off', '--json')).stderr, '');
        assert.deepEqual(fs.readdirSync(temporary.root), [], 'the copy is left behind');
        assert.deepEqual(processesIn(workspace.root), []);
        temporary.stop();
      },
    ));

  it('is cut off when its reader stops', () =>
    onMachine(
      [toolCall('run_command', { command: 'seq 20000' }), reply('Done.', afterLongOutput)],
      async ({ run, environment, log, workspace }) => {
        await run('Count.', '--sandbox', 'off');
        const told = await new Promise<string>((resolve) => {
          const child = spawn(
            'bash',
            [
              '-c',
              `"$0" "$1" inspect "$2" --step 1 | head -n 1; echo "\${PIPESTATUS[0]}"`,
              process.execPath,
              cliFile,
              log,
            ],
            { cwd: workspace.root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
          );
          let all = '';
          for (const stream of [child.stdout, child.stderr])
            stream.setEncoding('utf8').on('data', (text: string) => {
              all += text;
            });
          child.on('close', () => resolve(all));
        });
        assert.match(told, /^Step 1\n(?:0|141)\n$/);
      },
    ));
});
