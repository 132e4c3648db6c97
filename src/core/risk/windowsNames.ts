/**
 * `a.txt:b` is an alternate data stream, which no listing shows; also after a device name. A single letter before the
 * colon is a drive. The name of a stream contains no slash, so an address is none.
 */
export const hasStream = (word: string): boolean => /^[^:]+:(?!\/\/)./.test(word.replace(/^[a-z]:(?=[\\/])/i, ''));

/** `CREDEN~1.JSO` may be the second name that Windows gives to a file with a longer name. */
const shortName = /^[^.]{1,6}~\d+(\.[^.]{0,3})?$/;

/** Returns whether a name in a path may be the short name of another file. */
export const hasShortName = (path: string): boolean => path.split(/[\\/]/).some((name) => shortName.test(name));
