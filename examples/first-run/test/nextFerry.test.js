import assert from 'node:assert/strict';
import test from 'node:test';
import { nextFerry } from '../src/nextFerry.js';
import { loadTimetable } from '../src/timetable.js';

test('in the morning the next ferry is the next line of the timetable', () => assert.equal(nextFerry(loadTimetable(), '8:00 am'), '8:15 am'));
test('at eleven the next ferry is the one with bicycles', () => assert.equal(nextFerry(loadTimetable(), '11:00 am'), '12:30 pm'));
test('after the last ferry the next one is the night boat', () => assert.equal(nextFerry(loadTimetable(), '10:00 pm'), '12:10 am'));
