import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { hasRedis, startRedis } from '../../support/redisServer';
import { until } from '../support/commandLine';
import { finish, jsonLines, onBatchMachine, step } from './support';

describe('waymark worker', function () {
  this.timeout(300_000);
  before(function () {
    if (!hasRedis()) {
      console.log('      skipped: this machine has no redis-server');
      this.skip();
    }
  });

  it('works on tasks of a queue below its folder only; another one takes over when it is killed', async () => {
    const redis = await startRedis('se cret');
    try {
      await onBatchMachine(async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = redis.url;
        machine.write('root/project/a.txt', 'one\n');
        machine.write('elsewhere/secret.txt', 'secret\n');
        fs.symlinkSync(machine.at('elsewhere'), machine.at('root/link'));
        machine.write('script.jsonl', jsonLines([step('echo two >> a.txt'), finish()]));
        machine.write('slow.jsonl', jsonLines([step('sleep 300'), finish()]));
        const task = { prompt: 'Do.', cwd: 'project' };
        machine.write(
          'tasks.jsonl',
          jsonLines([
            { ...task, id: 'a' },
            { ...task, id: 'b' },
            { ...task, id: 'out', cwd: '../elsewhere' },
            { ...task, id: 'link', cwd: 'link' },
          ]),
        );
        const worker = (script: string) => {
          const place = ['worker', '--run-name', 'tasks', '--root', 'root', '--lease', '3'];
          return machine.start(...place, '--script', script, '--confirm', 'never');
        };
        const first = worker('slow.jsonl');
        const producer = machine.start('batch', 'tasks.jsonl', '--out', 'out', '--run-name', 'tasks');
        await until('the first task', () => machine.leftovers().some((name) => name.startsWith('waymark-worker-')));
        first.child.kill('SIGKILL');
        await first.ended;
        const second = worker('script.jsonl');
        const { code, stderr } = await producer.ended;
        assert.equal(code, 1, stderr);
        assert.doesNotMatch(stderr, /se( |%20)cret/);
        const rows = machine.results();
        assert.deepEqual(rows.map(({ id, status }) => `${id} ${status}`).sort(), [
          'a done',
          'b done',
          'link invalid',
          'out invalid',
        ]);
        for (const { reason } of rows.filter(({ status }) => status === 'invalid'))
          assert.match(reason, /is outside of/);
        assert.match(rows.find(({ id }) => id === 'a')!.patch, /\+two/);
        assert.ok(fs.existsSync(machine.at('out', rows[0]!.log)));
        assert.equal(machine.lines('out/trajectories.jsonl').length, 2);
        second.child.kill('SIGINT');
        assert.equal((await second.ended).code, 0);
      });
    } finally {
      await redis.stop();
    }
  });
});
