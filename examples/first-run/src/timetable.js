import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { toMinutes } from './clock.js';

const source = new URL('../data/timetable.txt', import.meta.url);
const cache = new URL('../.kept/timetable.json', import.meta.url);

/** Departures in minutes since midnight, in the order of the day. Kept in .kept/ until the timetable changes. */
export function loadTimetable() {
  const text = readFileSync(source, 'utf8');
  const fingerprint = createHash('sha256').update(text).digest('hex');
  return readCache(fingerprint) ?? writeCache(fingerprint, parse(text));
}

function parse(text) {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return lines.map(line => toMinutes(line.split('  ')[0])).sort((a, b) => a - b);
}

function readCache(fingerprint) {
  try {
    const kept = JSON.parse(readFileSync(cache, 'utf8'));
    return kept.fingerprint === fingerprint ? kept.departures : undefined;
  } catch {
    return undefined;
  }
}

function writeCache(fingerprint, departures) {
  mkdirSync(new URL('.', cache), { recursive: true });
  writeFileSync(cache, JSON.stringify({ fingerprint, departures }));
  return departures;
}
