import type { Comparison, EvaluationSummary, Share } from './evaluation';
import type { TaskResult } from './taskResult';
import { costWords } from '../../protocol/plain/amounts';

/** An evaluation with all its tasks. */
export interface Evaluation {
  readonly summary: EvaluationSummary;
  readonly results: readonly TaskResult[];
}

/** Content of a report: one evaluation, or two of the same tasks. */
export interface Reported {
  readonly evaluations: readonly Evaluation[];
  readonly comparison?: Comparison | undefined;
  /** Returns the address of a task's trajectory, relative to the page, or undefined if there is none. */
  linkTo?(evaluation: number, result: TaskResult): string | undefined;
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;
export const points = (share: number): string => `${share >= 0 ? '+' : '−'}${Math.abs(share * 100).toFixed(1)}`;
const resolvedWords = ({ count, of, share }: Share): string => `${count}/${of} (${percent(share)})`;
export const intervalWords = ({ low, high }: Pick<Share, 'low' | 'high'>): string =>
  `${percent(low)} to ${percent(high)}`;

const columns = ['Run', 'Resolved', '95% interval (Wilson)', 'Cost', 'Mean steps', 'Mean seconds'] as const;

const cellsOf = ({ name, resolved, cost, meanSteps, meanSeconds }: EvaluationSummary): string[] => [
  name,
  resolvedWords(resolved),
  intervalWords(resolved),
  costWords(cost) || '–',
  meanSteps.toFixed(1),
  meanSeconds.toFixed(1),
];

/** Significance level: a p-value below it is rarely due to chance. */
const seldom = 0.05;

export const chanceWords = ({ p }: Comparison): string =>
  p < seldom ? 'Unlikely to be chance.' : 'This difference may be chance.';

/** Sentences about how two evaluations differ, with the names of the statistical methods. */
export function comparisonWords(comparison: Comparison, [first, second]: readonly string[]): string[] {
  const { pairs, onlyFirst, onlySecond, p, difference } = comparison;
  const interval = `95% interval ${points(difference.low)} to ${points(difference.high)}, paired bootstrap`;
  return [
    `Tasks that count in both runs: ${pairs}. Resolved only by ${first}: ${onlyFirst.length}; only by ${second}: ${onlySecond.length}.`,
    `${second} resolves ${points(difference.mean)} percentage points (${interval}).`,
    `McNemar’s exact test: p = ${p.toFixed(3)}. ${chanceWords(comparison)}`,
  ];
}

/** Formats a table for the terminal. */
export function evaluationTable({ evaluations, comparison }: Reported): string {
  const rows = [[...columns], ...evaluations.map(({ summary }) => cellsOf(summary))];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const untold = evaluations.flatMap(({ summary }) =>
    summary.untold === 0
      ? []
      : [
          `${summary.name}: tasks not counted, because they did not start or their checks are inconclusive: ${summary.untold}.`,
        ],
  );
  const names = evaluations.map(({ summary }) => summary.name);
  return [...lines, ...untold, ...(comparison ? ['', ...comparisonWords(comparison, names)] : [])].join('\n');
}
