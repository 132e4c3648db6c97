import { likenessMeasure } from './likeness';
import { linesAlike, lineWindows } from './lineWindows';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

const fewestLines = 3;
const likeLine = 0.8;
/** The share of lines that must be alike, and of those that must be equal. */
const likeLines = 0.75;
const equalShare = 0.5;

/** A run of lines of which most are alike and half are equal: the context says where it is. */
export const contextAware: Strategy = {
  name: 'context-aware',
  wholeLines: true,
  differs: 'most lines are there, but some differ a little',
  approximate: true,
  async places(text, part) {
    const likeness = await likenessMeasure();
    return lineWindows(
      text,
      part,
      (line) => line.trim(),
      linesAlike((lines, at, wanted) => {
        if (wanted.length < fewestLines) return false;
        const equal = wanted.filter((line, index) => lines[at + index] === line).length;
        if (
          equal < wanted.length * equalShare ||
          !wanted.some((line, index) => line.length > fewestLines && lines[at + index] === line)
        )
          return false;
        return (
          wanted.filter((line, index) => likeness(lines[at + index]!, line) >= likeLine).length >=
          wanted.length * likeLines
        );
      }),
    );
  },
  adapt: reindented,
};
