/** Beginning and end of a text; what lies between is counted. Texts that fit are left alone. `limit`: characters. */
export function withoutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.max(1, Math.floor(limit / 2));
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
}
