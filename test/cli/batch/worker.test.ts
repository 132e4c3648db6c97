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

  it('works only on tasks below its folder; another worker takes over if it is killed', async () => {
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
        for (const { reason } of rows.filter(({ status }) => status === 'invalid')) assert.match(reason, /is outside/);
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

  it('gives consent with -y, and has no option for the file of a single run', async () => {
    const redis = await startRedis();
    try {
      await onBatchMachine(async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = redis.url;
        machine.write('root/project/precious/a.txt', 'x');
        machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.', cwd: 'project' }]));
        machine.write('script.jsonl', jsonLines([step('rm -rf precious'), finish()]));
        const place = ['worker', '--run-name', 'tasks', '--root', 'root', '--script', 'script.jsonl'];
        const refused = await machine.start(...place, '-o', 'one.traj.json').ended;
        assert.deepEqual([refused.code, /unknown option '-o'/.test(refused.stderr)], [1, true], refused.stderr);
        const worker = machine.start(...place, '-y');
        const { stderr } = await machine.start('batch', 'tasks.jsonl', '--out', 'out', '--run-name', 'tasks').ended;
        assert.deepEqual(
          machine.results().map(({ status }) => status),
          ['done'],
          stderr,
        );
        worker.child.kill('SIGINT');
        assert.equal((await worker.ended).code, 0);
      });
    } finally {
      await redis.stop();
    }
  });

  it('runs checks only with --checks, and an evaluation reports which tasks were solved', async () => {
    const redis = await startRedis();
    try {
      await onBatchMachine(async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = redis.url;
        machine.write('root/project/value.txt', 'wrong\n');
        machine.write('root/answers.txt', 'What comes later.\n');
        const looks = `cat ${machine.at('root/answers.txt')} > seen.txt`;
        machine.write('script.jsonl', jsonLines([step(`echo right > value.txt; ${looks}`), finish()]));
        const task = { prompt: 'Make it right.', cwd: 'project', test_command: 'sh -c {test}' };
        const hidden = ['--- /dev/null', '+++ b/hidden.sh', '@@ -0,0 +1 @@', '+grep -qx right value.txt', ''];
        machine.write(
          'tasks.jsonl',
          jsonLines([
            { ...task, id: 'solved', fail_to_pass: ['sh hidden.sh'], test_patch: hidden.join('\n') },
            { ...task, id: 'open', fail_to_pass: ['grep -qx other value.txt'], pass_to_pass: ['true'] },
          ]),
        );
        const worker = (...options: string[]) => {
          const place = ['worker', '--run-name', 'tasks', '--root', 'root', '--script', 'script.jsonl'];
          return machine.start(...place, '--confirm', 'never', ...options);
        };
        const evaluate = (...options: string[]) =>
          machine.start('eval', 'tasks.jsonl', '--run-name', 'tasks', ...options);
        const careful = worker();
        const refused = await evaluate('--out', 'refused', '--confirm', 'never').ended;
        assert.equal(refused.code, 0, refused.stderr);
        assert.match(refused.stderr, /Workers of a queue use their own options\. Ignored here: --confirm\./);
        for (const { status, reason } of machine.results('refused')) {
          assert.equal(status, 'invalid');
          assert.match(reason, /^It has checks, .*Start workers with --checks\.$/);
        }
        careful.child.kill('SIGINT');
        await careful.ended;
        const checking = worker('--checks');
        let said = '';
        checking.child.stderr!.on('data', (text: string) => (said += text));
        await until('the worker', () => said.includes('Waiting for tasks') || checking.child.exitCode !== null);
        if (checking.child.exitCode !== null) {
          // Without a sandbox nothing from a queue is run.
          assert.match(said, /Checks come from the queue and need a sandbox/);
          return;
        }
        const { code, stdout, stderr } = await evaluate('--out', 'out').ended;
        assert.equal(code, 0, stderr);
        assert.match(stdout, /1\/2 \(50\.0%\)/);
        const rows = new Map(machine.results().map((row) => [row.id, row]));
        assert.deepEqual([rows.get('solved')!.resolved, rows.get('open')!.resolved], [true, false]);
        assert.doesNotMatch(rows.get('solved')!.patch, /What comes later/, 'the agent sees its copy and nothing else');
        const page = machine.read('out/eval.html');
        for (const [, link] of page.matchAll(/href="([^"]+)"/g))
          assert.ok(fs.existsSync(machine.at('out', link!)), link);
        checking.child.kill('SIGINT');
        assert.equal((await checking.ended).code, 0);
        assert.deepEqual(machine.leftovers(), []);
      });
    } finally {
      await redis.stop();
    }
  });

  it('returns unfinished tasks when it is stopped, without using up their attempts', async () => {
    const redis = await startRedis();
    try {
      await onBatchMachine(async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = redis.url;
        fs.mkdirSync(machine.at('root'));
        machine.write('slow.jsonl', jsonLines([step('sleep 600'), finish()]));
        machine.write('script.jsonl', jsonLines([finish()]));
        machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.' }]));
        const worker = (script: string) => {
          const place = ['worker', '--run-name', 'tasks', '--root', 'root', '--confirm', 'never'];
          return machine.start(...place, '--script', script);
        };
        const producer = machine.start('batch', 'tasks.jsonl', '--out', 'out', '--run-name', 'tasks');
        // A task may fail three times.
        for (let round = 0; round < 4; round += 1) {
          const stopped = worker('slow.jsonl');
          let said = '';
          stopped.child.stderr!.on('data', (text: string) => (said += text));
          // Copies of an earlier task may exist for a moment, and a signal kills a worker that does not listen yet.
          await until('the worker', () => said.includes('Waiting for tasks'));
          await until('the task', () => machine.leftovers().some((name) => name.startsWith('waymark-worker-')));
          stopped.child.kill('SIGINT');
          await until('words that it ends', () => said.includes('No more tasks start'));
          stopped.child.kill('SIGINT');
          assert.equal((await stopped.ended).code, 0);
          await until('the end of what it did', () => machine.leftovers().length === 0);
        }
        const last = worker('script.jsonl');
        const { code, stderr } = await producer.ended;
        assert.equal(code, 0, stderr);
        assert.deepEqual(
          machine.results().map(({ id, status }) => `${id} ${status}`),
          ['a done'],
        );
        last.child.kill('SIGINT');
        await last.ended;
      });
    } finally {
      await redis.stop();
    }
  });
});
