import { globMatcher } from '../text/glob';
import { slashCommandIn, commandName } from './commandName';
import type { Skill } from '../ports/skill';

/** Why a skill was activated, for the log and for people. */
export interface Cause {
  readonly by: 'keyword' | 'command' | 'path';
  readonly what: string;
}

/** What may activate a skill. */
export type SkillOccasion = { readonly message: string } | { readonly touched: readonly string[] };

/** ★ Triggers of skills. Each is tried in turn; the first result is the cause. */
export const triggers: readonly ((skill: Skill, occasion: SkillOccasion) => Cause | undefined)[] = [
  (skill, occasion) => {
    if (!('message' in occasion) || skill.kind === 'persona') return undefined;
    return slashCommandIn(occasion.message)?.name === commandName(skill)
      ? { by: 'command', what: `/${commandName(skill)}` }
      : undefined;
  },
  (skill, occasion) => {
    if (!('message' in occasion)) return undefined;
    const word = skill.triggers.find((trigger) => containsWord(occasion.message, trigger));
    return word === undefined ? undefined : { by: 'keyword', what: word };
  },
  (skill, occasion) => {
    if (!('touched' in occasion) || skill.paths.length === 0) return undefined;
    const path = occasion.touched.find((touched) => matchesPath(skill, touched));
    return path === undefined ? undefined : { by: 'path', what: path };
  },
];

/** Scripts without spaces between words, so that word boundaries are unknown, and emoji, which may touch any word. */
const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Lana}\p{scx=Talu}\p{scx=Tale}\p{scx=Java}\p{scx=Bali}\p{Extended_Pictographic}\p{RI}`;
/** Korean has spaces before words, but particles and endings directly follow them. */
const hangul = String.raw`\p{scx=Hang}`;
// Each tests a single character: Node 26 misses an emoji at the end of a text in a pattern that only "$" anchors.
const isUnspaced = new RegExp(`^[${unspaced}]$`, 'u');
const isHangul = new RegExp(`^${hangul}$`, 'u');
/** A letter, digit or "_" that would extend the word. */
const joins = String.raw`(?![${unspaced}${hangul}])[\p{L}\p{N}\p{M}_]`;

interface Searched {
  /** Normalized form of the word. */
  readonly word: string;
  /** Its longest part without white space. */
  readonly part: string;
  /** Compiled when a message first contains the part: with its classes of characters, that takes milliseconds. */
  expression?: RegExp;
}
const searchedWords = new Map<string, Searched>();
/** Normalized form of the last message, because all words are tested against the same message in turn. */
let heard = { message: '', said: '' };

/**
 * Returns whether a message contains a word. The word must be whole if its script separates words by spaces, but "部署"
 * is found in "请部署它" and "deploy" in "请deploy它". Case, character width and the composition of accents do not matter.
 */
export function containsWord(message: string, word: string): boolean {
  const searched = searchedWords.get(word) ?? searchedWord(word);
  searchedWords.set(word, searched);
  if (heard.message !== message) heard = { message, said: foldCase(message) };
  if (!heard.said.includes(searched.part)) return false;
  searched.expression ??= wholeWord(searched.word);
  return searched.expression.test(heard.said);
}

function searchedWord(written: string): Searched {
  const word = foldCase(written.trim());
  const parts = word.split(/\s+/);
  return { word, part: parts.reduce((longest, part) => (part.length > longest.length ? part : longest)) };
}

/** Returns what may not precede a word that begins with this character, as a lookbehind. */
function boundaryBefore(first: string): string {
  if (isUnspaced.test(first)) return '';
  return isHangul.test(first) ? `(?<!${hangul})` : `(?<!${joins})`;
}

/** Same for what may not follow its last character. */
const boundaryAfter = (last: string): string => (isUnspaced.test(last) || isHangul.test(last) ? '' : `(?!${joins})`);

function wholeWord(word: string): RegExp {
  const characters = [...word];
  const before = boundaryBefore(characters.at(0) ?? '');
  const after = boundaryAfter(characters.at(-1) ?? '');
  // A combining mark after the word changes its last letter.
  return new RegExp(
    `${before}${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')}(?!\\p{M})${after}`,
    'u',
  );
}

/**
 * Normalizes texts that read the same. Upper case comes first: "ß" and "SS", "ς" and "Σ", "ı" and "I" differ only in
 * lower case.
 */
function foldCase(text: string): string {
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

function matchesPath({ base, paths }: Skill, touched: string): boolean {
  if (base !== '' && !touched.startsWith(`${base}/`)) return false;
  const inside = base === '' ? touched : touched.slice(base.length + 1);
  const [negative, positive] = [true, false].map((negated) => paths.filter((glob) => isNegated(glob) === negated));
  return positive!.some((glob) => fits(glob, inside)) && !negative!.some((glob) => fits(glob.slice(1), inside));
}

/** Returns whether a glob excludes files: "!*.d.ts" does, but "!(a|b).ts" is an ordinary pattern. */
export const isNegated = (glob: string): boolean => /^!(?!\()/.test(glob);

/** Tests a path. A glob without "/" matches names in any folder. Invalid globs were reported when the file was read. */
function fits(glob: string, path: string): boolean {
  const matcher = matchers.get(glob) ?? globMatcher(glob);
  matchers.set(glob, matcher);
  return matcher(glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1));
}
