import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { finish, jsonLines, onBatchMachine, step, type BatchMachine } from './support';

const git = (machine: BatchMachine, folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.email=a@b', '-c', 'user.name=a', ...args], {
    cwd: machine.at(folder),
    encoding: 'utf8',
    env: { ...machine.environment, GIT_CONFIG_NOSYSTEM: '1' },
  });

/** Output of the commands of a task. */
const printed = (machine: BatchMachine, id: string): string => {
  const events = machine.lines(`out/logs/${id}.waymark.jsonl`);
  return events.flatMap((event) => (event['type'] === 'observation' ? [String(event['content'])] : [])).join('\n');
};

describe('a batch with an untrusted dataset', function () {
  this.timeout(400_000);

  it('copies no folder outside its own folder, and none that contains secrets', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('home/.ssh/id_rsa', 'PRIVATE-KEY');
      machine.write('home/.aws/credentials', 'PRIVATE-KEY');
      machine.write('data/script.jsonl', jsonLines([step('cat id_rsa credentials; true'), finish()]));
      fs.symlinkSync(machine.at('home/.ssh'), machine.at('data/link'));
      machine.write('data/project/a.txt', 'a\n');
      fs.symlinkSync(machine.at('home'), machine.at('data/project/out'));
      const script = 'script.jsonl';
      const rows = [
        { id: 'absolute', prompt: 'Do.', script, cwd: machine.at('home/.ssh') },
        { id: 'above', prompt: 'Do.', script, cwd: '../home/.ssh' },
        { id: 'link', prompt: 'Do.', script, cwd: 'link' },
        { id: 'repo', prompt: 'Do.', script, repo: '../home/.ssh' },
        { id: 'script', prompt: 'Do.', script: '../home/.ssh/id_rsa' },
        { id: 'files', prompt: 'Do.', script, cwd: 'project', files: { 'out/made/x': 'x' } },
      ];
      machine.write('data/tasks.jsonl', jsonLines(rows));
      const args = ['batch', 'data/tasks.jsonl', '--out', 'out', '--confirm', 'never'];
      assert.equal((await machine.start(...args).ended).code, 1);
      for (const { id, status, reason } of machine.results()) {
        assert.equal(status, 'invalid', `${id}: ${status}`);
        assert.match(reason, /outside/, id);
      }
      assert.equal(machine.results().length, rows.length);
      assert.ok(!fs.existsSync(machine.at('home/made')), 'nothing is made outside before it is refused');
      const found = fs.readdirSync(machine.at('out'), { recursive: true, encoding: 'utf8' }).filter((name) => {
        const file = machine.at('out', name);
        return fs.statSync(file).isFile() && fs.readFileSync(file, 'utf8').includes('PRIVATE-KEY');
      });
      assert.deepEqual(found, []);
      const wide = ['--root', '.', '--redo-existing', '--filter', 'absolute|above'];
      assert.equal((await machine.start(...args, ...wide).ended).code, 1);
      for (const { id, reason } of machine.results()) assert.match(reason, /contains secrets/, id);
    });
  });

  it('masks known secrets in the patches that it writes', async () => {
    await onBatchMachine(async (machine) => {
      machine.write('project/.env', 'API_SECRET=zebra-quartz-hunter2-9911\n');
      machine.write('project/notes.txt', 'a\n');
      machine.write('script.jsonl', jsonLines([step('echo "k=$(cut -d= -f2 .env)" >> notes.txt'), finish()]));
      machine.write('tasks.jsonl', jsonLines([{ id: 'env', prompt: 'Do.', cwd: 'project', script: 'script.jsonl' }]));
      await machine.batch();
      const [result] = machine.results();
      assert.match(result!.patch, /\+k=./, result!.patch);
      assert.match(result!.reason, /secrets\. They are masked/);
      for (const name of ['results.jsonl', 'preds.json', 'batch_0.jsonl'])
        if (fs.existsSync(machine.at('out', name))) assert.doesNotMatch(machine.read(`out/${name}`), /hunter2/, name);
    });
  });

  it('with --agree, starts no hooks and MCP servers that a task adds as files', async () => {
    await onBatchMachine(async (machine) => {
      const command = `echo started > ${machine.at('PWNED')}`;
      const server = JSON.stringify({ mcpServers: { notes: { command: 'sh', args: ['-c', command] } } });
      machine.write('project/a.txt', 'a\n');
      fs.mkdirSync(machine.at('project/.agent'));
      fs.symlinkSync('.agent', machine.at('project/other'));
      machine.write('script.jsonl', jsonLines([finish()]));
      const row = { prompt: 'Do.', script: 'script.jsonl', cwd: 'project' };
      const hooks = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } });
      const rows = [
        { ...row, id: 'mcp', files: { '.mcp.json': server } },
        { ...row, id: 'dotted', files: { './sub/../.mcp.json': server } },
        { ...row, id: 'hooks', files: { '.agent/hooks.json': hooks } },
        { ...row, id: 'link', files: { 'other/hooks.json': hooks } },
        { ...row, id: 'plain', files: { 'b.txt': 'b' } },
      ];
      machine.write('tasks.jsonl', jsonLines(rows));
      await machine.batch('--mcp', 'notes', '--agree', 'all');
      const byId = new Map(machine.results().map((result) => [result.id, result]));
      for (const id of ['mcp', 'dotted', 'hooks', 'link']) {
        assert.equal(byId.get(id)!.status, 'invalid', id);
        assert.match(byId.get(id)!.reason, /nobody approved them/, id);
      }
      assert.ok(!fs.existsSync(machine.at('PWNED')));
    });
  });

  it('runs no program that a Git configuration names, whether the task or a copied folder brings it', async () => {
    await onBatchMachine(async (machine) => {
      const starts = `id >> ${machine.at('PWNED')}; cat`;
      const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n[filter "e"]\n\tclean = "${starts}"\n\tsmudge = "${starts}"\n`;
      const test_patch = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';
      const attributes = '* filter=e\n';
      machine.write('copied/a.txt', 'one\n');
      git(machine, 'copied', 'init', '-q');
      machine.write('copied/.gitattributes', attributes);
      machine.write('copied/.git/config', config);
      machine.write('script.jsonl', jsonLines([finish()]));
      const row = { prompt: 'Do.', script: 'script.jsonl', check: 'grep -q two a.txt', test_patch };
      const own = {
        'a.txt': 'one\n',
        '.gitattributes': attributes,
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/config': config,
      };
      const rows = [
        { ...row, id: 'copied', cwd: 'copied' },
        { ...row, id: 'own', files: own },
        { ...row, id: 'letters', files: { 'a.txt': 'one\n', 'x/.GIT/config': config } },
      ];
      machine.write('tasks.jsonl', jsonLines(rows));
      await machine.start('eval', 'tasks.jsonl', '--out', 'out').ended;
      const byId = new Map(machine.results().map((result) => [result.id, result]));
      assert.ok(!fs.existsSync(machine.at('PWNED')), 'nothing was started');
      for (const id of ['own', 'letters']) assert.match(byId.get(id)!.reason, /in a Git folder/, id);
      const checks = byId.get('copied')!.checks;
      assert.equal(checks?.[0]?.before, 'pass', 'the patch of the tests was applied');
    });
  });

  it('hides later commits, the dataset and other results from the agent', async function () {
    const { sandbox } = (await findSandbox([process.cwd()])) as { sandbox?: unknown };
    await onBatchMachine(async (machine) => {
      machine.write('data/repo/f.txt', 'bug\n');
      git(machine, 'data/repo', 'init', '-q', '-b', 'main');
      git(machine, 'data/repo', 'add', '.');
      git(machine, 'data/repo', 'commit', '-qm', 'bug');
      const base = git(machine, 'data/repo', 'rev-parse', 'HEAD').trim();
      machine.write('data/repo/f.txt', 'FIXED\n');
      git(machine, 'data/repo', 'commit', '-qam', 'the fix');
      const fix = git(machine, 'data/repo', 'rev-parse', 'HEAD').trim();
      git(machine, 'data/repo', 'tag', 'v2');
      const look = `git log --oneline --all; git cat-file -p ${fix}; git remote -v; git show origin/main:f.txt; git status --short; cat ${machine.at('data/tasks.jsonl')}; ls ${machine.at('out')}; true`;
      machine.write('data/look.jsonl', jsonLines([step(look), finish()]));
      const row = {
        id: 'look',
        prompt: 'Do.',
        repo: 'repo',
        commit: base,
        script: 'look.jsonl',
        test_patch: 'SECRET-TEST',
      };
      machine.write('data/tasks.jsonl', jsonLines([row]));
      await machine.start('batch', 'data/tasks.jsonl', '--out', 'out', '--confirm', 'never').ended;
      const seen = printed(machine, 'look');
      assert.match(seen, /bug/);
      assert.doesNotMatch(seen, /the fix|FIXED/);
      assert.doesNotMatch(seen, /unable to normalize/);
      if (sandbox !== undefined) assert.doesNotMatch(seen, /SECRET-TEST|results\.jsonl/);
      assert.match(git(machine, 'data/repo', 'status', '--short', '--branch'), /^## main/);
    });
  });
});

describe('the output folder of a batch', function () {
  this.timeout(200_000);

  it('is refused if it contains other files, and these files are not changed', async () => {
    await onBatchMachine(async (machine) => {
      const files = { 'index.html': 'my site', 'logs/app.log': 'my log', 'results.jsonl': '{"my":1}\nnot json\ntorn' };
      for (const [name, text] of Object.entries(files)) machine.write(`site/${name}`, text);
      machine.write('site/checkpoint.json', 'mine');
      machine.write('script.jsonl', jsonLines([finish()]));
      machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.', script: 'script.jsonl' }]));
      for (const how of ['--redo-existing', '--resume', '--keep-without-reasoning']) {
        const { code, stderr } = await machine.start('batch', 'tasks.jsonl', '--out', 'site', how).ended;
        assert.equal(code, 1, how);
        assert.match(stderr, /that no batch created/);
        for (const [name, text] of Object.entries(files)) assert.equal(machine.read(`site/${name}`), text, how);
        assert.equal(machine.read('site/checkpoint.json'), 'mine', how);
      }
      machine.write('out/index.html', 'my site');
      assert.equal((await machine.batch('--keep-without-reasoning')).code, 0);
      machine.write('out/logs/app.log', 'my log');
      assert.equal((await machine.batch('--redo-existing', '--keep-without-reasoning')).code, 0);
      assert.deepEqual([machine.read('out/index.html'), machine.read('out/logs/app.log')], ['my site', 'my log']);
      assert.equal(machine.results().length, 1);
    });
  });
});
