import assert from 'node:assert/strict';
import { toReply } from '../../../../src/adapters/models/replies/toReply';
import { readUsage } from '../../../../src/adapters/models/replies/usage';
import type { Prices } from '../../../../src/core/model/prices';

const costAt = (host: string, usage: object, prices: Prices = {}): number | null =>
  toReply(
    {
      firstTokenAt: undefined,
      usage: readUsage({ prompt_tokens: 1_000_000, completion_tokens: 0, ...usage }),
      model: undefined,
      reasoning: undefined,
      finishReason: 'stop',
      text: 'x',
      toolCalls: [],
    },
    {
      server: { host, model: 'openai/gpt-5', mask: (text) => text },
      origin: 'x',
      prices,
      started: 0,
      isComplete: true,
    },
  ).usage.cost;

describe('the cost that OpenRouter reports', () => {
  const ofTable = costAt('api.openai.com', {});

  it('counts before the table of prices, and after a price that the person set', () => {
    assert.ok(ofTable !== null && ofTable > 0);
    assert.equal(costAt('openrouter.ai', { cost: 0.5 }), 0.5);
    assert.equal(costAt('openrouter.ai', { cost: 0.5 }, { 'gpt-5': { input: 7, output: 1 } }), 7);
    assert.equal(costAt('openrouter.ai', {}), ofTable);
    assert.equal(costAt('another.example', { cost: 0.5 }), ofTable);
  });

  it('includes what the provider charges if the request used the person’s own key', () => {
    const details = { upstream_inference_cost: 0.25 };
    assert.equal(costAt('openrouter.ai', { cost: 0, is_byok: true, cost_details: details }), 0.25);
    assert.equal(costAt('openrouter.ai', { cost: 0.5, is_byok: true, cost_details: details }), 0.75);
    assert.equal(costAt('openrouter.ai', { cost: 0.5, is_byok: false, cost_details: details }), 0.5);
    assert.equal(costAt('openrouter.ai', { cost: 0.5, is_byok: true, cost_details: null }), 0.5);
  });
});
