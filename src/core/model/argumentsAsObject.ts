/**
 * Returns the arguments of a call as a JSON object, for providers that accept nothing else. Other text is wrapped, so
 * that the model still sees what it wrote.
 */
export function argumentsAsObject(text: string): string {
  if (text.trim() === '') return '{}';
  return isJsonObject(text) ? text : JSON.stringify({ malformed_json: text });
}

/** Returns whether a text is JSON, and its value is an object. */
export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
