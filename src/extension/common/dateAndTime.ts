/** Returns a date and time to the minute, such as "Nov 28, 2026, 7:21 PM". */
export const dateAndTime = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
