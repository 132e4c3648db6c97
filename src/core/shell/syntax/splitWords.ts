/** Splits a list of names at white space. */
export const splitWords = (list: string): string[] => list.split(/\s+/).filter(Boolean);
