/**
 * The arguments of a call as the JSON of an object, for those who take nothing else. What is no such JSON is wrapped,
 * so that the model still reads what it wrote.
 */
export function wholeArguments(text: string): string {
  if (text.trim() === '') return '{}';
  return isJsonObject(text) ? text : JSON.stringify({ malformed_json: text });
}

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
