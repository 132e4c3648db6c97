import type { MemoryStore } from '../../ports/memory';
import { withCommas } from '../../text/numbers';

/** Maximum number of characters per store, because the system prompt includes all of it. */
export const memoryLimits: Record<MemoryStore, number> = { memory: 2200, user: 1375 };

const separator = '\n§\n';

/** Splits a store into notes. They are separated by lines that contain only "§". */
export const splitEntries = (text: string): string[] =>
  text
    .replaceAll('\r\n', '\n')
    .split(/^[ \t]*§[ \t]*$/m)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const joinEntries = (entries: readonly string[]): string => entries.join(separator);

/** Formats how full a store is: "1,240 of 2,200 characters". */
export const fullness = (store: MemoryStore, text: string): string =>
  `${withCommas(text.length)} of ${withCommas(memoryLimits[store])} characters`;
