import { likenessMeasure } from './likeness';
import { linesAlike, lineWindows } from './lineWindows';
import { reindented } from './reindented';
import type { Strategy } from './strategy';

const fewestLines = 3;
const leastLikeness = 0.6;

/** A block whose first and last lines are there and whose middle is much like the quoted one. */
export const blockAnchor: Strategy = {
  name: 'block-anchor',
  wholeLines: true,
  differs: 'the first and last lines are there, but the lines between differ a little',
  approximate: true,
  async places(text, part) {
    const likeness = await likenessMeasure();
    return lineWindows(
      text,
      part,
      (line) => line.trim(),
      linesAlike((lines, at, wanted) => {
        const last = wanted.length - 1;
        if (
          wanted.length < fewestLines ||
          wanted[0] === '' ||
          lines[at] !== wanted[0] ||
          lines[at + last] !== wanted[last]
        )
          return false;
        return likeness(lines.slice(at + 1, at + last).join('\n'), wanted.slice(1, last).join('\n')) >= leastLikeness;
      }),
    );
  },
  adapt: reindented,
};
