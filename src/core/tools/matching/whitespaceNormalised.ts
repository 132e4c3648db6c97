import { foldedPlaces } from './foldedPlaces';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

/** Any run of blanks and tabs is as good as one blank, and none is needed before a line break. */
export const whitespaceNormalised: Strategy = {
  name: 'whitespace-normalised',
  differs: 'only the amount of white space differs',
  places: (text, part) => foldedPlaces(text, part, /[ \t]+\n?/g, (found) => (found.endsWith('\n') ? '\n' : ' ')),
  adapt: reindented,
};
