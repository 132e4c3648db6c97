import { byLikeness } from './likeness';
import type { Strategy } from './strategy';

const minLines = 3;
const likeLine = 0.8;
/** Minimum share of similar lines, and below of equal lines. */
const likeLines = 0.75;
const equalShare = 0.5;

/** Finds a run of lines of which most are similar and half are equal, so that the context identifies the place. */
export const contextAware: Strategy = {
  name: 'context-aware',
  differs: 'most lines match, but some differ slightly',
  ...byLikeness((likeness, lines, at, wanted) => {
    if (wanted.length < minLines) return false;
    const equal = wanted.filter((line, index) => lines[at + index] === line);
    if (equal.length < wanted.length * equalShare) return false;
    if (!equal.some((line) => line.length > minLines)) return false;
    const alike = wanted.filter((line, index) => likeness(lines[at + index]!, line) >= likeLine);
    return alike.length >= wanted.length * likeLines;
  }),
};
