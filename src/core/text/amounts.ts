import { withCommas } from './withCommas';

/** Abbreviates a number of tokens: 4_120 → "4.1k", 12_400 → "12k", 3_400_000 → "3.4M". */
export function short(number: number): string {
  if (number < 1000) return String(Math.round(number));
  if (number < 999_500) return `${(number / 1000).toFixed(number < 10_000 ? 1 : 0)}k`;
  return `${(number / 1_000_000).toFixed(1)}M`;
}

/** Formats a duration: "340 ms", "4.2 s", "3 min 5 s", "2 h 10 min". */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a count with its noun: "1 step", "1,200 steps". `more`: the plural, if it is not `one` with "s". */
export const many = (number: number, one: string, more = `${one}s`): string =>
  `${withCommas(number)} ${number === 1 ? one : more}`;

/** Formats a time to the minute: "2026-11-21 14:30 UTC". */
export const day = (at: number): string =>
  at > 0 ? `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';

export const changedFileCount = (count: number): string => (count === 1 ? '1 changed file' : `${count} changed files`);
