/** Timestamps in files: ISO 8601, as Python and others write it. */

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/**
 * Formats like `datetime.fromtimestamp(…).isoformat()`: local time without a zone, with microseconds only if there are
 * any.
 */
export function localTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return localTime(0);
  const milliseconds = date.getMilliseconds();
  const fraction = milliseconds === 0 ? '' : `.${String(milliseconds).padStart(3, '0')}000`;
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day}T${clock}${fraction}`;
}

/**
 * Parses a timestamp to milliseconds since 1970; a time without a zone is local. Returns undefined if it is not a
 * timestamp.
 */
export function parseTime(text: string | undefined): number | undefined {
  const [, date, clock = '00:00', seconds = ':00', fraction = '', zone = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d{1,9}))?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/.exec(
      text?.trim() ?? '',
    ) ?? [];
  if (date === undefined) return undefined;
  const offset = /^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase();
  const at = Date.parse(`${date}T${clock}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(at) ? undefined : at;
}

/** Rounded to whole milliseconds so that times are comparable; `at` of a log may have fractions. */
export const utcTime = (at: number): string =>
  new Date(Number.isFinite(at) && Math.abs(at) < 8.64e15 ? at : 0).toISOString();
