import { withCommas } from './withCommas';

/** Formats a duration: "340 ms", "4.2 s", "3 min 5 s", "2 h 10 min". */
export function durationWords(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a count with its noun: "1 step", "1,200 steps". `more`: the plural, if it is not `one` with "s". */
export const counted = (number: number, one: string, more = `${one}s`): string =>
  `${withCommas(number)} ${number === 1 ? one : more}`;

/** Formats a time to the minute: "2026-11-21 14:30 UTC". */
export const utcMinute = (at: number): string =>
  at > 0 ? `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';

export const changedFileCount = (count: number): string => (count === 1 ? '1 changed file' : `${count} changed files`);
