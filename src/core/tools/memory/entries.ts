import type { MemoryStore } from '../../ports/environment';
import { withCommas } from '../../text/withCommas';

/** How many characters a store may hold: the system prompt carries all of it. */
export const memoryLimits: Record<MemoryStore, number> = { memory: 2200, user: 1375 };

const separator = '\n§\n';

/** The notes of a store. They are separated by lines with nothing but "§". */
export const entriesOf = (text: string): string[] =>
  text
    .replaceAll('\r\n', '\n')
    .split(/^[ \t]*§[ \t]*$/m)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const textOf = (entries: readonly string[]): string => entries.join(separator);

/** How full a store is: "1,240 of 2,200 characters". */
export const fullness = (store: MemoryStore, text: string): string =>
  `${withCommas(text.length)} of ${withCommas(memoryLimits[store])} characters`;
