/** The names in a list that is written as text: they stand apart by blanks and line ends. */
export const namesIn = (list: string): string[] => list.split(/\s+/).filter(Boolean);
