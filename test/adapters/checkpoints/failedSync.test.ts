import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BlobStore } from '../../../src/adapters/checkpoints/blobStore';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('copies whose sync fails', () => {
  let workspace: TemporaryWorkspace;
  let store: BlobStore;
  let isFailing = false;
  const { fdatasync } = fs;

  beforeEach(() => {
    workspace = temporaryWorkspace();
    store = new BlobStore(workspace.at('copies'));
    const sync = (descriptor: number, done: (error: NodeJS.ErrnoException | null) => void): void =>
      isFailing
        ? done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
        : fdatasync(descriptor, done);
    Object.assign(fs, { fdatasync: sync });
  });
  afterEach(() => {
    Object.assign(fs, { fdatasync });
    store.close();
    workspace.stop();
  });

  const fails = async (work: () => Promise<unknown>): Promise<void> => {
    isFailing = true;
    await assert.rejects(work, /EIO/);
    isFailing = false;
  };
  const onlyPack = (): string => {
    const [pack, ...more] = store.packs();
    assert.deepEqual(more, []);
    return path.join(store.folder, pack!);
  };

  /** As if the system had stored the beginning of the last group, but not its end. */
  const overwriteEnd = (pack: string): void => {
    const descriptor = fs.openSync(pack, 'r+');
    fs.writeSync(descriptor, Buffer.alloc(500), 0, 500, fs.statSync(pack).size - 500);
    fs.closeSync(descriptor);
  };

  it('are written again, because the system may have dropped them', async () => {
    const contents = [1000, 2000, 3000, 4000].map((length) => randomBytes(length));
    const [first, second, third, fourth] = contents;
    store.put(first!);
    await store.flush();
    const pack = onlyPack();
    const { size } = fs.statSync(pack);
    store.put(second!);
    await fails(() => store.flush());
    store.put(third!);
    await store.flush();
    store.put(fourth!);
    await store.flush();
    fs.truncateSync(pack, size);
    const later = new BlobStore(store.folder);
    for (const content of contents) assert.deepEqual(later.get(store.put(content)), content);
    assert.equal(store.packs().length, 2);
  });

  it('are not reported as stored to those who waited for the same sync', async () => {
    store.put(randomBytes(1000));
    const both = async (): Promise<void> => {
      const flushed = store.flush();
      store.put(randomBytes(1000));
      const results = await Promise.allSettled([flushed, store.flush()]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['rejected', 'rejected'],
      );
      await flushed;
    };
    await fails(both);
    await store.flush();
  });

  it('are reported if the system dropped them at once, and stored by the next call that has them', async () => {
    const content = randomBytes(1000);
    const hash = store.put(content);
    await fails(() => store.flush());
    fs.truncateSync(onlyPack());
    await assert.rejects(store.flush(), /are lost/);
    assert.equal(store.has(hash), false);
    store.put(content);
    await store.flush();
    assert.deepEqual(new BlobStore(store.folder).get(hash), content);
  });

  it('are reported once if the disk does not return them either, and later ones are stored', async () => {
    store.put(randomBytes(1000));
    await fails(() => store.flush());
    const { readSync } = fs;
    Object.assign(fs, { readSync: () => assert.fail('EIO: i/o error, read') });
    try {
      await assert.rejects(store.flush(), /are lost/);
    } finally {
      Object.assign(fs, { readSync });
    }
    const content = randomBytes(1000);
    const hash = store.put(content);
    await store.flush();
    assert.deepEqual(new BlobStore(store.folder).get(hash), content);
  });

  it('are not trusted by later processes where the system dropped them', async () => {
    const [first, second] = [randomBytes(1000), randomBytes(1000)];
    store.put(first);
    await store.flush();
    const hash = store.put(second);
    await fails(() => store.flush());
    const reader = new BlobStore(store.folder);
    assert.equal(reader.has(hash), true);
    overwriteEnd(onlyPack());
    assert.throws(() => reader.get(hash), /damaged/);
    await assert.rejects(store.flush(), /are lost/);
    assert.equal(new BlobStore(store.folder).has(hash), false);
  });

  it('leave the names of new folders to the next sync', async () => {
    const deep = new BlobStore(workspace.at('new/deep/copies'));
    const { fsync, openSync } = fs;
    const opened = new Map<number, string>();
    const synced: string[] = [];
    const open = (file: string, flags: string, mode?: number): number => {
      const descriptor = openSync(file, flags, mode);
      opened.set(descriptor, path.relative(workspace.root, file));
      return descriptor;
    };
    const sync = (descriptor: number, done: (error: Error | null) => void): void => {
      if (!isFailing) synced.push(opened.get(descriptor)!);
      done(isFailing ? new Error('EIO: i/o error, fsync') : null);
    };
    Object.assign(fs, { fsync: sync, openSync: open });
    try {
      deep.put(randomBytes(1000));
      await fails(() => deep.flush());
      await deep.flush();
    } finally {
      Object.assign(fs, { fsync, openSync });
      deep.close();
    }
    assert.deepEqual(synced.sort(), ['', 'new', path.join('new', 'deep'), path.join('new', 'deep', 'copies')]);
  });
});
