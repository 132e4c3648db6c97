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

  it('are stored by the next call that has them if the system dropped them at once', async () => {
    const content = randomBytes(1000);
    const hash = store.put(content);
    await fails(() => store.flush());
    fs.truncateSync(onlyPack());
    await store.flush();
    assert.equal(store.has(hash), false);
    store.put(content);
    await store.flush();
    assert.deepEqual(new BlobStore(store.folder).get(hash), content);
  });
});
