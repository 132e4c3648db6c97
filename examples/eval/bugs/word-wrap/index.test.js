import assert from 'node:assert/strict';
import test from 'node:test';
import { wrapped } from './index.js';

test('nothing', () => assert.deepEqual(wrapped('', 10), []));
