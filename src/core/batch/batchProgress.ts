import type { BatchSums } from './statistics';
import { costWords } from '../../protocol/plain/costWords';

/** Progress of a batch, for a line that a person reads. */
export interface BatchProgressFacts {
  readonly sums: BatchSums;
  /** Number of selected tasks. */
  readonly total: number;
  /** Number of selected tasks that are done, including those of earlier runs. */
  readonly settled: number;
  readonly running: number;
  /** Number of tasks that ended since this run of the batch began. */
  readonly ended: number;
  /** Seconds since this run of the batch began. */
  readonly seconds: number;
  /** US dollars, including tasks that still run. */
  readonly cost: number;
}

/** Speed of a batch. Values that are not known yet are absent. */
export interface BatchSpeed {
  /** Share of tasks that are done, from 0 to 1. */
  readonly share: number;
  /** Tasks that end per minute. */
  readonly perMinute?: number;
  readonly secondsLeft?: number;
}

export function speedOf({
  total,
  settled,
  ended,
  seconds,
}: Pick<BatchProgressFacts, 'total' | 'settled' | 'ended' | 'seconds'>): BatchSpeed {
  const share = total === 0 ? 1 : settled / total;
  if (ended === 0 || seconds === 0) return { share };
  const perSecond = ended / seconds;
  const open = total - settled;
  return { share, perMinute: perSecond * 60, ...(open > 0 && { secondsLeft: open / perSecond }) };
}

/**
 * Formats "[#####-----]  5/10  50%  2 running  12.0/min  $0.31  2m left  1 timeout". `width`: length of the bar; 0 for
 * none.
 */
export function progressLine(facts: BatchProgressFacts, width = 0): string {
  const { total, settled, running, cost } = facts;
  const { share, perMinute, secondsLeft } = speedOf(facts);
  const parts = [
    ...(width > 0 ? [barOf(share, width)] : []),
    `${settled}/${total}`,
    `${Math.floor(share * 100)}%`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(perMinute === undefined ? [] : [`${perMinute.toFixed(1)}/min`]),
    costWords(cost),
    ...(secondsLeft === undefined ? [] : [`${duration(secondsLeft)} left`]),
    ...failuresIn(facts.sums),
  ];
  return parts.filter((part) => part !== '').join('  ');
}

function barOf(share: number, width: number): string {
  const full = Math.floor(share * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]`;
}

/** Failure counts such as "2 timeout" and "1 crashed", in alphabetical order. */
export const failuresIn = ({ statuses }: BatchSums): string[] =>
  [...statuses]
    .filter(([status]) => status !== 'done')
    .sort()
    .map(([status, count]) => `${count} ${status}`);

/** Formats a duration as "45s", "3m" or "2h 5m". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
