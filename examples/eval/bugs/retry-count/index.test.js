import assert from 'node:assert/strict';
import test from 'node:test';
import { retried } from './index.js';

test('the answer', () => assert.equal(retried(() => 7, 3), 7));
