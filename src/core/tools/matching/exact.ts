import { placesOf } from '../files/replacements';
import type { Strategy } from './strategy';

export const exact: Strategy = {
  name: 'exact',
  places: (text, part) => placesOf(text, part, Infinity).map((start) => ({ start, end: start + part.length })),
};
