import assert from 'node:assert/strict';
import { HookConsent } from '../../../src/adapters/hooks/hookConsent';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const hooks = JSON.stringify({
  hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'sh guard.sh' }] }] },
});

describe('consent to hooks', () => {
  let place: TemporaryWorkspace;
  let consent: HookConsent;

  beforeEach(() => {
    place = temporaryWorkspace();
    consent = new HookConsent(place.at('consent'));
    for (const folder of ['folder', 'same', 'other']) {
      place.place(`${folder}/.agent/hooks.json`, hooks);
      place.place(`${folder}/guard.sh`, folder === 'other' ? 'exit 0\n' : 'exit 2\n');
    }
  });
  afterEach(() => place.stop());

  const runs = async (folder: string): Promise<boolean[]> =>
    (await consent.files(place.at(folder), place.at('home'))).map((file) => consent.has(file));

  it('carries over to a worktree only if the file and its scripts are the same', async () => {
    await consent.agreeAsIn(place.at('folder'), place.at('same'));
    assert.deepEqual(await runs('same'), [false], 'nobody agreed to anything');
    consent.agree(await consent.files(place.at('folder'), place.at('home')));
    for (const folder of ['same', 'other']) await consent.agreeAsIn(place.at('folder'), place.at(folder));
    assert.deepEqual([await runs('folder'), await runs('same'), await runs('other')], [[true], [true], [false]]);
    // After consent, a changed hook in the worktree is outdated, as in the folder.
    place.place('same/guard.sh', 'exit 0\n');
    const [changed] = await consent.files(place.at('same'), place.at('home'));
    assert.ok(changed && consent.isOutdated(changed));
  });
});
