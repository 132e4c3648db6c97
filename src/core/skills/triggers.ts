import { globMatcher } from '../text/glob';
import { commandIn, commandName } from './commandName';
import type { Skill } from '../ports/skill';

/** Why a skill was woken, for the log and for people. */
export interface Cause {
  readonly by: 'keyword' | 'command' | 'path';
  readonly what: string;
}

/** What may wake a skill. */
export type Occasion = { readonly message: string } | { readonly touched: readonly string[] };

/** ★ What wakes skills, each in turn; the first that answers is the cause. */
export const triggers: readonly ((skill: Skill, occasion: Occasion) => Cause | undefined)[] = [
  (skill, occasion) => {
    if (!('message' in occasion) || skill.kind === 'persona') return undefined;
    return commandIn(occasion.message)?.name === commandName(skill)
      ? { by: 'command', what: `/${commandName(skill)}` }
      : undefined;
  },
  (skill, occasion) => {
    if (!('message' in occasion)) return undefined;
    const word = skill.triggers.find((trigger) => says(occasion.message, trigger));
    return word === undefined ? undefined : { by: 'keyword', what: word };
  },
  (skill, occasion) => {
    if (!('touched' in occasion) || skill.paths.length === 0) return undefined;
    const path = occasion.touched.find((touched) => matches(skill, touched));
    return path === undefined ? undefined : { by: 'path', what: path };
  },
];

/**
 * Scripts that put no blank between words, so nothing in them says where one ends; and
 * pictures, which touch whatever they like.
 */
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
 * Whether a message says the word: whole where its script has blanks between words, with "部署" in "请部署它" and "deploy" in
 * "请deploy它". Case, the width of letters, and how accents are composed do not matter.
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

/**
 * One spelling for all that read the same. Upper case first: "ß" and "SS", "ς" and
 * "Σ", "ı" and "I" differ in lower case alone.
 */
function folded(text: string): string {
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

const matchers = new Map<string, (path: string) => boolean>();

function matches({ base, paths }: Skill, touched: string): boolean {
  if (base !== '' && !touched.startsWith(`${base}/`)) return false;
  const inside = base === '' ? touched : touched.slice(base.length + 1);
  const [negative, positive] = [true, false].map((negated) => paths.filter((glob) => isNegated(glob) === negated));
  return positive!.some((glob) => fits(glob, inside)) && !negative!.some((glob) => fits(glob.slice(1), inside));
}

/** "!*.d.ts" leaves out what the others match; "!(a|b).ts" is a pattern of its own. */
export const isNegated = (glob: string): boolean => /^!(?!\()/.test(glob);

/** A pattern without a "/" is for names in any folder. What cannot be used was told of when its file was read. */
function fits(glob: string, path: string): boolean {
  const matcher = matchers.get(glob) ?? globMatcher(glob);
  matchers.set(glob, matcher);
  return matcher(glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1));
}
