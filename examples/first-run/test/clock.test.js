import assert from 'node:assert/strict';
import test from 'node:test';
import { toMinutes, toText } from '../src/clock.js';

test('a time in the morning', () => assert.equal(toMinutes('8:15 am'), 8 * 60 + 15));
test('a time in the evening', () => assert.equal(toMinutes('9:30 pm'), 21 * 60 + 30));
test('half an hour past noon', () => assert.equal(toMinutes('12:30 pm'), 12 * 60 + 30));
test('ten minutes past midnight', () => assert.equal(toMinutes('12:10 am'), 10));
test('a time survives the way there and back', () => {
  for (const time of ['12:10 am', '6:40 am', '12:30 pm', '9:30 pm']) assert.equal(toText(toMinutes(time)), time);
});
