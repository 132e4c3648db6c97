import * as z from 'zod';
import { defineTool } from '../defineTool';
import { codePlaceInput, placeInWords, servicesOf } from './codePlaceInput';
import { locationsInWords } from './locationsInWords';

export const findReferences = defineTool({
  name: 'find_references',
  description: 'Find every use of a symbol, more exactly than a text search.',
  input: z.object(codePlaceInput),
  needs: 'code',
  effect: 'reads',
  summarize: (place) => `Find references to ${placeInWords(place)}`,
  touches: ({ path }) => ({ reads: [path] }),
  allowKey: ({ path }) => path,
  async run(place, { environment, signal }) {
    const found = await servicesOf(environment).references(place, signal);
    return locationsInWords(place.symbol, found, environment.files);
  },
});
