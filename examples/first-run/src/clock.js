/** Minutes since midnight of a time of day as people write it: "9:30 pm" is 1290. */
export function toMinutes(text) {
  const match = /^(\d{1,2}):(\d{2}) (am|pm)$/.exec(text.trim());
  if (!match) throw new Error(`Not a time of day: "${text}". Write it like "9:30 pm".`);
  const [, hours, minutes, half] = match;
  return (Number(hours) + (half === 'pm' ? 12 : 0)) * 60 + Number(minutes);
}

/** The other way round: 1290 is "9:30 pm". */
export function toText(minutes) {
  const hours = Math.floor(minutes / 60) % 24;
  return `${hours % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hours < 12 ? 'am' : 'pm'}`;
}
