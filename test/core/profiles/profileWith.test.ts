import assert from 'node:assert/strict';
import { profileNamed } from '../../../src/core/profiles/profiles';
import { profileWith } from '../../../src/core/profiles/profileWith';

const waymark = profileNamed('waymark');

describe("a profile with a person's numbers", () => {
  it('is itself where nothing is set', () => {
    assert.deepEqual(profileWith(waymark, {}), waymark);
    assert.deepEqual(profileWith(waymark, { stuck: {} }), waymark);
  });

  it('stops where it is told to, and hints as long before as it did', () => {
    const { stuck } = profileWith(waymark, { stuck: { sameError: 10, monologue: 7, window: 40 } });
    assert.deepEqual(stuck, {
      ...waymark.stuck,
      sameError: { hint: 9, stop: 10 },
      monologue: { hint: 0, stop: 7 },
      window: 40,
    });
  });

  it('keeps the hint of a profile that no setting overrides', () => {
    const hermes = profileNamed('hermes');
    assert.deepEqual(profileWith(hermes, { stuck: { sameResult: 9 } }).stuck?.sameTool, hermes.stuck?.sameTool);
    assert.ok(hermes.stuck?.sameTool);
  });

  it('never stops for a pattern that is set to 0', () => {
    assert.deepEqual(profileWith(waymark, { stuck: { sameResult: 0 } }).stuck, { ...waymark.stuck, sameResult: null });
  });

  it('looks only for what is set where the profile looks for nothing', () => {
    const { stuck } = profileWith({ ...waymark, stuck: null }, { stuck: { alternating: 6 } });
    assert.deepEqual(stuck, {
      sameResult: null,
      sameError: null,
      alternating: { hint: 5, stop: 6 },
      monologue: null,
      window: 20,
    });
  });

  it('sums up at the limit when it is told to', () => {
    assert.equal(profileWith(waymark, { wrapUp: true }).wrapUp, true);
    assert.equal(profileWith(profileNamed('hermes'), { wrapUp: false }).wrapUp, false);
  });

  it('takes on a critic, another one, or none', () => {
    assert.deepEqual(profileWith(waymark, { critic: 'empty_patch' }).critic, { name: 'empty_patch', rounds: 3 });
    const criticised = { ...waymark, critic: { name: 'agent_finished', rounds: 1 } as const };
    assert.deepEqual(profileWith(criticised, {}).critic, criticised.critic);
    assert.equal(profileWith(criticised, { critic: 'off' }).critic, undefined);
  });
});
