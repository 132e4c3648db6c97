/** Returns a function that masks keys in a text, also if a server echoes one URL-encoded, as base64 or inside JSON. */
export function masker(...keys: readonly (string | undefined)[]): (text: string) => string {
  const forms = keys.flatMap((key) => (key !== undefined && key.length >= 4 ? formsOf(key) : []));
  const shapes = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => shapes.reduce((masked, form) => masked.replaceAll(form, '[key]'), text);
}

const formsOf = (key: string): string[] => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key).slice(1, -1),
  Buffer.from(key)
    .toString('base64')
    .replace(/={1,2}$/, ''),
];
