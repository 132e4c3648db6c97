/** Text that is HTML already. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | undefined | false | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Letters that are obeyed or not seen are shown by their number: a report shows what was there. */
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

const numberOf = (letter: string): string => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

const withoutMarkup = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/[&<>"']/g, (letter) => entities[letter]!);

const escaped = (text: string): string =>
  withoutMarkup(text).replace(unseen, (letter) =>
    joins(letter) ? letter : `<span class="unseen">${numberOf(letter)}</span>`,
  );

/** Text where no element can be: the value of an attribute, the title of a page. */
export const attribute = (text: string): Markup =>
  new Markup(withoutMarkup(text).replace(unseen, (letter) => (joins(letter) ? letter : numberOf(letter))));

/** Parts of emoji. */
const joins = (letter: string): boolean => letter === '\u200d' || (letter >= '\u{e0020}' && letter <= '\u{e007f}');

function rendered(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return (part as readonly Part[]).map(rendered).join('');
  return escaped(String(part as string | number));
}

/** HTML in which every value is escaped, except for `Markup`. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((text, index) => text + (index < parts.length ? rendered(parts[index]) : '')).join(''));
}
