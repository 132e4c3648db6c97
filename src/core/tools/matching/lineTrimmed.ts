import { equalLines, lineWindows } from './lineWindows';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

/** Whole lines, without the white space at their ends. */
export const lineTrimmed: Strategy = {
  name: 'line-trimmed',
  differs: 'only white space at the ends of lines differs',
  places: (text, part) => lineWindows(text, part, (line) => line.trim(), equalLines),
  adapt: reindented,
};
