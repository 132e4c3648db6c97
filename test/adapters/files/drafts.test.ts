import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { draftName, sweepDraftsBelow } from '../../../src/adapters/files/drafts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

/** Process id of a process that has exited. */
const deadProcess = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('temporary files of killed processes', () => {
  let place: TemporaryWorkspace;
  beforeEach(() => {
    place = temporaryWorkspace();
  });
  afterEach(() => place.stop());

  it('are deleted in every folder; those of live processes and other files stay', async () => {
    const own = draftName();
    const left = own.replace(`-${process.pid}-`, `-${deadProcess()}-`);
    const elsewhere = left.replace(/-[0-9a-f]{8}-/, '-00000000-');
    const stays = [own, elsewhere, 'a.tmp', '.waymark-notes.tmp', `deep/${own}`, `.git/${left}`];
    for (const name of [...stays, left, `deep/${left}`]) place.place(name, 'text');
    const before = place.names().filter((name) => !name.endsWith(left) || name.startsWith('.git'));
    await sweepDraftsBelow([place.root]);
    assert.deepEqual(place.names(), before);
  });

  it('of an unknown machine or an earlier version are deleted after a day', async () => {
    const names = ['.waymark-00000000-1-0123456789ab.tmp', '.waymark-0123456789ab.tmp'];
    for (const name of names) place.place(name, 'text');
    await sweepDraftsBelow([place.root]);
    assert.deepEqual(place.names(), [...names].sort());
    const yesterday = new Date(Date.now() - 25 * 60 * 60_000);
    for (const name of names) fs.utimesSync(place.at(name), yesterday, yesterday);
    await sweepDraftsBelow([place.root]);
    assert.deepEqual(place.names(), []);
  });
});
