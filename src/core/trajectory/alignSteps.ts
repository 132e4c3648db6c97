import type { AlignedPair, StepRow } from '../../protocol/inspector/inspector';
import type { History } from '../log/projection';
import { stepsOf } from './steps';

/** Beyond this many differences, rows are paired by position alone. */
const maxDifferences = 4000;

/** Aligns the rows of two runs. Rows that do the same share a line; the rows between such lines are paired in order. */
export async function alignSteps(left: History, right: History): Promise<AlignedPair[]> {
  const [ours, theirs] = [stepsOf(left).rows.map(comparedText), stepsOf(right).rows.map(comparedText)];
  const { diffArrays } = await import('diff');
  const parts = diffArrays(ours, theirs, { maxEditLength: maxDifferences }) ?? [
    { removed: true, added: false, count: ours.length },
    { removed: false, added: true, count: theirs.length },
  ];
  const pairs: AlignedPair[] = [];
  let [l, r] = [0, 0];
  /** Rows that only one run has, up to the next common row. */
  let gap = { left: 0, right: 0 };
  const close = (): void => {
    for (let index = 0; index < Math.max(gap.left, gap.right); index++)
      pairs.push({
        same: false,
        ...(index < gap.left && { left: l - gap.left + index }),
        ...(index < gap.right && { right: r - gap.right + index }),
      });
    gap = { left: 0, right: 0 };
  };
  for (const { removed, added, count } of parts) {
    if (removed) {
      l += count;
      gap.left += count;
    } else if (added) {
      r += count;
      gap.right += count;
    } else {
      close();
      for (let index = 0; index < count; index++) pairs.push({ left: l++, right: r++, same: true });
    }
  }
  close();
  return pairs;
}

/** Describes what a row does, regardless of its result. */
const comparedText = ({ kind, line }: StepRow): string => `${kind} ${line}`;
