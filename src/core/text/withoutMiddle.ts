/** What stands where a part of a text was left out before. */
const earlierNote =
  /\[… ([\d,]{1,20} (?:bytes omitted|characters left out)(?: and [\d,]{1,20} (?:bytes omitted|characters left out) before){0,6}) …\]/g;

/**
 * Shortens a text to its beginning and end, with a note of how much was left out between, and of what had been left out
 * there before. Texts within `limit` (characters) are unchanged.
 */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.max(1, Math.floor(limit / 2));
  let [start, end] = [half, text.length - half];
  // A note that is cut in two would be unreadable.
  const within = [...text.matchAll(earlierNote)].filter(
    ({ 0: note, index }) => index < end && index + note.length > start,
  );
  for (const { 0: note, index } of within) {
    start = Math.min(start, index);
    end = Math.max(end, index + note.length);
  }
  const before = within.flatMap(([, what]) => what!.split(' and ')).slice(0, 4);
  const words = before.map((part) => ` and ${part.replace(/ before$/, '')} before`).join('');
  return `${text.slice(0, start)}\n[… ${end - start} characters left out${words} …]\n${text.slice(end)}`;
}
