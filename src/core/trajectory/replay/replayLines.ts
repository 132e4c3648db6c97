import type { ReplayedAction } from './replay';

/** How many actions came to what. */
export type ReplayCounts = Readonly<Record<ReplayedAction['verdict'], number>>;

export function replayCounts(actions: readonly ReplayedAction[]): ReplayCounts {
  const counts = { same: 0, differs: 0, refused: 0, not_compared: 0 };
  for (const { verdict } of actions) counts[verdict]++;
  return counts;
}

const words = { same: 'same', differs: 'differs', refused: 'not run', not_compared: 'not compared' } as const;
const kinds = { outcome: 'Outcome', exit_code: 'End', output: 'Output', files: 'Files' } as const;

/** A replay as lines for a person: one for each action, the differences below, and a sum. */
export function replayLines(actions: readonly ReplayedAction[]): string[] {
  const { same, differs, refused, not_compared } = replayCounts(actions);
  const sum = [`${same} the same`, `${differs} different`, refused > 0 && `${refused} not run, because they need consent`, not_compared > 0 && `${not_compared} that cannot be compared`].filter(Boolean).join(', ');
  return [
    ...actions.flatMap(({ step, summary, verdict, differences, why }) => [
      `${String(step).padStart(4)}  ${words[verdict].padEnd(12)}  ${summary}${why === undefined ? '' : `  (${why})`}`,
      ...differences.flatMap(({ what, recorded, replayed }) => [`        ${kinds[what]} recorded: ${recorded}`, `        ${kinds[what]} now:      ${replayed}`]),
    ]),
    `${actions.length} ${actions.length === 1 ? 'action' : 'actions'}: ${sum}.`,
  ];
}
