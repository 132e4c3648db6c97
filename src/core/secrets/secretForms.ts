/**
 * One way to write a value: the possible spellings of each part, longest first, and what may be between two parts.
 * Matching part by part keeps many known values cheap.
 */
export interface SecretForm {
  readonly parts: readonly (readonly string[])[];
  readonly joint?: Joint;
}

/**
 * `kinds`: each matches what may be between two parts; nothing is also allowed. `begun`: matches the start of such a
 * joint at the end of a text that continues. `after`: matches text that belongs to the value.
 */
interface Joint {
  readonly kinds: readonly RegExp[];
  readonly begun: RegExp;
  readonly after?: RegExp;
}

/** Line breaks, also as written in JSON. */
const wrapped: Joint = { kinds: [/(?:\r|\\r)?(?:\n|\\n)[ \t]{0,16}/y], begun: /^(?:\r|\\r?)?(?:\n|\\n?)?[ \t]{0,16}$/ };
/**
 * Spaces, colons, prefixes. In dumps, also the text column at the end of a line and the offset at the start of the next
 * one.
 */
const dumped: Joint = {
  kinds: [
    /(?:, ?| )?(?:\\{1,2}x|0x|%)|[ \t:,;-]{1,2}/y,
    /(?:[ \t|]{1,4}[^\n]{1,20})?(?:\r|\\r)?(?:\n|\\n)[ \t]{0,16}/y,
    /(?:[ \t|]{1,4}[^\n]{1,20})?(?:\r|\\r)?(?:\n|\\n)[ \t]{0,16}[0-9a-fA-F]{4,10}:?[ \t]{1,4}/y,
  ],
  begun: /^[^\n]{0,26}(?:\n[ \t]{0,16}(?:[0-9a-fA-F]{0,10}:?[ \t]{0,4})?)?$/,
  after: /[ 0-9a-fA-F]{0,44}[ \t]{2}[^\n]{1,20}(?=\r?\n|$)/y,
};

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];
const wideBytesOf = (text: string): number[] =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap((code) => [code & 255, code >> 8]);
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');

/** How letters of Base64 are also written: in addresses, in JSON and with a percent sign. */
const otherBase64: Readonly<Record<string, readonly string[]>> = {
  '+': ['+', '-', '%2B', '%2b'],
  '/': ['/', '_', '\\/', '%2F', '%2f'],
};

/**
 * Returns every form in which a value is searched for: plain or escaped for JSON, URLs and HTML; as hex digits and hex
 * dumps; as base64, also of UTF-16 and over several lines.
 */
export function formsOf(value: string): SecretForm[] {
  const bytes = bytesOf(value);
  return [
    { parts: Array.from(value, spellings) },
    { parts: bytes.map((byte) => [...new Set([hexOf(byte), hexOf(byte).toUpperCase()])]), joint: dumped },
    ...[bytes, wideBytesOf(value)].flatMap((each) =>
      [0, 1, 2].map((before): SecretForm => ({
        parts: Array.from(base64At(each, before), (letter) => otherBase64[letter] ?? [letter]),
        joint: wrapped,
      })),
    ),
  ];
}

const html: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  '"': ['&quot;', '&#34;'],
  "'": ['&#39;', '&apos;', '&#x27;'],
  ' ': ['+'],
};

function spellings(letter: string): string[] {
  if (/^[A-Za-z0-9]$/.test(letter)) return [letter];
  const units = Array.from({ length: letter.length }, (_, at) => letter.charCodeAt(at).toString(16).padStart(4, '0'));
  const unicode = ['\\', '\\\\'].flatMap((before) =>
    [units, units.map((unit) => unit.toUpperCase())].map((all) => all.map((unit) => `${before}u${unit}`).join('')),
  );
  const url = ['%', '%25'].flatMap((before) =>
    [hexOf, (byte: number) => hexOf(byte).toUpperCase()].map((digits) =>
      bytesOf(letter)
        .map((byte) => before + digits(byte))
        .join(''),
    ),
  );
  const backslashes = letter === '\\' ? ['\\\\\\\\', '\\\\'] : [`\\\\\\${letter}`, `\\${letter}`];
  const short = { '\t': ['\\t', '\\\\t'] }[letter] ?? [];
  return [...new Set([...unicode, ...url, ...backslashes, ...short, ...(html[letter] ?? []), letter])].sort(
    (a, b) => b.length - a.length,
  );
}

/**
 * Returns the base64 characters that depend only on these bytes, given `before` bytes that precede them in a group of
 * three.
 */
function base64At(bytes: readonly number[], before: number): string {
  const all = btoa(
    Array.from([...new Array<number>(before).fill(0), ...bytes], (byte) => String.fromCharCode(byte)).join(''),
  );
  const unsure = (before + bytes.length) % 3 === 0 ? 0 : 1;
  const plain = all.replace(/={1,2}$/, '');
  return plain.slice(before === 0 ? 0 : before + 1, plain.length - unsure);
}

/** Returns the pairs of characters that a form may start with. */
export function beginningsOf({ parts: [first = [], second = []], joint }: SecretForm): string[] {
  const next = [...second.map((spelling) => spelling[0]!), ...(joint ? ['\n', '\r', '\\'] : [])];
  return [
    ...new Set(
      first.flatMap((spelling) =>
        spelling.length > 1 ? [spelling.slice(0, 2)] : next.map((letter) => spelling + letter),
      ),
    ),
  ];
}

/** Returns the maximum length of a text that `form` matches. */
export function maxLengthOf({ parts, joint }: SecretForm): number {
  const letters = parts.reduce((sum, each) => sum + each[0]!.length, 0);
  if (joint === dumped) return letters + parts.length * 6 + Math.ceil(parts.length / 8) * 60;
  return joint ? letters + Math.ceil(parts.length / 16) * 20 : letters;
}

/**
 * Matches a form at `at`. Returns the end of the match, or undefined if there is none. Returns `unfinished` if the text
 * ends before the form does or, with `goesOn`, may continue with a longer spelling. `earlier` is the text before it in
 * the same line.
 */
export function follow(
  { parts, joint }: SecretForm,
  text: string,
  at: number,
  {
    goesOn = false,
    earlier = '',
  }: { readonly goesOn?: boolean | undefined; readonly earlier?: string | undefined } = {},
): number | 'unfinished' | undefined {
  let place = at;
  for (const [index, each] of parts.entries()) {
    let next = spelled(each, text, place, goesOn);
    if (next === undefined && joint && index > 0) {
      if (
        text.length - place <= 60 &&
        joint.begun.test(text.slice(place)) &&
        (joint === dumped || index >= 4 || mayBeBroken(earlier + text, earlier.length + place))
      )
        return 'unfinished';
      for (const kind of joint.kinds) {
        kind.lastIndex = place;
        const between = kind.exec(text)?.[0].length;
        if (between !== undefined && place + between < text.length) next = spelled(each, text, place + between, goesOn);
        if (next !== undefined) break;
      }
    }
    if (typeof next !== 'number') return next;
    place = next;
  }
  if (!joint?.after) return place;
  joint.after.lastIndex = place;
  return place + (joint.after.exec(text)?.[0].length ?? 0);
}

function spelled(
  spellings: readonly string[],
  text: string,
  at: number,
  goesOn: boolean,
): number | 'unfinished' | undefined {
  const there = spellings.find((spelling) => text.startsWith(spelling, at));
  const left = text.length - at;
  const longer =
    left < 12 &&
    (goesOn || there === undefined) &&
    spellings.some((spelling) => spelling.length > left && spelling.startsWith(text.slice(at)));
  if (longer) return 'unfinished';
  return there === undefined ? undefined : at + there.length;
}

const isBase64 = (text: string): boolean => /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[A-Za-z0-9+/_-]{8,}$/.test(text);

/** Returns whether the line that ends at `at` may have been wrapped: it is long, or looks like pure base64. */
function mayBeBroken(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return line.length > 40 || isBase64(line.trimStart());
}
