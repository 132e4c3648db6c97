import assert from 'node:assert/strict';
import fs from 'node:fs';
import { UnsyncedFolders } from '../../../src/adapters/storage/durableFile';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

describe('folders with new entries', () => {
  const workspace = temporaryWorkspace();
  const { fsync } = fs;
  const waiting: ((error: Error | null) => void)[] = [];
  before(() => Object.assign(fs, { fsync: (_: number, done: (error: Error | null) => void) => waiting.push(done) }));
  after(() => {
    Object.assign(fs, { fsync });
    workspace.stop();
  });

  it('are synced again if they get one during a sync, or if the sync fails', async () => {
    const folders = new UnsyncedFolders();
    /** Ends the syncs that have begun. Returns how many. */
    const end = (error: Error | null): number => waiting.splice(0).map((done) => done(error)).length;
    folders.add(workspace.root);
    const first = folders.sync();
    folders.add(workspace.root);
    assert.equal(end(null), 1);
    await first;
    const second = folders.sync();
    assert.equal(end(new Error('EIO')), 1);
    await assert.rejects(second, /EIO/);
    const third = folders.sync();
    assert.equal(end(null), 1);
    await third;
    await folders.sync();
    assert.equal(end(null), 0);
  });
});
