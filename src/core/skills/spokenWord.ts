/** Scripts that put no blank between words, so nothing in them says where one ends; and pictures, which touch whatever they like. */
const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Lana}\p{scx=Talu}\p{scx=Tale}\p{scx=Java}\p{scx=Bali}\p{Extended_Pictographic}\p{RI}`;
/** Korean puts blanks before words, and particles and endings right behind them. */
const hangul = String.raw`\p{scx=Hang}`;
const [beginsUnspaced, endsUnspaced] = [new RegExp(`^[${unspaced}]`, 'u'), new RegExp(`[${unspaced}]$`, 'u')];
const [beginsInHangul, endsInHangul] = [new RegExp(`^${hangul}`, 'u'), new RegExp(`${hangul}$`, 'u')];
/** A letter, digit or "_" that would make one longer word of it. */
const joins = String.raw`(?![${unspaced}${hangul}])[\p{L}\p{N}\p{M}_]`;

const expressions = new Map<string, RegExp>();
/** The message that is asked about: of all words, one after the other. */
let heard = { message: '', said: '' };

/**
 * Whether a message says the word: whole where its script has blanks between words, with "部署" in "请部署它" and "deploy" in "请deploy它". Case,
 * the width of letters, and how accents are composed do not matter.
 */
export function says(message: string, word: string): boolean {
  const expression = expressions.get(word) ?? wholeWord(folded(word.trim()));
  expressions.set(word, expression);
  if (heard.message !== message) heard = { message, said: folded(message) };
  return expression.test(heard.said);
}

function wholeWord(word: string): RegExp {
  const before = beginsUnspaced.test(word) ? '' : beginsInHangul.test(word) ? `(?<!${hangul})` : `(?<!${joins})`;
  const after = endsUnspaced.test(word) || endsInHangul.test(word) ? '' : `(?!${joins})`;
  // A mark behind it belongs to its last letter, and makes another of it.
  return new RegExp(
    `${before}${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')}(?!\\p{M})${after}`,
    'u',
  );
}

/** One spelling for all that read the same. Upper case first: "ß" and "SS", "ς" and "Σ", "ı" and "I" differ in lower case alone. */
export function folded(text: string): string {
  const composed = text
    .replace(/[\uFE0E\uFE0F]/g, '')
    .normalize('NFC')
    .replace(/[\uFF00-\uFFEF]+/g, (wide) => wide.normalize('NFKC'));
  return composed
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/i\u0307/g, 'i')
    .normalize('NFC');
}
