import { seededRandom } from '../model/sampling/seededRandom';
import type { TaskResult } from './taskResult';

/** A share of tasks with its 95 % Wilson confidence interval, all from 0 to 1. */
export interface Share {
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
export interface EvaluationSummary {
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
export interface Comparison {
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

export function compareEvaluations(first: readonly TaskResult[], second: readonly TaskResult[]): Comparison {
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

function bootstrap(values: readonly number[]): Comparison['difference'] {
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
