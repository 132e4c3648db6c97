import assert from 'node:assert/strict';
import test from 'node:test';
import { priceWith } from './index.js';

test('discounts', () => {
  assert.equal(priceWith(200, 50), 100);
  assert.equal(priceWith(200), 180);
});
