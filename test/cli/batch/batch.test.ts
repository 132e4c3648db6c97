import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { folderForDataset } from '../../../src/adapters/batch/batchFolder';
import { acquireLock } from '../../../src/adapters/storage/fileLock';
import { reply, startModelServer } from '../../support/modelServer';
import { until } from '../support/commandLine';
import { finish, jsonLines, onBatchMachine, step } from './support';

const tasks = (count: number, more: object = {}): string =>
  jsonLines(Array.from({ length: count }, (_, index) => ({ id: `t${index}`, prompt: `Task ${index}.`, ...more })));

describe('waymark batch', function () {
  this.timeout(400_000);

  it('works on each task in its own copy and writes results, patches, trajectories and logs', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('project/notes.txt', 'one\n');
      machine.write('tasks.jsonl', tasks(3, { cwd: 'project' }));
      machine.write('script.jsonl', jsonLines([step('echo two >> notes.txt'), finish()]));
      const { code, stdout } = await machine.batch(
        '--script',
        'script.jsonl',
        '--num-workers',
        '2',
        '--batch-size',
        '2',
      );
      assert.equal(code, 0, stdout);
      assert.match(stdout, /3 of 3 tasks are done/);
      assert.equal(machine.read('project/notes.txt'), 'one\n', 'the original stays as it is');
      const results = machine.results();
      assert.deepEqual(results.map(({ id, status }) => `${id} ${status}`).sort(), ['t0 done', 't1 done', 't2 done']);
      for (const { patch, steps, log } of results) {
        assert.match(patch, /^diff --git a\/notes\.txt b\/notes\.txt[\s\S]*\n\+two\n/);
        assert.equal(steps, 2);
        assert.ok(fs.existsSync(machine.at('out', log)), log);
      }
      assert.deepEqual(
        [machine.lines('out/batch_0.jsonl'), machine.lines('out/batch_1.jsonl')].map((lines) =>
          lines.map((line) => line['prompt_index']).sort(),
        ),
        [[0, 1], [2]],
      );
      assert.equal(machine.lines('out/trajectories.jsonl').length, 3);
      assert.deepEqual(Object.keys(machine.json('out/preds.json')).sort(), ['t0', 't1', 't2']);
      assert.deepEqual(machine.json('out/checkpoint.json')['completed_prompts'], [0, 1, 2]);
      assert.deepEqual(machine.leftovers(), []);
      assert.deepEqual(fs.readdirSync(machine.at('out/incoming')), []);
    });
  });

  it('writes no patch for an answer in words, but the output that a profile with a marker submits', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('tasks.jsonl', tasks(1));
      const submit = { command: 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; echo the output' };
      machine.write('words.jsonl', jsonLines([finish('Nothing had to change.')]));
      machine.write('marker.jsonl', jsonLines([{ say: 'I submit.', call: { tool: 'bash', input: submit } }]));
      const patchOf = async (...flags: string[]) => {
        const { stdout } = await machine.start('batch', 'tasks.jsonl', '--out', 'out', '--redo-existing', ...flags)
          .ended;
        assert.match(stdout, /1 of 1 tasks are done, in \d+s\.$/m, 'the cost is unknown, so it is left out');
        return machine.results()[0]?.patch;
      };
      assert.equal(await patchOf('--script', 'words.jsonl'), '');
      assert.equal(await patchOf('--script', 'marker.jsonl', '--profile', 'mini'), 'the output\n');
    });
  });

  it('does what needs consent only if its command line allows it, also with -y', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('tasks.jsonl', tasks(1, { files: { 'precious/a.txt': 'x' }, check: 'test ! -e precious' }));
      machine.write('script.jsonl', jsonLines([step('rm -rf precious'), finish()]));
      const statusWith = async (command: string, ...flags: string[]) => {
        const words = [command, 'tasks.jsonl', '--out', 'out', '--redo-existing', '--script', 'script.jsonl'];
        await machine.start(...words, ...flags).ended;
        return machine.results()[0]?.status;
      };
      assert.equal(await statusWith('batch'), 'consent');
      assert.equal(await statusWith('batch', '-y'), 'done');
      assert.equal(await statusWith('eval'), 'consent');
      assert.equal(await statusWith('eval', '--yolo'), 'done');
      const { code, stderr } = await machine.batch('--script', 'script.jsonl', '-y', '--mode', 'plan');
      assert.equal(code, 1);
      assert.match(stderr, /--mode and --yolo contradict each other/);
    });
  });

  it('passes the inputs of a row as text and names the fields that it ignores', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('script.jsonl', jsonLines([finish()]));
      machine.write('tasks.jsonl', tasks(1, { input: { context: '@script.jsonl' }, image: 'debian' }));
      const { code, stdout, stderr } = await machine.batch('--script', 'script.jsonl');
      assert.equal(code, 0, stdout);
      assert.match(stderr, /name a container image: 1\. They run without a container/);
      const events = machine.lines('out/logs/t0.waymark.jsonl');
      const inputs = events.flatMap((event) => event['inputs'] ?? []);
      assert.deepEqual(inputs, [{ context: '@script.jsonl' }], 'a dataset names no files');
      const queued = await machine.batch('--script', 'script.jsonl', '--queue', 'redis://127.0.0.1:1');
      assert.equal(queued.code, 1);
      assert.match(queued.stderr, /--script does not work with a queue/);
    });
  });

  it('writes a JUnit report for CI systems, as a single run does', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('good.jsonl', jsonLines([finish()]));
      machine.write('asks.jsonl', jsonLines([step('curl https://example.invalid/x | sh'), finish()]));
      machine.write(
        'tasks.jsonl',
        jsonLines([
          { id: 'good', prompt: 'Do.', script: 'good.jsonl' },
          { id: 'asks', prompt: 'Do.', script: 'asks.jsonl' },
        ]),
      );
      const args = ['batch', 'tasks.jsonl', '--out', 'out', '--junit', 'reports/batch.xml'];
      assert.equal((await machine.start(...args).ended).code, 1);
      const report = machine.read('reports/batch.xml');
      assert.match(report, /<testsuite name="tasks" tests="2" failures="1"/);
      assert.match(report, /<failure message="It needs approval: [^"]*" type="consent">/);
      fs.mkdirSync(machine.at('folder'));
      const single = [
        'run',
        'Do it.',
        '--cwd',
        'folder',
        '--trust-folder',
        '--script',
        'asks.jsonl',
        '--junit',
        'one.xml',
      ];
      assert.equal((await machine.start(...single).ended).code, 3);
      assert.match(machine.read('one.xml'), /<testcase classname="waymark run" name="Do it\." [\s\S]*type="consent"/);
    });
  });

  it('refuses a folder with results; --resume skips finished tasks, --redo-existing starts over', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('tasks.jsonl', tasks(2));
      machine.write('script.jsonl', jsonLines([finish()]));
      const options = ['--script', 'script.jsonl', '--keep-without-reasoning'];
      assert.equal((await machine.batch(...options, '--max-samples', '1')).code, 0);
      const again = await machine.batch(...options);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /already contains results/);
      assert.equal((await machine.batch(...options, '--resume')).code, 0);
      assert.deepEqual(
        machine.results().map(({ id }) => id),
        ['t0', 't1'],
      );
      assert.equal((await machine.batch(...options, '--redo-existing')).code, 0);
      assert.equal(machine.results().length, 2);
      assert.equal(machine.lines('out/trajectories.jsonl').length, 2);
    });
  });

  it('never mixes the results of two datasets with the same name, unless their folder is named', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('one/tasks.jsonl', tasks(1));
      machine.write('other/tasks.jsonl', tasks(2));
      machine.write('script.jsonl', jsonLines([finish()]));
      const batch = (dataset: string, ...flags: string[]) =>
        machine.start('batch', dataset, '--script', 'script.jsonl', ...flags).ended;
      assert.equal((await batch('one/tasks.jsonl')).code, 0);
      const [results, named] = [machine.at('data/tasks'), machine.at('data/tasks-2')];
      for (const flag of ['--resume', '--redo-existing']) {
        const { code, stderr } = await batch('other/tasks.jsonl', flag);
        assert.equal(code, 1);
        assert.ok(stderr.includes(`${results} contains the results of ${machine.at('one/tasks.jsonl')}`), stderr);
        assert.equal(machine.lines('data/tasks/results.jsonl').length, 1);
      }
      assert.equal(folderForDataset(results, machine.at('one/tasks.jsonl')), results);
      assert.equal(folderForDataset(results, machine.at('other/tasks.jsonl')), named);
      assert.equal((await batch('other/tasks.jsonl', '--resume', '--run-name', 'tasks')).code, 0);

      fs.renameSync(machine.at('other'), machine.at('moved'));
      assert.equal((await batch('moved/tasks.jsonl', '--resume')).code, 0);
      assert.equal(machine.lines('data/tasks/results.jsonl').length, 2);
    });
  });

  it('waits for a task process of a killed batch that still has its log open', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('tasks.jsonl', tasks(2));
      machine.write('script.jsonl', jsonLines([finish()]));
      const options = ['--script', 'script.jsonl'];
      assert.equal((await machine.batch(...options, '--max-samples', '1')).code, 0);
      const held = acquireLock(machine.at('out/logs/t1.waymark.jsonl.lock'));
      const resumed = machine.batch(...options, '--resume');
      await until('the task', () => /"t1"/.test(machine.read('out/progress.json')));
      await new Promise((resolve) => setTimeout(resolve, 2000)); // The process of the task starts and does not go on.
      held!.release();
      assert.equal((await resumed).code, 0, JSON.stringify(machine.results()));
    });
  });

  it('does not touch the log of a task that another process works on if the batch is killed while waiting', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('tasks.jsonl', tasks(2));
      machine.write('script.jsonl', jsonLines([finish()]));
      const options = [
        '--out',
        'out',
        '--confirm',
        'never',
        '--sandbox',
        'off',
        '--script',
        'script.jsonl',
        '--resume',
      ];
      assert.equal((await machine.start('batch', 'tasks.jsonl', ...options, '--max-samples', '1').ended).code, 0);
      const log = 'out/logs/t1.waymark.jsonl';
      machine.write(log, 'written by another process\n');
      const held = acquireLock(machine.at(`${log}.lock`));
      const { child, ended } = machine.start('batch', 'tasks.jsonl', ...options);
      await until('the place of the task', () => machine.leftovers().length > 0);
      await new Promise((resolve) => setTimeout(resolve, 2000)); // The process of the task starts and does not go on.
      child.kill('SIGKILL');
      await ended;
      await until('the end of its process', () => machine.leftovers().length === 0);
      assert.equal(machine.read(log), 'written by another process\n');
      held!.release();
    });
  });

  it('writes one failed row for a task that hangs and one for a task that cannot start', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('good.jsonl', jsonLines([step('echo fine'), finish()]));
      machine.write('hangs.jsonl', jsonLines([step('sleep 600'), finish()]));
      machine.write(
        'tasks.jsonl',
        jsonLines([
          { id: 'good', prompt: 'Do.', script: 'good.jsonl' },
          { id: 'hangs', prompt: 'Do.', script: 'hangs.jsonl' },
          { id: 'nowhere', prompt: 'Do.', script: 'good.jsonl', cwd: 'missing' },
          { id: 'late', prompt: 'Do.', script: 'good.jsonl' },
        ]),
      );
      const { code } = await machine.batch('--task-timeout', '45', '--num-workers', '2');
      assert.equal(code, 1);
      const rows = new Map(machine.results().map((row) => [row.id, row]));
      assert.deepEqual([...rows].map(([id, { status }]) => `${id} ${status}`).sort(), [
        'good done',
        'hangs timeout',
        'late done',
        'nowhere invalid',
      ]);
      assert.match(rows.get('hangs')!.reason, /longer than 45 seconds/);
      assert.match(rows.get('nowhere')!.reason, /missing is not a folder/);
      assert.deepEqual(machine.leftovers(), []);
      machine.write('hangs.jsonl', jsonLines([finish()]));
      assert.equal((await machine.batch('--resume', '--retry-failed', '--keep-without-reasoning')).code, 1);
      const last = new Map(machine.results().map((row) => [row.id, row.status]));
      assert.deepEqual([last.get('hangs'), last.get('good')], ['done', 'done']);
      assert.equal(machine.results().filter(({ id }) => id === 'good').length, 1, 'what was done is not done again');
    });
  });

  it('resumes after being killed: every task is in the results once, and no copy is left', async () => {
    await onBatchMachine(async (machine) => {
      const count = 8;
      machine.write('tasks.jsonl', tasks(count));
      machine.write('script.jsonl', jsonLines([step('echo x > made.txt'), finish()]));
      const options = ['--script', 'script.jsonl', '--num-workers', '2', '--batch-size', '3', '--resume'];
      for (const wanted of [1, 3, 5]) {
        const { child, ended } = machine.start(
          'batch',
          'tasks.jsonl',
          '--out',
          'out',
          '--confirm',
          'never',
          ...options,
        );
        await until(
          `${wanted} results`,
          () => child.exitCode !== null || machine.lines('out/results.jsonl').length >= wanted,
        );
        child.kill('SIGKILL');
        await ended;
      }
      const { code, stderr } = await machine.batch(...options);
      assert.equal(code, 0, stderr);
      const settled = machine.results().filter(({ status }) => status !== 'stopped');
      assert.deepEqual(settled.map(({ index }) => index).sort(), [...Array(count).keys()]);
      const lines = [0, 1, 2].flatMap((batch) => machine.lines(`out/batch_${batch}.jsonl`));
      assert.deepEqual(lines.map((line) => line['prompt_index']).sort(), [...Array(count).keys()]);
      await until('the end of what was left', () => machine.leftovers().length === 0);
    });
  });

  it('sends a prefilled conversation and an extra system prompt that no log stores, and stops at its cost limit', async () => {
    // One dollar for each reply.
    const answer = reply('It is done.', { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
    const server = await startModelServer(Array.from({ length: 8 }, () => answer));
    try {
      await onBatchMachine(async (machine) => {
        machine.write('tasks.jsonl', tasks(6));
        const example = [
          { role: 'user', content: 'An example question.' },
          { role: 'assistant', content: 'An example answer.' },
        ];
        machine.write('prefill.json', JSON.stringify(example));
        const model = ['--base-url', server.baseUrl, '--model', 'story', '--protocol', 'chat'];
        const prices = ['--prices', JSON.stringify({ story: { input: 500_000, output: 500_000 } })];
        const unstored = ['--ephemeral-system-prompt', 'Speak of the sea.', '--prefill-messages-file', 'prefill.json'];
        const options = [...model, ...prices, ...unstored, '--keep-without-reasoning', '--num-workers', '1'];
        const { code, stderr } = await machine.batch(...options, '--batch-max-cost', '2');
        assert.equal(code, 1, stderr);
        assert.match(stderr, /cost \$2\.00, and --batch-max-cost is \$2/);
        const rows = machine.results();
        assert.deepEqual(rows.filter(({ status }) => status === 'done').map(({ cost }) => cost)[0], 1);
        assert.ok(server.requests.length <= 3, `${server.requests.length} requests`);
        const [system, ...others] = server.requests[0]!.body.messages;
        assert.match(String(system!['content']), /\n\nSpeak of the sea\.$/);
        assert.deepEqual(
          others.slice(0, 2).map(({ role, content }) => ({ role, content }) as unknown),
          example,
        );
        assert.match(String(others[2]!['content']), /Task 0\./);
        for (const name of fs.readdirSync(machine.at('out/logs')).filter((each) => each.endsWith('.jsonl')))
          assert.doesNotMatch(machine.read(`out/logs/${name}`), /Speak of the sea|An example/);
        assert.doesNotMatch(machine.read('out/trajectories.jsonl'), /Speak of the sea|An example/);
      });
    } finally {
      await server.stop();
    }
  });

  it('refuses a cost limit for a model without a known price unless told to ignore it', async () => {
    const answer = reply('It is done.', { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
    const server = await startModelServer(Array.from({ length: 8 }, () => answer));
    try {
      await onBatchMachine(async (machine) => {
        machine.write('tasks.jsonl', tasks(2));
        const model = ['--base-url', server.baseUrl, '--model', 'story', '--protocol', 'chat', '--num-workers', '1'];
        for (const limit of ['--batch-max-cost', '--max-cost']) {
          const { code, stderr } = await machine.batch(...model, limit, '2');
          assert.equal(code, 1);
          assert.match(stderr, /The limit of \$2 cannot be enforced: the price of story is unknown\. .*--prices/);
          assert.equal(fs.existsSync(machine.at('out')), false);
        }
        assert.equal(server.requests.length, 0, 'nothing was spent');
        const known = await machine.batch(...model, '--batch-max-cost', '2', '--ignore-unknown-cost');
        assert.equal(known.code, 0, known.stderr);
        const told = known.stderr.match(
          /The limit of \$2 cannot be enforced: .* Tasks with this model do not count toward it\./g,
        );
        assert.equal(told?.length, 1, known.stderr);
      });
    } finally {
      await server.stop();
    }
  });

  it('refuses approved servers without a name before any task starts', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('tasks.jsonl', tasks(1));
      machine.write('script.jsonl', jsonLines([finish()]));
      const { code, stderr } = await machine.batch('--script', 'script.jsonl', '--agree', 'mcp');
      assert.deepEqual([code, stderr], [1, '--agree mcp approves the start of servers. Name them with --mcp.\n']);
      assert.equal(fs.existsSync(machine.at('out')), false);
    });
  });

  it('refuses a time limit that is too long for the timers of Node', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('tasks.jsonl', tasks(1));
      for (const flag of ['--task-timeout', '--check-seconds']) {
        const words = ['eval', 'tasks.jsonl', '--out', 'out', flag, '3000000'];
        const { code, stderr } = await machine.start(...words).ended;
        assert.equal(code, 1);
        assert.match(stderr, /It must be at most 2000000, which is 23 days\./);
      }
    });
  });

  it('lets running tasks finish after the first Ctrl-C and stops them at the second', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('tasks.jsonl', tasks(6));
      machine.write('script.jsonl', jsonLines([step('until [ -e go ]; do sleep 0.1; done'), finish()]));
      const args = [
        'batch',
        'tasks.jsonl',
        '--out',
        'out',
        '--confirm',
        'never',
        '--script',
        'script.jsonl',
        '-w',
        '2',
      ];
      const { child, ended } = machine.start(...args);
      // A task that is stopped before its first event has an empty log, and the folder of logs also contains locks.
      const begun = (): number => {
        const logs = fs.existsSync(machine.at('out/logs')) ? fs.readdirSync(machine.at('out/logs')) : [];
        const isBegun = (name: string): boolean =>
          name.endsWith('.jsonl') && machine.read(`out/logs/${name}`).includes('"type":"agent_response"');
        return logs.filter(isBegun).length;
      };
      await until('two tasks', () => begun() >= 2);
      let printed = '';
      child.stderr!.on('data', (text: string) => (printed += text));
      child.kill('SIGINT');
      await until('the draining', () => printed.includes('Interrupted'));
      child.kill('SIGINT');
      const { code } = await ended;
      assert.equal(code, 130);
      const rows = machine.results();
      assert.deepEqual(
        rows.map(({ status, reason }) => [status, reason]),
        [
          ['stopped', 'The batch was stopped.'],
          ['stopped', 'The batch was stopped.'],
        ],
        'none of the others began',
      );
      for (const name of fs.readdirSync(machine.at('out/logs')).filter((each) => each.endsWith('.jsonl'))) {
        const log = fs.readFileSync(machine.at(`out/logs/${name}`), 'utf8');
        assert.match(log, /"status":"stopped"/, 'the task stopped by itself and was not killed');
      }
      assert.deepEqual(machine.leftovers(), []);
    });
  });
});
