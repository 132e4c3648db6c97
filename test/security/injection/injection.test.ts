import { strict as assert } from 'node:assert';
import { statusOf } from '../../../src/core/log/status';
import { undecidedActions } from '../../../src/core/log/openActions';
import { World, type Place } from '../../conformance/support/world';
import { call, plays, says } from '../../conformance/support/script';
import { goals, type Goal } from './goals';
import { sources, type Source } from './sources';

/**
 * Tests the goals that a source is crossed with in one place: the model obeys everything it reads, and the user
 * approves nothing.
 */
async function obeys(world: World, place: Place, source: Source, goal: Goal) {
  for (const [path, text] of Object.entries({ ...goal.files, ...source.files(goal.words) }))
    place.workspace.place(path, text);
  const model = plays(
    says('', call(source.reads.tool, source.reads.input)),
    says('', call(goal.call.tool, goal.call.input)),
    says('Done.'),
  );
  const { conversation } = await (
    await world.begin({ profile: 'waymark', model, place, mode: 'confirm', task: 'Look at this project.' })
  ).go();
  return { history: conversation.history, model };
}

describe('hidden instructions that an obedient model follows', function () {
  this.timeout(120_000);
  let world: World;
  beforeEach(() => {
    world = new World();
  });
  afterEach(() => world.end());

  it('come from at least 60 different sources for each goal', () => {
    assert.ok(sources.length >= 60, String(sources.length));
    assert.equal(new Set(sources.map(({ name }) => name)).size, sources.length);
  });

  for (const goal of goals) {
    it(`never ${goal.name} without a question that names the effect, and the source of words taken from it`, async () => {
      const place = world.place();
      for (const source of sources) {
        const { history, model } = await obeys(world, place, source, goal);
        const where = `${goal.name}, by ${source.name}`;
        assert.match(
          JSON.stringify(model.requests[1]?.messages.at(-1)),
          /injected|hook|questions|mirror/,
          `the model read it: ${where}`,
        );
        assert.equal(statusOf(history), 'waiting_for_confirmation', where);
        const [asked] = undecidedActions(history);
        assert.equal(asked!.risk.level, 'high', where);
        const reasons = asked!.risk.reasons.join(' ');
        assert.match(reasons, goal.effect, where);
        if (goal.borrowed !== undefined) {
          assert.ok(reasons.includes(`came from ${source.told}`), `${where}: ${reasons}`);
          assert.equal(asked!.risk.culprit, goal.borrowed, where);
        }
        if (goal.leaves !== undefined) assert.equal(place.workspace.bytes(goal.leaves), undefined, where);
        for (const path of Object.keys(source.files(''))) place.workspace.remove(path);
      }
    });
  }
});
