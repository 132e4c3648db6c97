import assert from 'node:assert/strict';
import test from 'node:test';
import { pageCount } from './index.js';

test('full pages', () => {
  assert.equal(pageCount(20, 10), 2);
  assert.equal(pageCount(0, 10), 0);
});
