import type { BatchSums } from './statistics';

/** How far a batch came, for a line that a person reads. */
export interface BatchProgressFacts {
  readonly sums: BatchSums;
  /** Tasks that are wanted. */
  readonly total: number;
  /** Those of them that are done, also those of earlier runs. */
  readonly settled: number;
  readonly running: number;
  /** Tasks that ended since this run of the batch began. */
  readonly ended: number;
  /** Since this run of the batch began. */
  readonly seconds: number;
  /** US dollars, also of tasks that still run. */
  readonly cost: number;
}

/** "[#####-----]  5/10  50%  2 running  12.0/min  $0.31  2m left  1 timeout". `width`: of the bar; none when 0. */
export function progressLine(facts: BatchProgressFacts, width = 0): string {
  const { total, settled, running, ended, seconds, cost } = facts;
  const share = total === 0 ? 1 : settled / total;
  const rate = ended === 0 || seconds === 0 ? undefined : ended / seconds;
  const left = rate === undefined || settled === total ? undefined : (total - settled) / rate;
  const parts = [
    ...(width > 0 ? [barOf(share, width)] : []),
    `${settled}/${total}`,
    `${Math.floor(share * 100)}%`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(rate === undefined ? [] : [`${(rate * 60).toFixed(1)}/min`]),
    `$${cost.toFixed(2)}`,
    ...(left === undefined ? [] : [`${duration(left)} left`]),
    ...failuresIn(facts.sums),
  ];
  return parts.join('  ');
}

function barOf(share: number, width: number): string {
  const full = Math.floor(share * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]`;
}

/** "2 timeout", "1 crashed", in the order of the alphabet. */
export const failuresIn = ({ statuses }: BatchSums): string[] =>
  [...statuses]
    .filter(([status]) => status !== 'done')
    .sort()
    .map(([status, count]) => `${count} ${status}`);

/** "45s", "3m", "2h 5m". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
