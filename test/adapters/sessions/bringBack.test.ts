import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { checkpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { BringBack, type BringParts } from '../../../src/adapters/sessions/bringBack';
import { allChangesIn, changesToBringBack } from '../../../src/adapters/sessions/worktrees';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('applying changes of a worktree to the folder', function () {
  this.timeout(60_000);
  let place: TemporaryWorkspace;
  let checkpoints: SessionCheckpoints;
  let parts: BringParts;
  let actions = 0;

  const log = (): string => place.at('state/run.waymark.jsonl');
  const inWorktree = (name: string): string => place.at('worktree', name);
  const inFolder = (name: string): string | undefined => place.bytes(path.join('folder', name))?.toString();
  const namesOf = (changed: Awaited<ReturnType<typeof changesToBringBack>>): string[] | undefined =>
    changed?.filter(({ isFolder }) => !isFolder).map(({ path: file }) => path.relative(parts.root, file));
  const waiting = async (): Promise<string[] | undefined> => namesOf(await changesToBringBack(parts));

  /** Does something in the worktree as one action of its session. */
  async function act(work: () => void): Promise<void> {
    const checkpoint = await checkpoints.before(`action-${++actions}`);
    work();
    await checkpoint.after();
  }

  beforeEach(() => {
    place = temporaryWorkspace();
    for (const folder of ['worktree', 'folder']) place.place(`${folder}/a.txt`, 'one\ntwo\nthree\n');
    const store = checkpointStore(place.at('state/checkpoints'));
    parts = {
      log: log(),
      root: place.at('worktree'),
      store,
      worktree: { of: place.at('folder'), commit: '', uncommitted: false },
    };
    checkpoints = new SessionCheckpoints({
      log: log(),
      folders: [parts.root],
      store,
      resolve: (spelled) => path.resolve(parts.root, spelled),
      onNotice: (text) => assert.fail(text),
    });
  });
  afterEach(async () => {
    await checkpoints.dispose();
    place.stop();
  });

  it('keeps a change waiting that is only in an editor until the file has it', async () => {
    await act(() => {
      place.place('worktree/a.txt', 'one\nTWO\nthree\n');
      place.place('worktree/b.txt', 'new\n');
    });
    const isDoneElsewhere = ({ path }: { readonly path: string }): boolean => path === place.at('folder/a.txt');
    const { status, plan } = await new BringBack({ ...parts, isDoneElsewhere }).bring({});
    assert.deepEqual([status, plan.restores.length], ['done', 2]);
    assert.deepEqual([inFolder('a.txt'), inFolder('b.txt')], ['one\ntwo\nthree\n', 'new\n']);
    assert.deepEqual(await waiting(), ['a.txt']);
    // The user saves the editor's content with an edit of their own.
    place.place('folder/a.txt', 'one\nTWO\nthree\nfour\n');
    assert.equal((await new BringBack(parts).bring({})).status, 'done');
    assert.deepEqual([inFolder('a.txt'), await waiting()], ['one\nTWO\nthree\nfour\n', []]);
  });

  it('lists all changes, also those already applied', async () => {
    await act(() => place.place('worktree/a.txt', 'one\nTWO\nthree\n'));
    assert.equal((await new BringBack(parts).bring({})).status, 'done');
    assert.deepEqual([await waiting(), namesOf(await allChangesIn(parts))], [[], ['a.txt']]);
  });

  it('marks a change as waiting before reverting it, so a kill in between loses nothing', async () => {
    await act(() => place.place('worktree/a.txt', 'one\nTWO\nthree\n'));
    assert.equal((await new BringBack(parts).bring({})).status, 'done');
    assert.deepEqual(await waiting(), []);
    let atWriting: Promise<string[] | undefined> | undefined;
    const isDoneElsewhere = (): boolean => {
      assert.equal(inFolder('a.txt'), 'one\nTWO\nthree\n', 'it is in the folder still');
      atWriting ??= waiting();
      return false;
    };
    assert.equal((await new BringBack({ ...parts, isDoneElsewhere }).takeBack()).status, 'done');
    assert.deepEqual(await atWriting, ['a.txt']);
    assert.deepEqual([inFolder('a.txt'), await waiting()], ['one\ntwo\nthree\n', ['a.txt']]);
  });

  it('changes nothing in either direction if a file must not be written now', async () => {
    await act(() => {
      place.place('worktree/a.txt', 'one\nTWO\nthree\n');
      place.place('worktree/b.txt', 'new\n');
    });
    const refuse = (file: string): void => {
      if (file === place.at('folder/b.txt')) throw new Error('Save it first.');
    };
    await assert.rejects(new BringBack({ ...parts, refuse }).bring({}), /Save it first/);
    assert.deepEqual([inFolder('a.txt'), inFolder('b.txt')], ['one\ntwo\nthree\n', undefined]);
    assert.deepEqual(await waiting(), ['a.txt', 'b.txt']);
    assert.equal((await new BringBack(parts).bring({})).status, 'done');
    await assert.rejects(new BringBack({ ...parts, refuse }).takeBack(), /Save it first/);
    assert.deepEqual([inFolder('a.txt'), inFolder('b.txt')], ['one\nTWO\nthree\n', 'new\n']);
    assert.deepEqual(await waiting(), []);
  });

  it('keeps an applied change that the user edited since, and does not mark it as waiting', async () => {
    await act(() => place.place('worktree/a.txt', 'one\nTWO\nthree\n'));
    assert.equal((await new BringBack(parts).bring({})).status, 'done');
    place.place('folder/a.txt', 'one\n2\nthree\n');
    assert.equal((await new BringBack(parts).takeBack()).status, 'refused');
    assert.deepEqual([inFolder('a.txt'), await waiting()], ['one\n2\nthree\n', []]);
  });

  it('accepts unusual names, but no Git files and no path through a link', async function () {
    await act(() => {
      place.place('worktree/..odd', 'odd\n');
      place.place('worktree/deep/c.txt', 'c\n');
    });
    assert.equal((await new BringBack(parts).bring({ files: [inWorktree('..odd')] })).status, 'done');
    assert.equal(inFolder('..odd'), 'odd\n');
    fs.mkdirSync(place.at('elsewhere'));
    fs.symlinkSync(place.at('elsewhere'), place.at('folder/deep'));
    const through = new BringBack(parts).bring({ files: [inWorktree('deep/c.txt')] });
    await through.then(
      ({ status }) => assert.equal(status, 'refused'),
      (error: Error) => assert.match(error.message, /is a link/),
    );
    assert.deepEqual(fs.readdirSync(place.at('elsewhere')), []);
    // On other systems Git resolves this name to a repository.
    await act(() => place.place('worktree/GIT~1/config', '[core]\n'));
    const refused = await new BringBack(parts).bring({ files: [inWorktree('GIT~1/config')] });
    assert.deepEqual([refused.status, refused.plan.problems[0]?.kind], ['refused', 'no_copy']);
  });
});
