import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { JournalEntry } from '../../../src/core/changes/journalEntry';
import { BlobStore } from '../../../src/adapters/checkpoints/blobStore';
import { cleanUp, defaultPolicy } from '../../../src/adapters/checkpoints/cleanUp';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { appendToJournal, journalOf, readJournal } from '../../../src/adapters/checkpoints/journal';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

const monthAgo = (): Date => new Date(Date.now() - 40 * 24 * 60 * 60_000);

describe('cleaning up the checkpoint store', () => {
  const workspace = temporaryWorkspace('work');
  const state = path.join(workspace.root, '../state');
  after(() => workspace.stop());

  /** A run that changes one file. */
  async function run(name: string): Promise<{ log: string; store: CheckpointStore }> {
    const store = new CheckpointStore(path.join(state, 'checkpoints'));
    const log = path.join(state, `${name}.jsonl`);
    const checkpoints = new SessionCheckpoints({
      log,
      folders: [workspace.root],
      store,
      resolve: (spelled) => workspace.at(spelled),
      onNotice: (words) => assert.fail(words),
    });
    const checkpoint = await checkpoints.before('only');
    workspace.place(`${name}.txt`, name);
    fs.appendFileSync(workspace.at('shared.txt'), `${name}\n`);
    await checkpoint.after();
    await checkpoints.dispose();
    store.dispose();
    return { log, store };
  }

  it('registers the journal of a resumed run that was killed while registering it', () => {
    const store = new CheckpointStore(path.join(state, 'other'));
    const journal = path.join(state, 'killed.changes.jsonl');
    store.register(journal);
    const [registered] = fs.readdirSync(store.runsFolder);
    fs.writeFileSync(path.join(store.runsFolder, registered!), '');
    store.register(journal);
    assert.equal(fs.readFileSync(path.join(store.runsFolder, registered!), 'utf8'), journal);
    assert.deepEqual(fs.readdirSync(store.runsFolder), [registered]);
    store.dispose();
  });

  it('runs again and removes the lock after a killed process left a cleanup unfinished', async () => {
    const { store } = await run('begun');
    const lock = path.join(store.folder, 'cleaning.lock');
    const stamp = path.join(store.folder, 'cleaned');
    const first = cleanUp(store, defaultPolicy);
    // These files remain if the process is killed at this point.
    assert.deepEqual([fs.existsSync(lock), fs.existsSync(stamp)], [true, false]);
    await first;
    fs.rmSync(stamp);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    fs.writeFileSync(lock, JSON.stringify({ pid }));
    await cleanUp(store, defaultPolicy);
    assert.deepEqual([fs.existsSync(lock), fs.existsSync(stamp)], [false, true]);
  });

  it('deletes the copies of old runs, records that in their journals and keeps the copies of new runs', async () => {
    workspace.place('shared.txt', 'first\n');
    const old = await run('old');
    const fresh = await run('fresh');
    fs.utimesSync(journalOf(old.log), monthAgo(), monthAgo());
    const store = new CheckpointStore(path.join(state, 'checkpoints'));
    await cleanUp(store, { days: 30, megabytes: 2000 }, { force: true });
    assert.equal(new RunChanges(old.log, store, (each) => each).record.cleaned, true);
    const changes = new RunChanges(fresh.log, store, (each) => each);
    assert.equal(changes.record.cleaned, false);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(workspace.bytes('shared.txt')?.toString(), 'first\nold\n');
    assert.equal(workspace.bytes('fresh.txt'), undefined);
    store.dispose();
  });

  it('deletes copies of a recent run if the store exceeds its size limit', async () => {
    const { log } = await run('large');
    const store = new CheckpointStore(path.join(state, 'checkpoints'));
    await cleanUp(store, { days: 30, megabytes: 0 }, { force: true });
    assert.equal(new RunChanges(log, store, (each) => each).record.cleaned, true);
    store.dispose();
  });

  it('deletes only as many runs as necessary, the oldest first, and keeps what newer ones need', async () => {
    const { store, journals, hashes } = await filledStore('sizes', 4);
    const whole = store.blobs.size();
    // Each run needs a content of its own and the one that all share: without two of four, two thirds remain.
    await cleanUp(store, { days: 30, megabytes: (0.7 * whole) / 1024 / 1024 }, { force: true });
    const cleaned = journals.map((journal) => readJournal(journal).entries.some(({ type }) => type === 'cleaned'));
    assert.deepEqual(cleaned, [true, true, false, false]);
    const left = new BlobStore(store.blobs.folder);
    assert.deepEqual(
      hashes.map((hash) => left.has(hash)),
      [true, false, false, true, true],
    );
    store.dispose();
  });

  it('keeps an old content that a run comes to need during the cleanup', async () => {
    const { store, journals, hashes } = await filledStore('late', 2);
    fs.utimesSync(journals[0]!, monthAgo(), monthAgo());
    const { blobs } = store;
    const old = hashes[1]!;
    const flush = blobs.flush.bind(blobs);
    blobs.flush = async () => {
      assert.equal(blobs.has(old), true, 'a run does not copy it again');
      appendToJournal(journals[1]!, changeTo(old));
      await flush();
    };
    await cleanUp(store, defaultPolicy, { force: true });
    assert.equal(readJournal(journals[0]!).entries.at(-1)?.type, 'cleaned');
    assert.equal(new BlobStore(blobs.folder).has(old), true);
    store.dispose();
  });

  it('does not affect changes that a resumed run makes afterwards', async () => {
    const { log } = await run('again');
    const store = new CheckpointStore(path.join(state, 'checkpoints'));
    fs.utimesSync(journalOf(log), monthAgo(), monthAgo());
    await cleanUp(store, { days: 30, megabytes: 2000 }, { force: true });
    const changes = new RunChanges(log, store, (each) => path.basename(each));
    assert.deepEqual([changes.record.cleaned, await changes.changes()], [true, []]);
    store.dispose();

    const before = workspace.bytes('shared.txt')!.toString();
    await run('again');
    await changes.refresh();
    assert.equal(changes.record.cleaned, false);
    assert.deepEqual(
      (await changes.changes()).map((file) => [path.basename(file.path), file.added]),
      [['shared.txt', 1]],
    );
    assert.match(changes.record.uncovered.map(({ words }) => words).join(), /copies .* were cleaned up/);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(workspace.bytes('shared.txt')!.toString(), before);
  });

  /** Makes a call of the system fail for some paths, as if too many files were open. */
  function failing(
    name: 'openSync' | 'readFileSync' | 'readdirSync' | 'appendFileSync',
    isMeant: (file: string) => boolean,
  ): () => void {
    const real = fs[name] as (...given: unknown[]) => unknown;
    const failing = (...given: unknown[]): unknown => {
      if (isMeant(String(given[0]))) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      return real(...given);
    };
    Object.assign(fs, { [name]: failing });
    return () => Object.assign(fs, { [name]: real });
  }

  const unreadable = [
    ['the list of runs', 'readdirSync', /\/runs$/],
    ['the list of indexes', 'readdirSync', /\/folders$/],
    ['the journal of a run', 'openSync', /run0\.changes\.jsonl$/],
    ['the registration of a run', 'readFileSync', /\/runs\//],
    ['an index', 'readFileSync', /\/folders\/index\.jsonl$/],
    ['a pack', 'openSync', /-1\.pack$/],
  ] as const;
  for (const [what, call, place] of unreadable)
    it(`deletes no needed copy if it cannot read ${what}`, async () => {
      const { store, hashes, journals } = await filledStore(`unread ${what}`, 2);
      fs.mkdirSync(store.indexFolder, { recursive: true });
      const ofIndex = ['', 'file', 0o644, 50_000, 1, 1, 1, hashes[2]];
      fs.writeFileSync(path.join(store.indexFolder, 'index.jsonl'), `${JSON.stringify(ofIndex)}\n`);
      if (what === 'an index' || what === 'the list of indexes') fs.rmSync(journals[1]!);
      const restore = failing(call, (file) => place.test(file));
      await cleanUp(store, defaultPolicy, { force: true }).catch(() => undefined);
      restore();
      const left = new BlobStore(store.blobs.folder);
      assert.deepEqual(
        hashes.map((hash) => left.has(hash)),
        [true, true, true],
      );
      store.dispose();
    });

  it('keeps the pack of a needed copy that cannot be read while it is moved', async () => {
    const { store, hashes } = await filledStore('moved', 1);
    const { folder } = store.blobs;
    // Less than half of one pack is needed.
    const large = new BlobStore(folder);
    const needed = large.put(randomBytes(1000));
    large.put(randomBytes(50_000));
    await large.flush();
    large.close();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const [own] = large.packs().filter((pack) => pack.startsWith(`${process.pid}-`));
    fs.renameSync(path.join(folder, own!), path.join(folder, `${pid}-large.pack`));
    const journal = path.join(state, 'moved', 'needs.changes.jsonl');
    appendToJournal(journal, changeTo(needed));
    store.register(journal);
    let opened = 0;
    // The first time for its size, then for its contents, then to move them.
    const restore = failing('openSync', (file) => file.endsWith('-large.pack') && ++opened > 2);
    await cleanUp(store, defaultPolicy, { force: true });
    restore();
    assert.ok(opened > 2);
    assert.equal(new BlobStore(folder).has(needed), true);
    assert.equal(new BlobStore(folder).has(hashes[1]!), true);
    store.dispose();
  });

  it('keeps a pack that a process of another container writes, until it was not written for a day', async () => {
    const store = new CheckpointStore(path.join(state, 'container'));
    const blobs = new BlobStore(store.blobs.folder);
    // In no journal yet: the process records it after it has copied the whole folder.
    const hash = blobs.put(randomBytes(1000));
    await blobs.flush();
    blobs.close();
    const [own] = blobs.packs();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const elsewhere = path.join(store.blobs.folder, `${pid}-1.${'0'.repeat(8)}.pack`);
    fs.renameSync(path.join(store.blobs.folder, own!), elsewhere);
    await cleanUp(store, defaultPolicy, { force: true });
    assert.equal(new BlobStore(store.blobs.folder).has(hash), true);
    const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60_000);
    fs.utimesSync(elsewhere, twoDaysAgo, twoDaysAgo);
    await cleanUp(store, defaultPolicy, { force: true });
    assert.equal(new BlobStore(store.blobs.folder).has(hash), false);
    store.dispose();
  });

  it('goes on with the other runs if it cannot write the journal of one', async () => {
    const { store, hashes, journals } = await filledStore('unwritable', 2);
    for (const journal of journals) fs.utimesSync(journal, monthAgo(), monthAgo());
    const restore = failing('appendFileSync', (file) => file === journals[0]);
    await cleanUp(store, defaultPolicy, { force: true });
    restore();
    const left = new BlobStore(store.blobs.folder);
    assert.deepEqual(
      hashes.map((hash) => left.has(hash)),
      [true, true, false],
    );
    store.dispose();
  });

  it('keeps the registration of a run whose journal does not exist yet', async () => {
    const { store } = await filledStore('beginning', 1);
    const journal = path.join(state, 'beginning', 'new.changes.jsonl');
    store.register(journal);
    const names = fs.readdirSync(store.runsFolder);
    await cleanUp(store, defaultPolicy, { force: true });
    assert.deepEqual(fs.readdirSync(store.runsFolder), names);
    store.dispose();
  });

  it('forgets the registration of a deleted session', async () => {
    const { store, journals } = await filledStore('deleted', 1);
    fs.rmSync(journals[0]!);
    const [name] = fs.readdirSync(store.runsFolder);
    fs.utimesSync(path.join(store.runsFolder, name!), monthAgo(), monthAgo());
    await cleanUp(store, defaultPolicy, { force: true });
    assert.deepEqual(fs.readdirSync(store.runsFolder), []);
    store.dispose();
  });

  for (const [why, policy] of [
    ['age', { days: 30, megabytes: 2000 }],
    ['size', { days: 30, megabytes: 0 }],
  ] as const)
    it(`keeps what an open session can still undo, whatever its ${why}`, async () => {
      const own = temporaryWorkspace('work');
      const folder = path.join(own.root, '../state/checkpoints');
      const log = path.join(own.root, '../state/open.jsonl');
      const open = async (store: CheckpointStore, action: string, change: () => void): Promise<SessionCheckpoints> => {
        const session = new SessionCheckpoints({
          log,
          folders: [own.root],
          store,
          resolve: (spelled) => own.at(spelled),
          onNotice: (words) => assert.fail(words),
        });
        const checkpoint = await session.before(action);
        change();
        await checkpoint.after();
        return session;
      };
      own.place('a.txt', 'first\n');
      own.place('b.txt', 'as it was\n'.repeat(100));
      const earlier = new CheckpointStore(folder);
      await (await open(earlier, 'one', () => own.place('a.txt', 'second\n'))).dispose();
      earlier.dispose();
      const { pid } = spawnSync(process.execPath, ['-e', '']);
      for (const pack of earlier.blobs.packs())
        fs.renameSync(path.join(earlier.blobs.folder, pack), path.join(earlier.blobs.folder, `${pid}-${pack}`));
      for (const name of fs.readdirSync(earlier.indexFolder))
        fs.utimesSync(path.join(earlier.indexFolder, name), monthAgo(), monthAgo());
      const store = new CheckpointStore(folder);
      const session = await open(store, 'two', () => own.place('c.txt', 'new\n'));
      for (const name of fs.readdirSync(earlier.indexFolder).filter((each) => each.endsWith('.jsonl')))
        fs.utimesSync(path.join(earlier.indexFolder, name), monthAgo(), monthAgo());
      await cleanUp(store, policy, { force: true });
      const checkpoint = await session.before('three');
      fs.rmSync(own.at('b.txt'));
      await checkpoint.after();
      await session.dispose();
      assert.equal((await new RunChanges(log, store, (each) => each).undo({})).status, 'done');
      assert.deepEqual(
        ['a.txt', 'b.txt', 'c.txt'].map((name) => own.bytes(name)?.toString()),
        ['first\n', 'as it was\n'.repeat(100), undefined],
      );
      store.dispose();
      own.stop();
    });

  it('keeps what a restore needs that a killed program did not finish', async () => {
    const { store, hashes, journals } = await filledStore('restoring', 1);
    fs.rmSync(journals[0]!);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const entry = changeTo(hashes[1]!);
    const intent = {
      owner: { pid, start: '1' },
      journal: journals[0],
      folders: ['/home/dev'],
      entry,
      files: 'files' in entry ? entry.files : [],
      drafts: [],
    };
    fs.mkdirSync(path.join(store.folder, 'restores'));
    fs.writeFileSync(path.join(store.folder, 'restores', 'one.json'), JSON.stringify(intent));
    await cleanUp(store, defaultPolicy, { force: true });
    assert.equal(new BlobStore(store.blobs.folder).has(hashes[1]!), true);
    store.dispose();
  });

  it('copies a content again that another session stores while its pack is being deleted', async () => {
    const { store, hashes } = await filledStore('deleting', 3);
    const { blobs } = store;
    assert.ok(hashes.every((hash) => blobs.has(hash)));
    const bytes = hashes.map((hash) => Buffer.from(blobs.get(hash)));
    const real = fs.rmSync;
    // Other work runs after each pack.
    Object.assign(fs, {
      rmSync(...given: Parameters<typeof real>) {
        real(...given);
        for (const end = performance.now() + 11; performance.now() < end;);
      },
    });
    const removed = blobs.remove(new Set(blobs.packs()));
    const wrong: number[] = [];
    const stores = setInterval(() => {
      hashes.forEach((hash, nth) => {
        const isThere = blobs.packs().some((pack) => pack.endsWith(`-${nth}.pack`));
        if (!isThere && blobs.has(hash)) wrong.push(nth);
      });
    });
    await removed;
    clearInterval(stores);
    Object.assign(fs, { rmSync: real });
    assert.deepEqual(wrong, []);
    assert.equal(blobs.put(bytes[1]!), hashes[1]);
    await blobs.flush();
    assert.deepEqual(new BlobStore(blobs.folder).get(hashes[1]!), bytes[1]);
    store.dispose();
  });

  /**
   * A store whose runs ended in another process, the oldest first. `hashes`: of a content that all of them need, and of
   * one for each run; all are of the same size and each is in a pack of its own.
   */
  async function filledStore(name: string, count: number) {
    const store = new CheckpointStore(path.join(state, name));
    const { folder } = store.blobs;
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const hashes: string[] = [];
    for (let nth = 0; nth <= count; nth++) {
      const blobs = new BlobStore(folder);
      hashes.push(blobs.put(randomBytes(50_000)));
      await blobs.flush();
      blobs.close();
      const [own] = blobs.packs().filter((pack) => !pack.startsWith(`${pid}-`));
      fs.renameSync(path.join(folder, own!), path.join(folder, `${pid}-${nth}.pack`));
    }
    const journals = hashes.slice(1).map((hash, nth) => {
      const journal = path.join(state, name, `run${nth}.changes.jsonl`);
      appendToJournal(journal, changeTo(hashes[0]!), changeTo(hash));
      const used = new Date(Date.now() - (count - nth) * 60_000);
      fs.utimesSync(journal, used, used);
      store.register(journal);
      return journal;
    });
    return { store, journals, hashes };
  }
});

const changeTo = (hash: string): JournalEntry => ({
  type: 'changed',
  at: 1,
  action: 'a',
  files: [{ path: '/home/dev/a', before: null, after: { kind: 'file', mode: 0o644, size: 50_000, hash } }],
});
