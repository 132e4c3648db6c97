const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const binary = (bytes: Iterable<number>): string => Array.from(bytes, byte => String.fromCharCode(byte)).join('');
const hex = (bytes: Uint8Array, before = ''): string => Array.from(bytes, byte => before + byte.toString(16).padStart(2, '0')).join('');
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Every way in which a value may be written: as it is, escaped once and twice for JSON, for URLs, in hexadecimal digits and in base64. */
export function formsOf(value: string): string[] {
  const bytes = bytesOf(value);
  const forms = new Set([
    value, escaped(value), escaped(escaped(value)), encodeURI(value), encodeURIComponent(value), encodeURIComponent(value).replaceAll('%20', '+'), encodeURIComponent(value).replace(/%../g, code => code.toLowerCase()), hex(bytes, '%'), hex(bytes, '%').toUpperCase(),
    hex(bytes), hex(bytes).toUpperCase(), hex(bytes, '\\x'), hex(bytes, ' ').slice(1),
    ...[0, 1, 2].flatMap(before => base64At(bytes, before)),
  ]);
  return [...forms];
}

/** The letters of base64 that say nothing but these bytes, when `before` bytes stand before them in a group of three. */
function base64At(bytes: Uint8Array, before: number): string[] {
  const all = btoa(binary([...new Array<number>(before).fill(0), ...bytes]));
  const unsure = (before + bytes.length) % 3 === 0 ? 0 : 1;
  const plain = all.replace(/=+$/, '');
  const sure = plain.slice(before === 0 ? 0 : before + 1, plain.length - unsure);
  return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
}
