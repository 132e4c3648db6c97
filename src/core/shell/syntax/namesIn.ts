/** Splits a list of names at white space. */
export const namesIn = (list: string): string[] => list.split(/\s+/).filter(Boolean);
