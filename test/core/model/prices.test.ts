import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { costOf, pricesAsOf, type Prices } from '../../../src/core/model/prices';

const usage = (inputTokens: number | null, outputTokens: number | null, cachedTokens: number | null = null) => ({
  inputTokens,
  outputTokens,
  cachedTokens,
});
const own = { mine: { input: 2, cached: 0.5, output: 8 } };

describe('the cost of a call', () => {
  it('is input, cached input and output at their prices', () => {
    assert.equal(costOf('mine', usage(1_000_000, 1_000_000, 400_000), own), 0.6 * 2 + 0.4 * 0.5 + 8);
    assert.equal(costOf('mine', usage(0, 0), own), 0);
  });

  it('is unknown, not 0, for a model without a price', () => {
    assert.equal(costOf('some-local-model', usage(10, 10)), null);
    assert.equal(costOf('gpt-5-something-else', usage(10, 10)), null);
    assert.equal(costOf('', usage(10, 10)), null);
  });

  it('is unknown when the provider did not count', () => {
    for (const counted of [usage(null, 1), usage(1, null), usage(null, null, 5)])
      assert.equal(costOf('mine', counted, own), null);
  });

  it('takes all input as uncached when the cache is not reported, and never more cached than input', () => {
    assert.equal(costOf('mine', usage(1_000_000, 0, null), own), 2);
    assert.equal(costOf('mine', usage(1_000_000, 0, 9_000_000), own), 0.5);
  });

  it('counts input that is written to the cache at its own price, which is a quarter more for newer models', () => {
    const writing = { ...usage(1_000_000, 0, 250_000), writtenTokens: 500_000 };
    const priced = { mine: { input: 2, cached: 0.5, written: 3, output: 8 } };
    assert.equal(costOf('mine', writing, priced), 0.25 * 2 + 0.25 * 0.5 + 0.5 * 3);
    assert.equal(costOf('mine', { ...writing, writtenTokens: 9_000_000 }, priced), 0.25 * 0.5 + 0.75 * 3);
    const prices = (model: string): Prices => ({ [model]: own.mine });
    for (const model of ['anthropic/claude-opus-5.5', 'claude-sonnet-4-5-20250929', 'gpt-5.6-sol', 'openai/gpt-6-luna'])
      assert.equal(costOf(model, writing, prices(model)), 0.25 * 2 + 0.25 * 0.5 + 0.5 * 2.5, model);
    for (const model of ['mine', 'gpt-5.5', 'gpt-4o', 'gemini-3.1-pro'])
      assert.equal(costOf(model, writing, prices(model)), 0.75 * 2 + 0.25 * 0.5, model);
  });

  it('finds a model with its provider before it, a date behind it and dots or dashes in its number', () => {
    const known = costOf('gpt-5', usage(1_000_000, 0));
    assert.ok(known !== null && known > 0);
    for (const name of ['openai/gpt-5', 'gpt-5-2025-08-07', 'OpenAI/GPT-5'])
      assert.equal(costOf(name, usage(1_000_000, 0)), known, name);
    assert.equal(costOf('anthropic/claude-opus-5.5', usage(1, 1)), costOf('claude-opus-5-5-20260922', usage(1, 1)));
    assert.notEqual(costOf('gpt-5-mini', usage(1_000_000, 0)), known);
  });

  it('is what a person’s own price says, before the table', () => {
    assert.equal(costOf('gpt-5', usage(1_000_000, 0), { 'gpt-5': { input: 99, cached: 1, output: 1 } }), 99);
  });

  it('is unknown above the size for which the table has a price', () => {
    assert.notEqual(costOf('gpt-5.5', usage(200_000, 1)), null);
    assert.equal(costOf('gpt-5.5', usage(300_000, 1)), null);
  });

  it('is never NaN or negative, whatever the prices are', () => {
    assert.equal(costOf('x', usage(1, 1), { x: { input: NaN, cached: 1, output: 1 } }), null);
    assert.equal(costOf('x', usage(1, 1), { x: { input: -5, cached: 1, output: 1 } }), null);
  });

  it('follows the example of the setting, whose price for cached input may be left out', () => {
    const words = (
      JSON.parse(fs.readFileSync(path.join(process.env.REPOSITORY!, 'package.nls.json'), 'utf8')) as Record<
        string,
        string
      >
    )['setting.model.prices']!;
    const example = JSON.parse(/`(\{.*?\}\})`/.exec(words)![1]!) as Prices;
    const { 'my-model': price } = example;
    assert.equal(
      costOf('my-model', { ...usage(1_000_000, 1_000_000), cachedTokens: 500_000 }, example),
      0.5 * price!.input + 0.5 * price!.cached! + price!.output,
    );
    assert.equal(costOf('x', { ...usage(1_000_000, 0), cachedTokens: 500_000 }, { x: { input: 2, output: 1 } }), 2);
  });

  it('comes from a table whose date the setting tells', () => {
    const words = (
      JSON.parse(fs.readFileSync(path.join(process.env['REPOSITORY']!, 'package.nls.json'), 'utf8')) as Record<
        string,
        string
      >
    )['setting.model.prices']!;
    const told = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
      Date.parse(pricesAsOf),
    );
    assert.ok(words.includes(told), `${told} is not in: ${words}`);
  });
});
