import { roundedDollars, tokenCount } from '../../src/protocol/plain/amounts';
import { text } from './text';

/** Formats tokens like `tokenCount`, or as unknown. */
export const formatTokens = (count: number | null): string => (count === null ? text('unknown') : tokenCount(count));

/** Formats US dollars. An unknown price is never shown as 0. */
export const formatMoney = (dollars: number | null): string =>
  dollars === null ? text('unknown') : roundedDollars(dollars);

export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return text('seconds', { n: seconds < 0.05 ? '0' : seconds.toFixed(1) });
  if (seconds < 60) return text('seconds', { n: Math.round(seconds) });
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? text('minutes', { m: minutes, s: Math.floor(seconds % 60) })
    : text('hours', { h: Math.floor(minutes / 60), m: minutes % 60 });
}

export function formatBytes(count: number): string {
  if (count < 1000) return text('bytes', { n: count });
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

export const formatTime = (at: number): string =>
  new Date(at).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
