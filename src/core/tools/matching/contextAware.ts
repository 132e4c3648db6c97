import { byLikeness } from './likeness';
import type { Strategy } from './strategy';

const fewestLines = 3;
const likeLine = 0.8;
/** The share of lines that must be alike, and of those that must be equal. */
const likeLines = 0.75;
const equalShare = 0.5;

/** A run of lines most of which are similar and half of which are equal: the context identifies the place. */
export const contextAware: Strategy = {
  name: 'context-aware',
  differs: 'most lines are there, but some differ a little',
  ...byLikeness((likeness, lines, at, wanted) => {
    if (wanted.length < fewestLines) return false;
    const equal = wanted.filter((line, index) => lines[at + index] === line);
    if (equal.length < wanted.length * equalShare) return false;
    if (!equal.some((line) => line.length > fewestLines)) return false;
    const alike = wanted.filter((line, index) => likeness(lines[at + index]!, line) >= likeLine);
    return alike.length >= wanted.length * likeLines;
  }),
};
