import { seededRandom } from '../model/sampling/seededRandom';
import type { TaskResult } from './taskResult';
import { costWords } from '../../protocol/plain/amounts';

/** A share of tasks with its 95 % Wilson confidence interval, all from 0 to 1. */
interface Share {
  readonly of: number;
  readonly count: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** Two-sided 95 % quantile of the normal distribution. */
const z = 1.959963984540054;

/** Wilson score interval, which is accurate even for few tasks and for shares near 0 and 1. */
export function wilson(count: number, of: number): Share {
  if (of === 0) return { of, count, share: 0, low: 0, high: 1 };
  const share = count / of;
  const scale = 1 + (z * z) / of;
  const centre = (share + (z * z) / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return { of, count, share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** Figures of an evaluation. */
interface EvaluationSummary {
  readonly name: string;
  readonly resolved: Share;
  /** Tasks without checks, or with inconclusive ones. */
  readonly untold: number;
  /** US dollars, without unknown costs. */
  readonly cost: number;
  readonly meanSteps: number;
  readonly meanSeconds: number;
}

export function evaluationSummary(name: string, results: readonly TaskResult[]): EvaluationSummary {
  const checked = results.filter(({ resolved }) => resolved !== undefined);
  const mean = (numbers: readonly number[]): number =>
    numbers.reduce((sum, each) => sum + each, 0) / (numbers.length || 1);
  return {
    name,
    resolved: wilson(checked.filter(({ resolved }) => resolved === true).length, checked.length),
    untold: results.length - checked.length,
    cost: results.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    meanSteps: mean(results.map(({ steps }) => steps)),
    meanSeconds: mean(results.map(({ seconds }) => seconds)),
  };
}

/** Paired comparison of two evaluations of the same tasks. */
export interface EvaluationComparison {
  /** Number of tasks with a conclusive result in both. */
  readonly pairs: number;
  /** Tasks solved only by the first; `onlySecond`: only by the second. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  /** p-value of McNemar's exact test: the probability of a split at least as unequal if both are equally good. */
  readonly p: number;
  /** Resolved rate of the second minus that of the first, with a 95 % interval from a paired bootstrap. */
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number };
}

const bootstrapRounds = 10_000;
const bootstrapSeed = 42;

export function compareEvaluations(first: readonly TaskResult[], second: readonly TaskResult[]): EvaluationComparison {
  const others = new Map(second.map((result) => [result.id, result.resolved]));
  const pairs = first.flatMap(({ id, resolved }) => {
    const other = others.get(id);
    return resolved === undefined || other === undefined ? [] : [{ id, first: resolved, second: other }];
  });
  const onlyFirst = pairs.filter((pair) => pair.first && !pair.second).map(({ id }) => id);
  const onlySecond = pairs.filter((pair) => !pair.first && pair.second).map(({ id }) => id);
  const differences = pairs.map((pair) => Number(pair.second) - Number(pair.first));
  return {
    pairs: pairs.length,
    onlyFirst,
    onlySecond,
    p: mcNemar(onlyFirst.length, onlySecond.length),
    difference: bootstrap(differences),
  };
}

/** McNemar's exact, two-sided test: a binomial test of the tasks in which the two differ. */
export function mcNemar(onlyFirst: number, onlySecond: number): number {
  const differing = onlyFirst + onlySecond;
  let tail = 0;
  // With many tasks the first terms underflow, so compute their logarithms.
  let term = -differing * Math.LN2;
  for (let count = 0; count <= Math.min(onlyFirst, onlySecond); count++) {
    tail += Math.exp(term);
    term += Math.log((differing - count) / (count + 1));
  }
  return Math.min(1, 2 * tail);
}

function bootstrap(values: readonly number[]): EvaluationComparison['difference'] {
  if (values.length === 0) return { mean: 0, low: 0, high: 0 };
  const random = seededRandom(bootstrapSeed);
  const means = Array.from({ length: bootstrapRounds }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)]!;
    return sum / values.length;
  }).sort((a, b) => a - b);
  const at = (share: number): number => means[Math.floor(share * (bootstrapRounds - 1))]!;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, low: at(0.025), high: at(0.975) };
}

/** An evaluation with all its tasks. */
export interface Evaluation {
  readonly summary: EvaluationSummary;
  readonly results: readonly TaskResult[];
}

/** Content of a report: one evaluation, or two of the same tasks. */
export interface Reported {
  readonly evaluations: readonly Evaluation[];
  readonly comparison?: EvaluationComparison | undefined;
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

export const chanceWords = ({ p }: EvaluationComparison): string =>
  p < seldom ? 'Unlikely to be chance.' : 'This difference may be chance.';

/** Sentences about how two evaluations differ, with the names of the statistical methods. */
export function comparisonWords(comparison: EvaluationComparison, [first, second]: readonly string[]): string[] {
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
