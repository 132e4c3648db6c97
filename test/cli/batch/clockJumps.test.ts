import { strict as assert } from 'node:assert';
import { startModelServer, toolCall } from '../../support/modelServer';
import { jsonLines, onBatchMachine, type BatchMachine } from './support';

/** From the moment at which the file "back" exists, the clock of all processes is a day behind. */
function setsClockBack(machine: BatchMachine): string {
  const file = machine.at('back');
  const preload = machine.write(
    'clock.cjs',
    `const fs = require('node:fs');
     const now = Date.now;
     Date.now = () => now() - (fs.existsSync(${JSON.stringify(file)}) ? 24 * 60 * 60 * 1000 : 0);`,
  );
  machine.environment['NODE_OPTIONS'] = `--require ${preload}`;
  return `touch ${file}`;
}

const command = (text: string) => toolCall('run_command', { command: text });
const finish = toolCall('finish', { summary: 'Done.' });

describe('a clock that is set back', function () {
  this.timeout(60_000);

  it('delays no request of a batch, and all its times are positive', () =>
    onBatchMachine(async (machine) => {
      const server = await startModelServer([command(setsClockBack(machine)), finish, finish]);
      try {
        machine.write('tasks.jsonl', jsonLines(['one', 'two'].map((id) => ({ id, prompt: 'Do.' }))));
        const model = ['--base-url', server.baseUrl, '--model', 'story', '--protocol', 'chat', '--ignore-unknown-cost'];
        const limit = ['--requests-per-minute', '120', '--num-workers', '1', '--keep-without-reasoning'];
        const { code, stderr } = await machine.batch(...model, ...limit, '--sandbox', 'off');
        assert.equal(code, 0, stderr);
        assert.deepEqual(
          machine.results().map(({ status, seconds }) => [status, seconds >= 0]),
          [
            ['done', true],
            ['done', true],
          ],
        );
        assert.ok(Number(machine.json('out/statistics.json')['duration_seconds']) >= 0);
      } finally {
        await server.stop();
      }
    }));

  it('makes no time in the JUnit report of a run negative', () =>
    onBatchMachine(async (machine) => {
      const server = await startModelServer([command(setsClockBack(machine)), finish]);
      try {
        const model = ['--base-url', server.baseUrl, '--model', 'story', '--protocol', 'chat'];
        const more = ['--trust-folder', '--confirm', 'never', '--sandbox', 'off', '--junit', 'report.xml'];
        const { child, ended } = machine.start('run', 'Do.', ...model, ...more);
        const { stderr } = await ended;
        assert.equal(child.exitCode, 0, stderr);
        assert.match(machine.read('report.xml'), /<testsuites [^>]* time="\d/);
      } finally {
        await server.stop();
      }
    }));
});
