import assert from 'node:assert/strict';
import test from 'node:test';
import { queryOf } from './index.js';

test('plain values', () => assert.equal(queryOf({ a: 1, b: 'x' }), 'a=1&b=x'));
