import { strict as assert } from 'node:assert';
import { conformsWith, missing } from './support/conforms';
import { dialects } from './support/dialects';
import { ids } from './support/ids';
import { assertAccepted, ending, replies, submitting } from './support/telling';

describe('as in mini-swe-agent', () => {
  conformsWith('MSA-01', 'a run whose second command prints the marker is submitted with what follows it', dialects, async (world, dialect) => {
    const model = await dialect.model(world, [{ commands: ['echo first'] }, { commands: [submitting('the answer')] }]);
    const { conversation: { history } } = await (await world.begin({ profile: dialect.profile, model })).go();
    assert.deepEqual([ending(history).status, ending(history).summary, replies(history)], ['submitted', 'the answer\n', 2]);
    assertAccepted(history);
  });

  for (const id of ids.MSA.slice(1)) missing(id);
});
