import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { openQueue, type EndedTask } from '../../../src/adapters/queue/taskQueue';
import { withContainerEngine, type ContainerEngine } from '../../support/containers/containerEngine';
import { hasRedis, startRedis } from '../../support/redisServer';
import { until } from '../support/commandLine';
import { finish, jsonLines, onBatchMachine, step, type BatchMachine } from './support';

describe('waymark batch in containers', function () {
  this.timeout(400_000);
  let engine: ContainerEngine;
  const inEngine = (use: (machine: BatchMachine) => Promise<void>): Promise<void> =>
    onBatchMachine(async (machine) => {
      Object.assign(machine.environment, engine.environment);
      await use(machine);
    });
  withContainerEngine((found) => {
    engine = found;
  });

  it('works on a copy of the folder, or on a folder in the image of the task, and leaves no container behind', async () => {
    await inEngine(async (machine) => {
      machine.write('project/notes.txt', 'one\n');
      machine.write('script.jsonl', jsonLines([step('echo "$GREETING" >> notes.txt; ls / > places.txt'), finish()]));
      const tasks = [
        { id: 'here', prompt: 'Do.', cwd: 'project' },
        { id: 'there', prompt: 'Do.', cwd: 'project', image: engine.image },
      ];
      machine.write('tasks.jsonl', jsonLines(tasks));
      const options = [
        '--environment',
        engine.executable,
        '--image',
        engine.image,
        '--container-env',
        'GREETING=hello',
      ];
      const { code, stderr } = await machine.batch('--script', 'script.jsonl', ...options);
      assert.equal(code, 0, stderr);
      for (const { patch } of machine.results()) {
        assert.match(patch, /notes\.txt[\s\S]*\n one\n\+hello\n/);
        assert.match(patch, /\+testbed\n/, 'the places are those of the image');
      }
      assert.equal(machine.read('project/notes.txt'), 'one\n');
      const ofImage = await machine.start(
        ...['batch', 'tasks.jsonl', '--out', 'image', '--confirm', 'never', '--script', 'script.jsonl'],
        ...[...options, '--container-cwd', '/testbed', '--filter', 'there'],
      ).ended;
      assert.equal(ofImage.code, 0, ofImage.stderr);
      const [row] = machine.results('image');
      assert.match(row!.patch, /notes\.txt[\s\S]*\n of the image\n\+hello\n/);
      assert.deepEqual(engine.containers(), []);
      assert.deepEqual(machine.leftovers(), []);
    });
  });

  it('with --agree, starts no task in a folder of an image that the dataset names', async () => {
    await inEngine(async (machine) => {
      machine.write('script.jsonl', jsonLines([finish()]));
      const task = { prompt: 'Do.', image: engine.image };
      machine.write('tasks.jsonl', jsonLines([{ ...task, id: 'a' }]));
      const options = ['--environment', engine.executable, '--container-cwd', '/testbed', '--script', 'script.jsonl'];
      const { code, stderr } = await machine.batch(...options, '--agree', 'hooks');
      assert.equal(code, 1, stderr);
      const [row] = machine.results();
      assert.equal(row!.status, 'invalid');
      assert.match(row!.reason, /Its folder comes from the image .*, which the dataset names, and nobody approved/);
    });
  });

  it('asks about unknown programs if the folder is mounted, and names the container in the command to continue', async () => {
    await inEngine(async (machine) => {
      fs.mkdirSync(machine.at('folder'));
      machine.write('script.jsonl', jsonLines([step('frobnicate --all'), finish()]));
      const place = ['--environment', engine.executable, '--image', engine.image];
      const run = ['run', 'Do it.', '--cwd', 'folder', '--trust-folder', '--script', 'script.jsonl', ...place];
      const { code, stderr } = await machine.start(...run).ended;
      assert.equal(code, 3, stderr);
      assert.match(stderr, new RegExp(`waymark run .*--environment ${engine.executable} --image ${engine.image}`));
    });
  });

  it('runs the checks of an evaluation in containers of the same image', async () => {
    await inEngine(async (machine) => {
      const check = 'grep -qx solved notes.txt && [ -e /testbed ]';
      const at = { image: engine.image, prompt: 'Do.', check };
      machine.write('solves.jsonl', jsonLines([step('echo solved >> notes.txt'), finish()]));
      machine.write('fails.jsonl', jsonLines([finish()]));
      machine.write(
        'tasks.jsonl',
        jsonLines([
          { ...at, id: 'solves', script: 'solves.jsonl' },
          { ...at, id: 'fails', script: 'fails.jsonl' },
        ]),
      );
      const options = ['--environment', engine.executable, '--container-cwd', '/testbed', '--confirm', 'never'];
      const { code, stderr } = await machine.start('eval', 'tasks.jsonl', '--out', 'out', ...options).ended;
      assert.equal(code, 0, stderr);
      const resolved = machine.results().map(({ id, resolved }) => [id, resolved]);
      assert.deepEqual(resolved.sort(), [
        ['fails', false],
        ['solves', true],
      ]);
      assert.deepEqual(engine.containers(), []);
    });
  });

  it('works through a queue if the worker allows the image of the task', async function () {
    if (!hasRedis()) {
      console.log('      skipped: this machine has no redis-server');
      this.skip();
    }
    const redis = await startRedis();
    try {
      await inEngine(async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = redis.url;
        fs.mkdirSync(machine.at('root'));
        machine.write('script.jsonl', jsonLines([step('echo solved >> notes.txt'), finish()]));
        const task = { prompt: 'Do.', check: 'grep -qx solved notes.txt && [ -e /testbed ]' };
        const other = 'docker.io/library/never-pulled:1';
        machine.write(
          'tasks.jsonl',
          jsonLines([
            { ...task, id: 'allowed', image: engine.image },
            { ...task, id: 'other', image: other },
          ]),
        );
        const place = [
          '--environment',
          engine.executable,
          '--container-cwd',
          '/testbed',
          '--task-images',
          'localhost/*',
        ];
        const scripted = ['--script', 'script.jsonl', '--confirm', 'never', '--checks'];
        const worker = machine.start('worker', '--run-name', 'tasks', '--root', 'root', ...scripted, ...place);
        const { code, stderr } = await machine.start('eval', 'tasks.jsonl', '--out', 'out').ended;
        assert.equal(code, 0, stderr);
        assert.match(stderr, /name a container image: 2\. Workers use these images if their --task-images allows/);
        const rows = new Map(machine.results().map((row) => [row.id, row]));
        assert.equal(rows.get('allowed')!.resolved, true, rows.get('allowed')!.reason);
        assert.equal(rows.get('other')!.status, 'invalid');
        assert.match(rows.get('other')!.reason, /may not use the image docker\.io\/library\/never-pulled:1\./);
        worker.child.kill('SIGINT');
        assert.equal((await worker.ended).code, 0);
        assert.deepEqual(engine.containers(), []);
      });
    } finally {
      await redis.stop();
    }
  });

  it('with --agree, starts no task in a folder of an image that the queue names', async function () {
    if (!hasRedis()) {
      console.log('      skipped: this machine has no redis-server');
      this.skip();
    }
    const redis = await startRedis();
    const queue = openQueue({ url: redis.url, name: 'tasks' }, () => undefined);
    try {
      await inEngine(async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = redis.url;
        fs.mkdirSync(machine.at('root'));
        machine.write('script.jsonl', jsonLines([finish()]));
        const task = { named: true, prompt: 'Do.', batch: 0, toolsets: [], keepsWithoutReasoning: true };
        // Either field names an image; the second one is filled in for instances of SWE-bench.
        const named = { ...task, index: 0, id: 'named', image: engine.image };
        const usual = { ...task, index: 1, id: 'usual', usualImage: engine.image };
        await queue.add([named, usual].map((data) => ({ id: data.id, data })));
        const images = ['--environment', engine.executable, '--container-cwd', '/testbed', '--task-images', '**'];
        const agreeing = ['--script', 'script.jsonl', '--agree', 'hooks', ...images];
        const worker = machine.start('worker', '--run-name', 'tasks', '--root', 'root', ...agreeing);
        const handed: EndedTask[] = [];
        const deadline = Date.now() + 240_000;
        while (handed.length < 2) {
          if (Date.now() > deadline) throw new Error('The tasks were not handed back.');
          await queue.collect((each) => handed.push(each) > 0);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        for (const { id, outcome = '' } of handed) assert.match(outcome, /nobody approved its contents/, id);
        worker.child.kill('SIGINT');
        await worker.ended;
      });
    } finally {
      await queue.close();
      await redis.stop();
    }
  });

  it('leaves no container behind if the batch is killed or a task times out', async () => {
    await inEngine(async (machine) => {
      machine.write('script.jsonl', jsonLines([step('sleep 600'), finish()]));
      machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.' }]));
      const options = ['--environment', engine.executable, '--image', engine.image, '--script', 'script.jsonl'];
      const batch = ['batch', 'tasks.jsonl', '--out', 'out', '--confirm', 'never'];
      const { child, ended } = machine.start(...batch, ...options);
      await until('the container', () => engine.containers().length > 0);
      child.kill('SIGKILL');
      await ended;
      await until('its end', () => engine.containers().length === 0);
      const late = await machine.batch(...options, '--resume', '--task-timeout', '8');
      assert.equal(late.code, 1, late.stderr);
      assert.equal(machine.results().at(-1)!.status, 'timeout');
      await until('its end', () => engine.containers().length === 0);
      await until('the end of what was left', () => machine.leftovers().length === 0);
    });
  });

  it('also works for a single run', async () => {
    await inEngine(async (machine) => {
      fs.mkdirSync(machine.at('folder'));
      machine.write('script.jsonl', jsonLines([step('cat /testbed/notes.txt > seen.txt'), finish()]));
      const run = [
        'run',
        'Do it.',
        '--cwd',
        'folder',
        '--trust-folder',
        '--script',
        'script.jsonl',
        '--confirm',
        'never',
      ];
      const { code, stderr } = await machine.start(...run, '--environment', engine.executable, '--image', engine.image)
        .ended;
      assert.equal(code, 0, stderr);
      assert.equal(machine.read('folder/seen.txt'), 'of the image\n');
      assert.deepEqual(engine.containers(), []);
    });
  });

  it('records the container in the log of a session, and that the session continues without it', async () => {
    await inEngine(async (machine) => {
      fs.mkdirSync(machine.at('folder'));
      // A script continues where the session does.
      machine.write('script.jsonl', jsonLines([finish(), finish(), finish()]));
      const scripted = ['--script', 'script.jsonl', '--confirm', 'never', '--log', 'log.waymark.jsonl'];
      const run = (...words: string[]) =>
        machine.start('run', 'Do it.', '--cwd', 'folder', '--trust-folder', ...words, ...scripted);
      const place = ['--environment', engine.executable, '--image', engine.image];
      for (const words of [place, place, []]) {
        const { code, stdout, stderr } = await run(...words).ended;
        assert.equal(code, 0, stdout + stderr);
      }
      const told = machine.lines('log.waymark.jsonl').filter((event) => 'container' in event);
      const container = { engine: engine.executable, image: engine.image };
      assert.deepEqual(
        told.map((event) => [event['type'], event['container']]),
        [
          ['task_started', container],
          ['settings_changed', null],
        ],
      );
    });
  });
});

describe('waymark batch without a container engine', function () {
  this.timeout(120_000);

  it('says what is missing before any task starts', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('script.jsonl', jsonLines([finish()]));
      machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.' }]));
      const asked: [string[], RegExp][] = [
        [['--environment', 'docker'], /--environment docker needs an image\. Name one with --image\./],
        [
          ['--image', 'python:3.11'],
          /--image requires a container\. Choose an engine with --environment docker or podman/,
        ],
        [
          ['--environment', 'podman', '--image', 'x', '--container-executable', 'no-such-engine'],
          /There is no no-such-engine on the PATH, so no container can be started\. Install Docker or Podman/,
        ],
      ];
      for (const [options, words] of asked) {
        const { code, stderr } = await machine.batch('--script', 'script.jsonl', ...options);
        assert.equal(code, 1);
        assert.match(stderr, words);
        assert.equal(fs.existsSync(machine.at('out')), false);
      }
    });
  });
});
