import * as z from 'zod';
import { defineTool } from '../defineTool';
import { codePlaceInput, placeInWords, servicesOf } from './codePlaceInput';
import { locationsInWords } from './locationsInWords';

export const goToDefinition = defineTool({
  name: 'go_to_definition',
  description: 'Find where a symbol is declared.',
  input: z.object(codePlaceInput),
  needs: 'code',
  effect: 'reads',
  summarize: (place) => `Find the definition of ${placeInWords(place)}`,
  touches: ({ path }) => ({ reads: [path] }),
  allowKey: ({ path }) => path,
  async run(place, { environment, signal }) {
    const found = await servicesOf(environment).definitions(place, signal);
    return locationsInWords(place.symbol, found, environment.files);
  },
});
