import { equalLines, lineWindows } from './lineWindows';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

/** Whole lines however they are indented, and whatever white space is between their words. */
export const indentationFlexible: Strategy = {
  name: 'indentation-flexible',
  differs: 'only indentation and white space differ',
  places: (text, part) => lineWindows(text, part, (line) => line.trim().replace(/\s+/g, ' '), equalLines),
  adapt: reindented,
};
