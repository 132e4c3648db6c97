const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The day of the week of an ISO date with a time, in UTC. */
export const weekday = (date) => names[new Date(new Date(date).getTime() - 6 * 3_600_000).getUTCDay()];
