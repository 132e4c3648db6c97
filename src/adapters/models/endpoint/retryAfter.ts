import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns how long a server asks to wait, in ms, never negative. Reads `retry-after-ms`, `retry-after` as seconds or
 * HTTP date, `x-ratelimit-reset*` and `ratelimit-reset` as seconds, durations ("6m0s"), dates or Unix times; else the
 * text ("try again in 1.2s"). `now`: ms since 1970.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, text: string, now: number): number | undefined {
  const of = (name: string): string | undefined => [headers[name]].flat()[0]?.trim();
  const milliseconds = Number(of('retry-after-ms') || NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const asked = waitOf(of('retry-after'), now);
  if (asked !== undefined) return asked;
  const resets = resetHeaders
    // Only exhausted limits require waiting. Without a remaining count, any limit may be the exhausted one.
    .filter(([, remaining]) => of(remaining) === undefined || Number(of(remaining)) <= 0)
    .flatMap(([reset]) => waitOf(of(reset), now) ?? []);
  if (resets.length > 0) return Math.max(...resets);
  const said = /(?:try again in\s*|retry in\s*|retryDelay\W+)((?:\d+(?:\.\d+)?\s*(?:ms|h|m|s)[a-z]*\s*)+)/i.exec(
    text,
  )?.[1];
  return said === undefined ? undefined : durationMs(said);
}

const resetHeaders = [
  ['x-ratelimit-reset', 'x-ratelimit-remaining'],
  ['ratelimit-reset', 'ratelimit-remaining'],
  ['x-ratelimit-reset-requests', 'x-ratelimit-remaining-requests'],
  ['x-ratelimit-reset-tokens', 'x-ratelimit-remaining-tokens'],
  ['anthropic-ratelimit-requests-reset', 'anthropic-ratelimit-requests-remaining'],
  ['anthropic-ratelimit-tokens-reset', 'anthropic-ratelimit-tokens-remaining'],
] as const;

function waitOf(value: string | undefined, now: number): number | undefined {
  if (!value) return undefined;
  const number = Number(value);
  // Above a billion it is a point in time (in seconds; above 100 billion in ms); below, it is a wait in seconds.
  if (Number.isFinite(number))
    return Math.max(0, number > 1e11 ? number - now : number > 1e9 ? number * 1000 - now : number * 1000);
  const date = /[a-z]{3},|\d{4}-\d\d-\d\d/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? durationMs(value) : Math.max(0, date - now);
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Parses "6m0s", "1.5s", "20ms", "1h2m" into ms. */
function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(?<!\d)(\d+(?:\.\d+)?)\s*(ms|h|m|s)/gi)];
  return parts.length === 0
    ? undefined
    : parts.reduce(
        (sum, [, amount, unit]) => sum + Number(amount) * units[unit!.toLowerCase() as keyof typeof units],
        0,
      );
}
