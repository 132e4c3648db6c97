import { toMinutes, toText } from './clock.js';

/** The first departure at or after `now`; after the last boat, the first one of tomorrow. Times are texts like "9:30 pm". */
export function nextFerry(departures, now) {
  const start = toMinutes(now);
  return toText(departures.find(departure => departure >= start) ?? departures[0]);
}
