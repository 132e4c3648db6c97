const numbered = (family: string, last: number): string[] =>
  Array.from({ length: last }, (_, index) => `${family}-${String(index + 1).padStart(2, '0')}`);

/** Every behaviour in the reference, by family, in its order. */
const ids = {
  MSA: numbered('MSA', 34),
  'MSA-V': [1, 2, 3, 4, 5, 6].map((number) => `MSA-V${number}`),
  HER: numbered('HER', 56),
  OH: numbered('OH', 23),
  AF: numbered('AF', 11).flatMap((id) => (id === 'AF-01' ? [id, 'AF-01b'] : [id])),
} as const;

export const everyId: readonly string[] = Object.values(ids).flat();
