/** Returns a date and time to the minute, such as "Nov 28, 2026, 7:21 PM". */
export const dateAndTime = (time: number): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
