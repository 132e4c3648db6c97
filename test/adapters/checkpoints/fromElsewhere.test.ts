import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { recordedFolder, type RecordedFolder } from './recordedFolder';

/** What commands put into the folder that existed before: undo must not delete the user's only copy. */
describe('what a command puts into the folder from a place without copies', () => {
  let folder: RecordedFolder;
  let changes: RunChanges;

  /** True if commands can write only the folder, as in a sandbox. */
  let isSealed = false;

  beforeEach(() => {
    isSealed = false;
    folder = recordedFolder(
      { 'a.txt': 'one\n', 'src/b.txt': 'two\n', 'node_modules/t': 'only here\n' },
      { wroteOnlyInside: () => Promise.resolve(isSealed) },
    );
    changes = new RunChanges(folder.log, folder.store, (file) => path.basename(file));
  });
  afterEach(() => folder.end());

  const at = (name: string): string => folder.place.at('work', name);
  const move = (from: string, to: string): void => fs.renameSync(at(from), at(to));
  const link = (from: string, to: string): void => fs.linkSync(at(from), at(to));
  /** Timestamps of files are not exact: only what is clearly older counts. */
  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
  /** Moves a file as between file systems: the new file has the content and modification time of the old one. */
  const moveAcross = (from: string, to: string): void => {
    copyKeepingTime(from, to);
    fs.rmSync(at(from));
  };
  const copyKeepingTime = (from: string, to: string): void => {
    const { atimeMs, mtimeMs } = fs.statSync(at(from));
    fs.rmSync(at(to), { force: true });
    fs.copyFileSync(at(from), at(to));
    fs.utimesSync(at(to), atimeMs / 1000, mtimeMs / 1000);
  };

  async function commands(...steps: readonly (() => void)[]): Promise<void> {
    await later();
    for (const [nth, work] of [() => undefined, ...steps].entries()) {
      const checkpoint = await folder.run.before(String(nth));
      work();
      await checkpoint.after();
    }
    await changes.refresh();
  }

  /** Runs a shell command like a step, and then one that deletes nothing. */
  async function shell(text: string): Promise<void> {
    await later();
    const checkpoint = await folder.run.before('shell', undefined, text);
    spawnSync('sh', ['-c', text], { cwd: at(''), encoding: 'utf8' });
    await checkpoint.after();
    await changes.refresh();
  }

  const notes = (): string[] => changes.record.uncovered.map(({ action, words }) => `${action}: ${words}`);

  async function undo(): Promise<void> {
    assert.match((await changes.undo({}, { leaveUnkept: true })).status, /^(done|nothing)$/);
  }

  it('stays if it is a hard link, because a later step may delete the first name', async () => {
    await commands(
      () => {
        link('node_modules/t', 't.txt');
        link('node_modules/t', 't2.txt');
      },
      () => fs.rmSync(at('node_modules/t')),
    );
    assert.match(notes().join('\n'), /^1: .*Undo keeps them: t\.txt, t2\.txt\.$/);
    await undo();
    assert.deepEqual([folder.text('t.txt'), folder.text('t2.txt')], ['only here\n', 'only here\n']);
  });

  it('is deleted if it is another name of a file with a copy', async () => {
    await commands(
      () => link('a.txt', 'c.txt'),
      () => fs.rmSync(at('a.txt')),
    );
    assert.deepEqual(notes(), []);
    await undo();
    assert.deepEqual([folder.text('a.txt'), folder.text('c.txt')], ['one\n', undefined]);
  });

  it('is asked about if it may come from another file system', async () => {
    await commands(() => {
      moveAcross('node_modules/t', 't.txt');
      moveAcross('src/b.txt', 'b.txt');
      copyKeepingTime('a.txt', 'a2.txt');
      fs.writeFileSync(at('new.txt'), 'new\n');
    });
    assert.equal(notes().length, 1);
    assert.match(notes()[0]!, /^1: .* t\.txt\.$/);
    await undo();
    assert.deepEqual(['t.txt', 'b.txt', 'a2.txt', 'src/b.txt'].map(folder.text), [
      undefined,
      undefined,
      undefined,
      'two\n',
    ]);
    await changes.redo();
    assert.equal(folder.text('t.txt'), 'only here\n');
  });

  it('is asked about if it replaces a file and may come from another file system', async () => {
    await commands(() => moveAcross('node_modules/t', 'a.txt'));
    assert.match(
      notes().join('\n'),
      /^1: These files may have been moved or unpacked here .* Undo deletes or replaces them.* a\.txt\.$/,
    );
  });

  for (const [text, named] of [
    ['mv node_modules/t t.txt; sed -i s/only/ONLY/ t.txt', ['t.txt']],
    ['cd src && mv ../node_modules/t . && echo more >> t && sed -i s/only/ONLY/ t', ['t']],
    ['mv node_modules/t src; sed -i s/only/ONLY/ src/t', ['t']],
    ['mv node_modules/t a.txt; sed -i s/only/ONLY/ a.txt', ['a.txt']],
    ['mv node_modules/d d; sed -i s/in/IN/ d/f; echo new > d/new', ['d', 'f, new']],
    ['rm node_modules/t; echo new > made.txt', []],
    ['mv a.txt c.txt; sed -i s/one/ONE/ c.txt', []],
    ['for f in node_modules/t; do mv $f t.txt; done; sed -i s/only/ONLY/ t.txt', ['t.txt']],
    ['ls node_modules/t | xargs -I % mv % t.txt; sed -i s/only/ONLY/ t.txt', ['t.txt']],
    ['echo node_modules/t mine.txt | xargs mv; sed -i s/only/ONLY/ mine.txt', ['mine.txt']],
    ['mv node_modules/t x; mv x y; sed -i s/only/ONLY/ y; sed -i s/two/TWO/ src/b.txt', ['y']],
  ] as const)
    it(`is asked about if the command rewrites it: ${text}`, async () => {
      folder.place.place('work/node_modules/d/f', 'in\n');
      await commands();
      await shell(text);
      const lists = notes().flatMap(
        (words) => words.replace(/^shell: /, '').match(/(?<=: )[^:]+(?=\.(?: These|$))/g) ?? [],
      );
      assert.deepEqual(lists, named);
    });

  for (const text of [
    'cp -p a.txt a.bak && echo more >> a.txt',
    'cp -p a.txt a.bak && echo more > src/b.txt && cp -p a.bak c.txt && rm a.bak && echo x > a.txt',
    'tar cf node_modules/t.tar src; mkdir x; tar xf node_modules/t.tar -C x',
  ])
    it(`is not meant by a copy of a file in the folder: ${text}`, async () => {
      await commands();
      await shell(text);
      assert.deepEqual(notes(), []);
    });

  it('is a copy if the command can write only the folder', async () => {
    await commands();
    fs.mkdirSync(folder.place.at('elsewhere/d'), { recursive: true });
    fs.writeFileSync(folder.place.at('elsewhere/d/x'), 'x\n');
    fs.writeFileSync(folder.place.at('elsewhere/y'), 'y\n');
    await later();
    const unpacks = 'tar -cf ../d.tar -C ../elsewhere d && tar -xf ../d.tar && cp -p ../elsewhere/y a.txt';
    isSealed = true;
    await shell(unpacks);
    assert.deepEqual(notes(), []);
    await undo();
    assert.deepEqual([folder.text('d/x'), folder.text('a.txt')], [undefined, 'one\n']);
    isSealed = false;
    await shell(unpacks);
    assert.match(notes().join('\n'), /may have been moved or unpacked here .* a\.txt, x\./);
  });

  it('stays although the command can write only the folder, if it moved it there', async () => {
    await commands();
    isSealed = true;
    await shell('mv node_modules/t t.txt');
    assert.match(notes().join('\n'), /Undo keeps them: t\.txt\.$/);
    await undo();
    assert.equal(folder.text('t.txt'), 'only here\n');
  });

  it('is asked about if the command can write only the folder and rewrites what it moved there', async () => {
    await commands();
    isSealed = true;
    await shell('mv node_modules/t t.txt; sed -i s/only/ONLY/ t.txt');
    assert.match(notes().join('\n'), /may have been moved or unpacked here .* t\.txt\.$/);
  });

  it('is asked about if two commands ran at the same time', async () => {
    await commands();
    isSealed = true;
    fs.writeFileSync(folder.place.at('y'), 'y\n');
    await later();
    const one = await folder.run.before('one', undefined, 'cp -p ../y y');
    const two = await folder.run.before('two', undefined, 'true');
    spawnSync('cp', ['-p', '../y', 'y'], { cwd: at('') });
    await two.after();
    await one.after();
    await changes.refresh();
    assert.match(notes().join('\n'), /one: These files may have been moved or unpacked here .* y\./);
  });

  it('is asked about if it is in the place of a file that an earlier step deleted', async () => {
    fs.mkdirSync(at('node_modules/empty'));
    await commands(
      () => {
        fs.rmSync(at('a.txt'));
        fs.rmSync(at('src/b.txt'));
      },
      () => {
        move('node_modules/t', 'a.txt');
        move('node_modules/empty', 'src/b.txt');
      },
    );
    assert.match(notes().join('\n'), /^2: In place of these .* a\.txt, b\.txt\.$/);
    await undo();
    assert.deepEqual(['a.txt', 'src/b.txt'].map(folder.text), ['one\n', 'two\n']);
    await changes.redo();
    assert.equal(folder.text('a.txt'), 'only here\n');
  });

  it('stays if it is an empty folder', async () => {
    fs.mkdirSync(at('node_modules/empty/inner'), { recursive: true });
    fs.mkdirSync(at('src/empty'));
    await commands(
      () => {
        move('node_modules/empty', 'empty');
        move('src', 'lib');
        fs.mkdirSync(at('made'));
      },
      () => move('lib', 'lib2'),
    );
    assert.equal(notes().length, 1);
    assert.match(notes()[0]!, /Undo keeps them: empty\.$/);
    await undo();
    const names = folder.place.names().filter((name) => name.startsWith('work/'));
    assert.deepEqual(
      names.filter((name) => !name.includes('node_modules')),
      ['work/a.txt', 'work/empty', 'work/empty/inner', 'work/src', 'work/src/b.txt', 'work/src/empty'],
    );
  });

  it('is asked about if only the run itself wrote the same content', async () => {
    await commands(
      () => fs.copyFileSync(at('node_modules/t'), at('copy.txt')),
      () => moveAcross('node_modules/t', 't.txt'),
    );
    assert.match(notes().join('\n'), /^2: These files may have been moved or unpacked here .* t\.txt\.$/);
  });

  it('stays if it has the content of a file that an earlier step deleted, but is not that file', async () => {
    folder.place.place('work/node_modules/backup.txt', 'one\n');
    await commands(
      () => fs.rmSync(at('a.txt')),
      () => undefined,
      () => undefined,
      () => move('node_modules/backup.txt', 'backup.txt'),
    );
    assert.match(notes().join('\n'), /^4: .* Undo keeps them: backup\.txt\.$/);
    await undo();
    assert.deepEqual([folder.text('a.txt'), folder.text('backup.txt')], ['one\n', 'one\n']);
  });

  it('stays if the user had moved it away', async () => {
    await commands(() => undefined);
    move('a.txt', 'node_modules/a.txt');
    await commands(
      () => undefined,
      () => undefined,
      () => move('node_modules/a.txt', 'moved.txt'),
    );
    assert.match(notes().join('\n'), /Undo keeps them: moved\.txt\.$/);
  });

  it('is restored if an earlier step had moved it away', async () => {
    await commands(
      () => {
        move('a.txt', 'node_modules/a.txt');
        move('src', 'node_modules/src');
      },
      () => undefined,
      () => undefined,
      () => undefined,
      () => {
        move('node_modules/a.txt', 'moved.txt');
        move('node_modules/src', 'src');
      },
    );
    assert.deepEqual(notes(), []);
    await undo();
    assert.deepEqual(['a.txt', 'moved.txt', 'src/b.txt'].map(folder.text), ['one\n', undefined, 'two\n']);
  });
});
