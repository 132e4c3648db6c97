import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BlobStore } from '../../../src/adapters/checkpoints/blobStore';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a store of copies that other processes use, too', () => {
  let workspace: TemporaryWorkspace;
  let store: BlobStore;
  let other: BlobStore;

  beforeEach(() => {
    workspace = temporaryWorkspace();
    store = new BlobStore(workspace.at('copies'));
    other = new BlobStore(store.folder);
  });
  afterEach(() => {
    store.close();
    other.close();
    workspace.stop();
  });

  const packPaths = (): string[] => store.packs().map((name) => path.join(store.folder, name));
  const isStored = (content: Buffer, hash: string): boolean => new BlobStore(store.folder).get(hash).equals(content);

  for (const [what, remove] of Object.entries({
    'its pack': () => fs.rmSync(packPaths()[0]!),
    'the whole folder': () => fs.rmSync(store.folder, { recursive: true }),
  }))
    it(`writes everything again if another process removes ${what}`, async () => {
      const contents = [randomBytes(1000), randomBytes(2000), randomBytes(3000)];
      const [first, second, third] = contents;
      const hashes = [store.put(first!)];
      await store.flush();
      hashes.push(store.put(second!));
      await store.flush();
      remove();
      hashes.push(store.put(third!));
      await store.flush();
      for (const [index, content] of contents.entries()) assert.equal(isStored(content, hashes[index]!), true);
    });

  it('is on disk after a flush during which another process removes its pack', async () => {
    const content = randomBytes(1000);
    const hash = store.put(content);
    const flushed = store.flush();
    fs.rmSync(packPaths()[0]!);
    await flushed;
    assert.equal(isStored(content, hash), true);
  });

  it('returns contents of its removed pack', async () => {
    const content = randomBytes(1000);
    const hash = store.put(content);
    await store.flush();
    fs.rmSync(packPaths()[0]!);
    assert.deepEqual(store.get(hash), content);
  });

  /** The same content in two packs, as if two processes had stored it at the same time. */
  const storeTwice = async (content: Buffer): Promise<string> => {
    const hash = store.put(content);
    other.put(content);
    await store.flush();
    await other.flush();
    assert.equal(store.packs().length, 2);
    return hash;
  };

  it('finds a content in another pack if the one that it knew was removed', async () => {
    const content = randomBytes(1000);
    const hash = await storeTwice(content);
    const reader = new BlobStore(store.folder);
    for (const pack of packPaths()) {
      assert.deepEqual(reader.get(hash), content);
      fs.renameSync(pack, `${pack}.away`);
      reader.reload();
      assert.deepEqual(new BlobStore(store.folder).get(hash), content);
      assert.deepEqual(reader.get(hash), content, 'It was read before the other was removed.');
      fs.renameSync(`${pack}.away`, pack);
      reader.reload();
    }
  });

  it('reads a content from another pack if one is damaged', async () => {
    const content = randomBytes(1000);
    const hash = await storeTwice(content);
    for (const pack of packPaths()) {
      const whole = fs.readFileSync(pack);
      fs.writeFileSync(pack, Buffer.concat([whole.subarray(0, whole.length - 500), Buffer.alloc(500)]));
      assert.equal(isStored(content, hash), true);
      fs.writeFileSync(pack, whole);
    }
  });
});
