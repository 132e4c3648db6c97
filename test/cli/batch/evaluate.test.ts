import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { until } from '../support/commandLine';
import { finish, jsonLines, onBatchMachine, step, type BatchMachine } from './support';

const example = path.join(process.env['REPOSITORY']!, 'examples/eval');
const evaluate = (machine: BatchMachine, ...options: string[]) =>
  machine.start('eval', 'tasks.jsonl', '--confirm', 'never', ...options).ended;

describe('waymark eval', function () {
  this.timeout(300_000);

  it('reports which of the eight bugs in examples/eval the tutorial model fixes, and compares two runs', async () => {
    await onBatchMachine(async (machine) => {
      fs.cpSync(example, machine.at('.'), { recursive: true });
      const { code, stdout, stderr } = await evaluate(machine, '--out', 'first', '--num-workers', '2');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /6\/8 \(75\.0%\)\s+40\.9% to 92\.9%/);
      const open = machine.results('first').filter(({ resolved }) => !resolved);
      assert.deepEqual(open.map(({ id }) => id).sort(), ['retry-count', 'time-zone']);
      const page = machine.read('first/eval.html');
      for (const [, link] of page.matchAll(/href="([^"]+)"/g))
        assert.ok(fs.existsSync(machine.at('first', link!)), link);
      // The second run solves nothing, because it only says that it is done.
      machine.write('idle.jsonl', jsonLines([finish()]));
      const tasks = machine.lines('tasks.jsonl').map((task) => ({ ...task, script: 'idle.jsonl' }));
      machine.write('tasks.jsonl', jsonLines(tasks));
      assert.equal((await evaluate(machine, '--out', 'second', '--num-workers', '2')).code, 0);
      const both = await machine.start('eval', '--compare', 'first', 'second', '--out', 'both.html').ended;
      assert.match(both.stdout, /Resolved only by first: 6; only by second: 0\./);
      assert.match(both.stdout, /p = 0\.031\. Unlikely to be chance\./);
      assert.match(machine.read('both.html'), /second/);
      assert.deepEqual(machine.leftovers(), []);
    });
  });

  it('is not fooled by a run that changes the tests, the checks or the original', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('project/value.txt', 'wrong\n');
      machine.write('project/visible.sh', 'exit 0\n');
      const patch = [
        'diff --git a/hidden.sh b/hidden.sh',
        'new file mode 100644',
        '--- /dev/null',
        '+++ b/hidden.sh',
        '@@ -0,0 +1 @@',
        '+grep -q right value.txt',
        '',
      ].join('\n');
      const cheat = [
        'echo "exit 0" > hidden.sh',
        'echo "exit 0" > visible.sh',
        `echo right > ${machine.at('project/value.txt')}`,
        'echo "grep() { true; }" > .bashrc',
      ].join('; ');
      machine.write('cheat.jsonl', jsonLines([step(cheat), finish()]));
      machine.write('honest.jsonl', jsonLines([step('echo right > value.txt'), finish()]));
      const task = {
        prompt: 'Make the value right.',
        cwd: 'project',
        test_command: 'bash {test}',
        FAIL_TO_PASS: ['hidden.sh'],
        PASS_TO_PASS: '["visible.sh"]',
        test_patch: patch,
      };
      machine.write(
        'tasks.jsonl',
        jsonLines([
          { ...task, instance_id: 'cheat', script: 'cheat.jsonl' },
          { ...task, instance_id: 'honest', script: 'honest.jsonl' },
          { ...task, instance_id: 'untold', script: 'honest.jsonl', FAIL_TO_PASS: ['visible.sh'] },
        ]),
      );
      const { code, stderr } = await evaluate(machine, '--out', 'out', '--num-workers', '1');
      assert.equal(code, 0, stderr);
      const sandboxed = machine.read('project/value.txt') === 'wrong\n';
      const resolved = new Map(machine.results().map((row) => [row.id, row.resolved]));
      // Without a sandbox the cheat changes the original folder, which reveals it: the check already passes before.
      if (sandboxed) assert.deepEqual([resolved.get('cheat'), resolved.get('honest')], [false, true]);
      else assert.notEqual(resolved.get('cheat'), true);
      assert.equal(resolved.get('untold'), undefined);
    });
  });

  it('ignores changes of a run to the tests even if the temporary folder is in a Git repository', async () => {
    await onBatchMachine(async (machine) => {
      execFileSync('git', ['init', '-q', machine.at('tmp')], { env: machine.environment });
      machine.write('project/value.txt', 'wrong\n');
      machine.write('run.jsonl', jsonLines([step('echo right > value.txt; echo "exit 1" > hidden.sh'), finish()]));
      const head = ['diff --git a/hidden.sh b/hidden.sh', 'new file mode 100644'];
      const hidden = [...head, '--- /dev/null', '+++ b/hidden.sh', '@@ -0,0 +1 @@', '+grep -q right value.txt', ''];
      const task = {
        prompt: 'Make the value right.',
        cwd: 'project',
        script: 'run.jsonl',
        test_command: 'bash {test}',
        fail_to_pass: ['hidden.sh'],
      };
      machine.write(
        'tasks.jsonl',
        jsonLines([
          { ...task, id: 'solved', test_patch: hidden.join('\n') },
          { ...task, id: 'untold', test_patch: hidden.slice(0, -2).join('\n') },
        ]),
      );
      const { stderr } = await evaluate(machine, '--out', 'out');
      const told = machine.results().map(({ id, resolved, reason }) => [id, resolved, reason]);
      assert.deepEqual(
        told.sort(),
        [
          ['solved', true, ''],
          ['untold', undefined, 'The test_patch is not a patch that Git can read.'],
        ],
        stderr,
      );
    });
  });

  it('judges a run that renames, moves or covers test files, whatever their names are', async () => {
    await onBatchMachine(async (machine) => {
      const names = ['tests/[slug] täst.sh', 'tests/old.sh', 'tests/*.sh'];
      machine.write('project/value.txt', 'wrong\n');
      const head = '# A test of the value.\n# It ends with 0 where the value is right.\n';
      for (const name of names) machine.write(`project/${name}`, `${head}exit 1\n`);
      const git = (...words: string[]): string =>
        execFileSync('git', ['-C', machine.at('project'), ...words], { encoding: 'utf8', env: machine.environment });
      git('init', '-q');
      git('config', 'user.email', 'a@example.com');
      git('config', 'user.name', 'A');
      git('add', '.');
      git('commit', '-qm', 'bug');
      // Git's diff of the hidden tests: one changed, one renamed, one whose name is a pattern.
      for (const name of names) machine.write(`project/${name}`, `${head}grep -q right value.txt\n`);
      git('mv', 'tests/old.sh', 'tests/new.sh');
      git('add', '.');
      const patch = git('diff', '--cached', '-M');
      assert.match(patch, /^rename from tests\/old\.sh$/m);
      git('reset', '-q', '--hard');
      // User settings that change how diffs are shown.
      machine.write('home/.gitconfig', '[diff]\n\tnoprefix = true\n\trenames = copies\n\tcontext = 0\n');
      const right = 'echo right > value.txt';
      const runs = {
        honest: right,
        changes: `${right}; for f in tests/*; do echo 'exit 0' > "$f"; done`,
        renames: `${right}; mv tests elsewhere`,
        covers: `${right}; rm -r tests; echo x > tests`,
        cheats: `for f in tests/*; do echo 'exit 0' > "$f"; done`,
      };
      for (const [id, command] of Object.entries(runs))
        machine.write(`${id}.jsonl`, jsonLines([step(command), finish()]));
      const task = {
        problem_statement: 'Make the value right.',
        repo: 'project',
        test_command: 'bash {test}',
        FAIL_TO_PASS: JSON.stringify([names[0], 'tests/new.sh', names[2]]),
        PASS_TO_PASS: [],
        test_patch: patch,
      };
      const tasks = Object.keys(runs).map((id) => ({ ...task, instance_id: id, script: `${id}.jsonl` }));
      machine.write('tasks.json', JSON.stringify(tasks, null, 2));
      const words = ['eval', 'tasks.json', '--out', 'out', '--confirm', 'never', '--num-workers', '2'];
      const { stderr } = await machine.start(...words).ended;
      const resolved = Object.fromEntries(machine.results().map((row) => [row.id, row.resolved]));
      assert.deepEqual(
        resolved,
        { honest: true, changes: true, renames: true, covers: false, cheats: false },
        `${stderr}\n${machine
          .results()
          .map(({ id, reason }) => `${id}: ${reason}`)
          .join('\n')}`,
      );
    });
  });

  it('counts a task that took too long as unresolved, and does not count one that could not start', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('project/value.txt', 'wrong\n');
      machine.write('script.jsonl', jsonLines([step('sleep 600'), finish()]));
      const task = { prompt: 'Make it right.', cwd: 'project', check: 'grep -q right value.txt' };
      const tasks = [
        { ...task, id: 'slow', script: 'script.jsonl' },
        { ...task, id: 'nowhere', cwd: 'missing', script: 'script.jsonl' },
      ];
      machine.write('tasks.jsonl', jsonLines(tasks));
      const { stdout, stderr } = await evaluate(machine, '--out', 'out', '--task-timeout', '5', '--junit', 'out.xml');
      assert.match(
        stdout,
        /0\/1 \(0\.0%\)[^]*tasks not counted, because they did not start or their checks are inconclusive: 1\./,
        stderr,
      );
      const rows = new Map(machine.results().map((row) => [row.id, [row.status, row.resolved]]));
      assert.deepEqual(rows.get('slow'), ['timeout', false]);
      assert.deepEqual(rows.get('nowhere'), ['invalid', undefined]);
      assert.match(
        machine.read('out.xml'),
        /name="slow"[^>]*>\s*<failure message="It took longer than 5 seconds\." type="timeout"/,
      );
    });
  });

  it('ends a running check cleanly when it is stopped, and the task can be done again', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('project/value.txt', 'wrong\n');
      machine.write('script.jsonl', jsonLines([step('echo right > value.txt'), finish()]));
      const [begun, ended] = [machine.at('begun.txt'), machine.at('ended.txt')];
      const waits = `trap 'touch ${ended}; exit 1' INT TERM HUP; touch ${begun}; for i in $(seq 6000); do sleep 0.1; done`;
      const task = { id: 'a', prompt: 'Make it right.', cwd: 'project', script: 'script.jsonl', check: waits };
      machine.write('tasks.jsonl', jsonLines([task]));
      const words = ['eval', 'tasks.jsonl', '--out', 'out', '--confirm', 'never', '--sandbox', 'off'];
      const evaluating = machine.start(...words);
      let said = '';
      evaluating.child.stderr!.on('data', (text: string) => (said += text));
      await until('the check', () => fs.existsSync(begun));
      evaluating.child.kill('SIGINT');
      await until('words that it ends', () => said.includes('Press Ctrl-C again'));
      evaluating.child.kill('SIGINT');
      assert.equal((await evaluating.ended).code, 130, said);
      assert.ok(fs.existsSync(ended), 'the check was ended by a signal that it hears');
      assert.deepEqual(machine.leftovers(), []);
      machine.write('tasks.jsonl', jsonLines([{ ...task, check: 'grep -q right value.txt' }]));
      const again = await machine.start(...words, '--resume').ended;
      assert.match(again.stdout, /1\/1 \(100\.0%\)/, again.stderr);
    });
  });
});
