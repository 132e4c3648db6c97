/**
 * Shortens a text to its beginning and end, with a note of how much was left out between. Texts within `limit`
 * (characters) are unchanged.
 */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.max(1, Math.floor(limit / 2));
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
}
