import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { recordedFolder, type RecordedFolder } from './recordedFolder';
import { wholeTree } from './wholeTree';

const fixture = 'test/fixtures/exports/node_modules/my-pkg/package.json';

describe('folders of packages in a repository', function () {
  this.timeout(60_000);
  let folder: RecordedFolder;
  let changes: RunChanges;
  let steps = 0;
  const at = (name: string): string => folder.place.at('work', name);

  beforeEach(() => {
    folder = recordedFolder({
      'a.txt': 'one\n',
      [fixture]: '{"name":"my-pkg"}\n',
      'test/fixtures/exports/node_modules/my-pkg/sub/node_modules/inner/i.js': 'inner\n',
      'node_modules/.package-lock.json': '{"packages":{"packages/a/node_modules/dep":{}}}\n',
      'node_modules/dep/index.js': 'dependency\n',
      'node_modules/dep/patched.js': 'committed\n',
      'packages/a/node_modules/dep/index.js': 'dependency\n',
      'lib/target.js': 'code\n',
    });
    git('init', '-q');
    git('add', '-f', 'a.txt', 'lib', 'test', 'node_modules/dep/patched.js');
    git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'first');
    changes = new RunChanges(folder.log, folder.store, (file) => path.relative(at(''), file));
  });
  afterEach(() => folder.end());

  function git(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('git', args, { cwd: at(''), encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
  /** Runs shell commands like steps, after one that changes nothing. */
  async function shell(...texts: readonly string[]): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 150));
    for (const text of ['true', ...texts]) {
      const checkpoint = await folder.run.before(String(steps++), undefined, text);
      const { status, stderr } = spawnSync('sh', ['-c', text], { cwd: at(''), encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      await checkpoint.after();
    }
    await changes.refresh();
  }
  async function edit(name: string, text: string): Promise<void> {
    const checkpoint = await folder.run.before(String(steps++), [name]);
    folder.place.place(`work/${name}`, text);
    await checkpoint.after();
  }
  const tree = () => wholeTree(at(''), (name) => name === '.git');
  const changed = async (): Promise<string[]> =>
    (await changes.changes()).map((file) => path.relative(at(''), file.path)).sort();
  async function assertUndone(before: ReturnType<typeof tree>): Promise<void> {
    assert.deepEqual(changes.record.uncovered, []);
    const undone = await changes.undo({});
    assert.equal(undone.status, 'done', JSON.stringify(undone.plan.problems));
    assert.deepEqual(tree(), before);
    await changes.refresh();
    assert.deepEqual(await changes.changes(), []);
  }

  const commands: readonly (readonly [text: string, ...changed: readonly string[]])[] = [
    [`git ls-files -z | xargs -0 sed -i s/my-pkg/your-pkg/`, fixture],
    [`rm ${fixture}`, fixture],
    ['rm -r test/fixtures/exports/node_modules'],
    ['mv test/fixtures/exports test/fixtures/moved'],
    ['echo new > test/fixtures/exports/node_modules/my-pkg/new.js', `${path.dirname(fixture)}/new.js`],
    ['mkdir -p test/other/node_modules/p && echo new > test/other/node_modules/p/index.js'],
    ['echo x >> node_modules/dep/patched.js', 'node_modules/dep/patched.js'],
    ['rm node_modules/dep/patched.js', 'node_modules/dep/patched.js'],
  ];
  for (const [text, ...files] of commands)
    it(`are restored where Git tracks files or people wrote them: ${text}`, async () => {
      const before = tree();
      await shell(text);
      const all = await changed();
      if (files.length > 0) assert.deepEqual(all, files);
      await assertUndone(before);
    });

  it('are restored after a switch of the branch', async () => {
    git('switch', '-qc', 'other');
    fs.rmSync(at('test'), { recursive: true });
    folder.place.place('work/node_modules/dep/patched.js', 'elsewhere\n');
    git('add', '-A', 'test', 'node_modules/dep/patched.js');
    git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'second');
    const before = tree();
    await shell('git switch -q -');
    assert.ok((await changed()).includes(fixture));
    await assertUndone(before);
  });

  it('leave out what an installer made, also in a part of the project', async () => {
    await shell(
      'echo x >> node_modules/dep/index.js && echo x >> packages/a/node_modules/dep/index.js',
      'mkdir -p b/node_modules/dep c/node_modules/.bin d/node_modules && echo x > b/node_modules/dep/x && ln -s ../.. d/node_modules/all && touch b/node_modules/.modules.yaml',
    );
    assert.deepEqual(await changed(), ['b', 'c', 'd']);
  });

  it('leave out a folder that an installer fills, and still restore the earlier files in it', async () => {
    const before = tree();
    await shell(
      `rm -r test/fixtures/exports/node_modules/my-pkg && cd test/fixtures/exports && mkdir -p node_modules/dep && echo x > node_modules/dep/x && touch node_modules/.package-lock.json`,
    );
    assert.ok((await changed()).includes(fixture));
    assert.ok(!(await changed()).some((name) => name.includes('exports/node_modules/dep')));
    assert.equal((await changes.undo({})).status, 'done');
    fs.rmSync(at('test/fixtures/exports/node_modules/dep'), { recursive: true });
    fs.rmSync(at('test/fixtures/exports/node_modules/.package-lock.json'));
    assert.deepEqual(tree(), before);
  });

  it('never count as new if they were only left out before', async () => {
    await shell('true');
    fs.rmSync(at('node_modules/.package-lock.json'));
    await shell('rm -rf node_modules/.bin; echo x > node_modules/new; touch new packages/a/new');
    assert.deepEqual(await changed(), ['new', 'packages/a/new']);
  });

  it('have the changes of an edit once, also after a later command', async () => {
    const before = tree();
    await shell('true');
    await edit('test/new/node_modules/p/a.js', 'a\n');
    await edit('node_modules/dep/index.js', 'patched\n');
    await shell('touch test/new/b.txt');
    const lists = (await changes.changes()).map(({ path: file, actions }) => [path.relative(at(''), file), ...actions]);
    assert.deepEqual(Object.fromEntries(lists.map(([name, ...actions]) => [name, actions.length])), {
      'node_modules/dep/index.js': 1,
      'test/new': 1,
      'test/new/b.txt': 1,
      'test/new/node_modules': 1,
      'test/new/node_modules/p': 1,
      'test/new/node_modules/p/a.js': 1,
    });
    await assertUndone(before);
  });

  it('say which files Git tracks only since a step that wrote them', async () => {
    await shell('echo x > node_modules/dep/other.js && git add -f node_modules/dep/other.js');
    assert.match(JSON.stringify(changes.record.uncovered), /Git tracks now.*other\.js/);
  });
});

it('An empty .git folder, as the sandbox makes one, does not make a folder of packages the work of people', async () => {
  const folder = recordedFolder({ 'node_modules/kept/index.js': 'kept\n', 'text.txt': 'old\n' });
  try {
    const at = (name: string): string => folder.place.at('work', name);
    const first = await folder.run.before('1', undefined, 'true');
    await first.after();
    const second = await folder.run.before('2', undefined, 'mv node_modules/kept kept');
    fs.mkdirSync(at('.git'));
    fs.renameSync(at('node_modules/kept'), at('kept'));
    await second.after();
    const changes = new RunChanges(folder.log, folder.store, (file) => path.relative(at(''), file));
    await changes.refresh();
    await changes.changes();
    assert.deepEqual(
      changes.record.uncovered.map(({ words }) => /Undo keeps them: (.*)\.$/.exec(words)?.[1]),
      ['kept'],
    );
  } finally {
    await folder.end();
  }
});
