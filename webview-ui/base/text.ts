import { english } from './english';

/** The name of a text in english.ts. */
export type TextKey = keyof typeof english;
type Values = Record<string, string | number>;

/**
 * The host provides translations in `<script type="application/json" id="strings">`, keyed by the English text as in
 * `l10n/`, or by the key of english.ts if a language needs forms that English lacks, such as another plural.
 */
const translated: Partial<Record<string, string>> =
  typeof document === 'undefined' ? {} : JSON.parse(document.getElementById('strings')?.textContent || '{}');

/** Returns a function that looks up strings; `{name}` is replaced from `values`. */
export function wordsFrom<English extends Readonly<Record<string, string>>>(english: English) {
  type Key = keyof English & string;
  const text = (key: Key, values: Values = {}): string => {
    const template = translated[key] ?? translated[english[key]!] ?? english[key]!;
    return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
  /**
   * Returns a string that depends on a number, `{n}`. English has `.one` and `.other`; translations may use every CLDR
   * plural category.
   */
  const counted = (key: Counted<Key>, n: number, values: Values = {}): string => {
    const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang || 'en';
    const category = `${key}.${new Intl.PluralRules(language).select(n)}`;
    return text((category in translated || category in english ? category : `${key}.other`) as Key, { n, ...values });
  };
  return { text, counted };
}

type Counted<Key> = Key extends `${infer Base}.other` ? Base : never;

export const { text, counted } = wordsFrom(english);
