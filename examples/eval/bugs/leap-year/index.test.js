import assert from 'node:assert/strict';
import test from 'node:test';
import { isLeapYear } from './index.js';

test('usual years', () => {
  assert.equal(isLeapYear(2024), true);
  assert.equal(isLeapYear(2023), false);
});
