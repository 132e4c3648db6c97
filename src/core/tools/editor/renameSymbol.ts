import * as z from 'zod';
import { defineTool } from '../defineTool';
import { codePlaceInput, placeInWords, servicesOf } from './codePlaceInput';
import { touchesOf, writePlanned } from './writePlanned';

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  description: 'Rename a symbol everywhere it is used, in all files at once.',
  input: z.object({ ...codePlaceInput, new_name: z.string().min(1) }),
  needs: 'code',
  effect: 'writes',
  summarize: ({ new_name: name, ...place }) => `Rename ${placeInWords(place)} to ${name}`,
  touches: ({ path }) => ({ writes: [path] }),
  async findTouches({ new_name: name, ...place }, environment, signal) {
    return touchesOf(await servicesOf(environment).rename(place, name, signal));
  },
  async run({ new_name: name, ...place }, { environment, signal }) {
    const planned = await servicesOf(environment).rename(place, name, signal);
    return writePlanned(planned, `Renamed ${place.symbol} to ${name}`, environment.files);
  },
});
