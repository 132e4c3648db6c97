import assert from 'node:assert/strict';
import picomatch from 'picomatch';
import { isGuarded } from '../../../src/core/risk/pathRules';
import { locationOf, skillLocations, watchedSkills } from '../../../src/core/skills/locations';

describe('the files that VS Code watches', () => {
  const isWatched = picomatch(watchedSkills, { dot: true });

  for (const { id, where } of skillLocations) {
    it(`include those of ${id} in every folder, and all of them are guarded`, () => {
      for (const pattern of where.split(', ')) {
        const file = pattern.replace('<name>', 'one').replace('**', 'one').replace('*', 'one');
        const ofHomeAlone = file.startsWith('~/');
        const inFolder = file.replace(/^~\//, '');
        // VS Code watches the workspace; files that exist only in the home folder are searched again before each task.
        if (!ofHomeAlone) assert.ok(locationOf(file), file);
        for (const place of [inFolder, `packages/a/${inFolder}`])
          assert.ok(isGuarded(place) && (ofHomeAlone || isWatched(place)), place);
      }
    });
  }

  it('include .github/agents/*.md', () =>
    assert.ok(locationOf('.github/agents/one.md') && isWatched('.github/agents/one.md')));
});
