import * as z from 'zod';
import type { CodeServices } from '../../ports/codeServices';
import type { Environment } from '../../ports/environment';

/**
 * Input schema for pointing at a symbol: the model quotes the line that it read, because models do not count columns.
 */
export const codePlaceInput = {
  path: z.string(),
  line: z.int().min(1).describe('from 1'),
  symbol: z.string().min(1).describe('the name on that line'),
};

export const placeInWords = ({ path, line, symbol }: { path: string; line: number; symbol: string }): string =>
  `${symbol} (${path}:${line})`;

/** Returns the language services. Throws an `Error` with a message for the model if there are none. */
export function servicesOf({ code }: Environment): CodeServices {
  if (!code) throw new Error('No editor is available here, so there are no language services. Search for the text.');
  return code;
}
