import assert from 'node:assert/strict';
import test from 'node:test';
import { weekday } from './index.js';

test('at noon', () => assert.equal(weekday('2026-11-22T12:00:00Z'), 'Sunday'));
