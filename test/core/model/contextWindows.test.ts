import assert from 'node:assert/strict';
import { assumedContextWindow, contextWindowOf } from '../../../src/core/model/contextWindows';

describe('the context window of a model', () => {
  it('is known by its name, with a provider and a date', () => {
    assert.equal(contextWindowOf('openai/gpt-6-sol-2026-09-22'), 1_050_000);
    assert.equal(contextWindowOf('claude-opus-5.5'), contextWindowOf('claude-opus-5-5'));
    assert.equal(contextWindowOf('gpt-99'), null);
  });

  it('is assumed to be no smaller for a later model of a family', () => {
    for (const [later, earlier] of [
      ['gpt-6-nova', 'gpt-5.9'],
      ['gpt-10', 'gpt-5.9'],
      ['gpt-5.9', 'gpt-4.9'],
      ['claude-opus-9', 'claude-haiku-4.5'],
    ] as const)
      assert.ok(assumedContextWindow(later) >= assumedContextWindow(earlier), later);
    assert.equal(assumedContextWindow('gpt-4o-audio'), assumedContextWindow('something-else'));
  });
});
