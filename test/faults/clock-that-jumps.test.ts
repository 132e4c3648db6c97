import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { ensureBuilt, onMachine } from '../cli/support/commandLine';
import { failure, reply, toolCall } from '../support/modelServer';

/**
 * Loaded before the program: the machine's clock jumps by a day forwards or back on each reading, as after sleep or a
 * correction. The monotonic clock is unaffected.
 */
const jumpingClock = `
  const real = Date.now.bind(Date);
  const day = 24 * 60 * 60 * 1000;
  let looks = 0;
  Date.now = () => real() + ((looks++ % 3) - 1) * day;
`;

describe('a clock that jumps', function () {
  this.timeout(120_000);
  before(ensureBuilt);

  it('changes neither the run, nor the order of its log, nor whether it can resume', () =>
    onMachine(
      [
        failure(429, 'Rate limit reached', { 'retry-after': '1' }),
        toolCall('run_command', { command: 'echo one >> effects' }),
        toolCall('write_file', { path: 'file', content: 'two\n' }),
        reply('Done.'),
        toolCall('run_command', { command: 'echo three >> effects' }),
        reply('Done again.'),
      ],
      async ({ start, args, environment, events, workspace, log, server }) => {
        const preload = `${environment['HOME']}/clock.mjs`;
        fs.writeFileSync(preload, jumpingClock);
        const jumping = { NODE_OPTIONS: `--import=${preload}` };
        const first = await start(args('Work.', '--confirm', 'never'), jumping).ended;
        assert.deepEqual([first.code, /^\s+at .+:\d+:\d+\)?$/m.test(first.stderr)], [0, false], first.stderr);
        const before = events().length;
        const second = await start(args('Go on.', '--confirm', 'never'), jumping).ended;
        assert.equal(second.code, 0, second.stderr);

        const told = events();
        const times = told.map(({ at }) => at);
        assert.ok(
          times.some((time, index) => index > 0 && time < times[index - 1]!),
          'the clock never went back, so this shows nothing',
        );
        assert.deepEqual(
          told.map(({ seq }) => seq),
          told.map((_, index) => index),
        );
        assert.ok(told.length > before);
        assert.equal(workspace.bytes('effects')?.toString(), 'one\nthree\n');
        assert.equal(workspace.bytes('file')?.toString(), 'two\n');
        assert.equal(server.requests.length, 6);
        assert.equal(fs.existsSync(`${log}.lock`), false);
      },
    ));
});
