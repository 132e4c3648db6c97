/** An escaped character outside the Basic Multilingual Plane, or half of one, after an even number of backslashes. */
const escapedSurrogates = /(?<!\\)((?:\\\\)*)(\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\ud[89a-f][0-9a-f]{2})/gi;
const lengthOfHalf = '\\ud83d'.length;

/**
 * Replaces lone surrogates in JSON text, as at the end of truncated text, by U+FFFD. JSON allows them, but strict servers
 * refuse the whole request.
 */
export const wellFormed = (json: string): string =>
  /\\ud/i.test(json)
    ? json.replace(escapedSurrogates, (whole, backslashes: string, escape: string) =>
        escape.length > lengthOfHalf ? whole : `${backslashes}\uFFFD`,
      )
    : json;
