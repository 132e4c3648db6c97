import { byLikeness } from './likeness';
import type { Strategy } from './strategy';

const minLines = 3;
const minSimilarity = 0.6;

/** Finds a block whose first and last lines match and whose middle is similar to the quoted one. */
export const blockAnchor: Strategy = {
  name: 'block-anchor',
  differs: 'the first and last lines match, but the lines between differ slightly',
  ...byLikeness((likeness, lines, at, wanted) => {
    const last = wanted.length - 1;
    if (wanted.length < minLines || wanted[0] === '') return false;
    if (lines[at] !== wanted[0] || lines[at + last] !== wanted[last]) return false;
    const between = lines.slice(at + 1, at + last).join('\n');
    return likeness(between, wanted.slice(1, last).join('\n')) >= minSimilarity;
  }),
};
