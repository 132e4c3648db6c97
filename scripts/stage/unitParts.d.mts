export const longest: readonly string[];
export const waiting: readonly string[];
export function shortName(source: string): string;
export function partsOf(
  files: readonly string[],
  sourceOf: (file: string) => string,
): { readonly parts: string[][]; readonly beside: string[][] };
