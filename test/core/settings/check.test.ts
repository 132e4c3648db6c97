import assert from 'node:assert/strict';
import { checkedSetting, firstProblem } from '../../../src/core/settings/check';
import { settings, type SettingKey } from '../../../src/core/settings/table';

describe('a value of a setting', () => {
  it('is right as a default', () => {
    for (const [key, { default: usual }] of Object.entries(settings))
      assert.deepEqual(checkedSetting(key as SettingKey, usual), { value: usual }, key);
  });

  it('is replaced by the default where it is wrong, and the sentence says what it must be', () => {
    assert.deepEqual(checkedSetting('sandbox', 'sometimes'), {
      value: 'auto',
      problem: 'It must be one of auto, on, off.',
    });
    assert.deepEqual(checkedSetting('model.temperature', 3), {
      value: null,
      problem: 'It must be a number from 0 to 2.',
    });
    assert.deepEqual(checkedSetting('limits.steps', 1.5), {
      value: 100,
      problem: 'It must be a whole number of 0 or more.',
    });
    assert.deepEqual(checkedSetting('sampling.useN', 'yes'), { value: false, problem: 'It must be true or false.' });
    assert.deepEqual(checkedSetting('allowPatterns', 'ls'), { value: [], problem: 'It must be a list of strings.' });
  });

  it('keeps its right parts, so that a slip in a list of bans lifts no ban', () => {
    const { value, problem } = checkedSetting('disabledToolsets', ['terminal', 7, ' ']);
    assert.deepEqual([value, problem], [['terminal'], '“1” must be a string.']);
    const limits = checkedSetting('sandboxLimits', { processes: 500, memory: 1, speed: 3 });
    assert.deepEqual(limits.value, { processes: 500 });
    assert.match(limits.problem!, /“memory” must be a whole number of 64 or more|no field speed/);
  });

  it('loses spaces around a text, but not in a regular expression', () => {
    assert.equal(checkedSetting('model.name', ' gpt ').value, 'gpt');
    assert.equal(checkedSetting('verifier.selectionRegex', 'is (\\d) ').value, 'is (\\d) ');
  });

  it('must be a regular expression where it is used as one', () => {
    const { value, problem } = checkedSetting('allowPatterns', ['ls', '[']);
    assert.deepEqual(value, ['ls']);
    assert.match(problem!, /^“\[” is not a regular expression \(.*\)\.$/);
    assert.equal(checkedSetting('verifier.rewardRegex', '(').value, '');
    assert.equal(firstProblem({ 'verifier.selectionRegex': '(' })?.key, 'verifier.selectionRegex');
  });

  it('of several levels is told of by its place', () => {
    assert.deepEqual(firstProblem({ 'model.prices': { mine: { input: 1 } } } as never), {
      key: 'model.prices',
      problem: '“mine.output” must be a number.',
    });
    assert.equal(firstProblem({ 'model.prices': { mine: { input: 1, output: 2 } } }), undefined);
  });

  it('may be a profile or a provider that the table does not know', () => {
    assert.deepEqual(checkedSetting('model.provider', 'next-year'), { value: 'next-year' });
    assert.deepEqual(checkedSetting('profile', 'mini-text'), { value: 'mini-text' });
  });
});
