import { replaceInvisible } from '../../../../protocol/plain/invisible';

/** Text that is already HTML. */
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

const numberOf = (letter: string): string => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

const withoutMarkup = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/[&<>"']/g, (letter) => entities[letter]!);

/**
 * Control and invisible characters are displayed as their code points, so that a report shows what was really there.
 */
const escapeHtml = (text: string): string =>
  replaceInvisible(withoutMarkup(text), (letter) =>
    isKept(letter) ? letter : `<span class="unseen">${numberOf(letter)}</span>`,
  );

/** Text in a place where elements are not allowed: an attribute value or the page title. */
export const attributeText = (text: string): Markup =>
  new Markup(replaceInvisible(withoutMarkup(text), (letter) => (isKept(letter) ? letter : numberOf(letter))));

/** True for line breaks, tabs, and characters that join emoji. */
const isKept = (letter: string): boolean =>
  /[\t\n\u200d]/.test(letter) || (letter >= '\u{e0020}' && letter <= '\u{e007f}');

function renderPart(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return (part as readonly Part[]).map(renderPart).join('');
  return escapeHtml(String(part as string | number));
}

/** Template tag for HTML that escapes every value except `Markup`. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    strings.map((text, index) => text + (index < parts.length ? renderPart(parts[index]) : '')).join(''),
  );
}

const flag = markup`<svg viewBox="0 0 16 16" aria-hidden="true"><path fill="currentColor" d="M3 2h8l3 3-3 3H3zM6 8h2v6H6z"/></svg>`;

/** The kind of page, above its title. */
export const brand = (words: string): Markup => markup`<div class="brand">${flag}${words}</div>`;

/** A figure with its label above and details below. */
export const tile = (label: string, value: string, more: string | false = false): Markup =>
  markup`<div><dt>${label}</dt><dd>${value}${more && markup`<small>${more}</small>`}</dd></div>`;
