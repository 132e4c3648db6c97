import { foldedPlaces } from './foldedPlaces';
import type { Strategy } from './strategy';

/** Typographic signs are as good as those of a keyboard. */
export const unicodeNormalised: Strategy = {
  name: 'unicode-normalised',
  differs: 'only quotes, dashes or other typographic signs differ',
  places: (text, part) => foldedPlaces(text, part, pattern, (found) => plain[found]!),
};

const plain: Record<string, string> = Object.fromEntries(
  [
    ['\u2018\u2019\u201a\u201b\u2032', "'"],
    ['\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb', '"'],
    ['\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-'],
    ['\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000', ' '],
    ['\u2026', '...'],
    ['\u200b\u2060\ufeff', ''],
  ].flatMap(([signs, written]) => [...signs!].map((sign) => [sign, written!])),
);

const pattern = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');
