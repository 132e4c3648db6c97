import assert from 'node:assert/strict';
import test from 'node:test';
import { ranked } from './index.js';

test('the order', () => assert.deepEqual(ranked([1, 3, 2]), [3, 2, 1]));
