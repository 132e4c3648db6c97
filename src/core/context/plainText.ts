const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
};

/**
 * Extracts the visible text of an HTML page, with headings and list items but without scripts, styles, comments and
 * hidden elements.
 */
export function plainText(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(-->|$)/g, '')
    .replace(/<(script|style|noscript|template|svg|head|iframe|object)\b[\s\S]*?(<\/\1\s*>|$)/gi, '')
    .replace(/<(\w+)(\s[^<>]*)>[^<]*<\/(\w+)\s*>/g, (whole, opened: string, attributes: string, closed: string) =>
      isHidden(attributes) && opened.toLowerCase() === closed.toLowerCase() ? '' : whole,
    )
    .replace(/<h([1-6])\b[^<>]*>/gi, (_tag, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<li\b[^<>]*>/gi, '\n- ')
    .replace(
      /<(br|hr|\/?(p|div|section|article|header|footer|main|nav|ul|ol|table|tr|pre|blockquote|h[1-6]))\b[^<>]*>/gi,
      '\n',
    )
    .replace(/<\/t[dh]\s*>/gi, '\t')
    .replace(/<[^<>]*>/g, '')
    .replace(
      /&(?:#(\d{1,7}|x[0-9a-f]{1,6})|(\w{2,8}));/gi,
      (whole, number?: string, name?: string) =>
        (number ? characterNumbered(number) : name && entities[name.toLowerCase()]) ?? whole,
    )
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** True if the attributes of a tag hide its content. */
const isHidden = (attributes: string): boolean =>
  /\s(?:hidden|aria-hidden="true"|style="[^"]*(?:display:\s*none|visibility:\s*hidden))/i.test(attributes);

/** Returns the character with a number such as "233" or "xe9". Undefined if it is a control character or a surrogate. */
function characterNumbered(number: string): string | undefined {
  const code = Number(/^x/i.test(number) ? `0${number}` : number);
  return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : undefined;
}
