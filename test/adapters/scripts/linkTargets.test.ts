import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { linkTargets } from '../../../src/adapters/scripts/diskScripts';
import { freshForEach, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('the target of a path with links', () => {
  let workspace: TemporaryWorkspace;
  freshForEach((fresh) => {
    workspace = fresh;
  });

  it('is found behind links, through missing folders and above them', async () => {
    workspace.place('real/inside/file', 'one\n');
    fs.symlinkSync('real', workspace.at('link'));
    fs.symlinkSync('/nowhere/at/all', workspace.at('dangling'));
    const where = (spelled: string, pattern = false): Promise<readonly string[]> =>
      linkTargets(workspace.root, spelled, pattern);
    assert.deepEqual(await where('real/inside/file'), []);
    assert.deepEqual(await where('link/inside/file'), ['real/inside/file']);
    assert.deepEqual(await where('link/new/folder/file'), ['real/new/folder/file']);
    assert.deepEqual(await where('missing/../link/new'), ['real/new']);
    assert.deepEqual(await where('link/missing/../../link/inside'), ['real/inside']);
    assert.deepEqual(await where('dangling/file'), ['/nowhere/at/all/file']);
    assert.deepEqual(await where('li*/inside', true), ['real/inside']);
    assert.deepEqual(await where('missing/*/link', true), []);
  });

  it('is found without quadratic time for many missing names', async () => {
    fs.symlinkSync('/nowhere', workspace.at('link'));
    const names = 'a/'.repeat(300_000);
    assert.deepEqual(await linkTargets(workspace.root, `${names}b`, false), []);
    assert.deepEqual(await linkTargets(workspace.root, `link/${names}b`, false), [`/nowhere/${names}b`]);
  }).timeout(60_000);
});
