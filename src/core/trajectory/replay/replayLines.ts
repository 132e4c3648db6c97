import type { ReplayedAction } from './replay';

/** Number of actions per verdict, including those of child sessions. */
export type ReplayCounts = Readonly<Record<ReplayedAction['verdict'], number>>;

/** State of the folder at the start of the replay, compared with the run's. */
export interface ReplayStart {
  /** Commit that was checked out in the copy. */
  readonly commit?: string;
  readonly restored: readonly string[];
  readonly leftOut: readonly string[];
  /** Remaining differences, in words. */
  readonly differs: readonly string[];
}

/** Counts the verdicts on actions, including those of child sessions. */
export function replayCounts(actions: readonly ReplayedAction[]): ReplayCounts {
  const counts = { same: 0, differs: 0, refused: 0, not_compared: 0 };
  for (const { verdict } of everyAction(actions)) counts[verdict]++;
  return counts;
}

const everyAction = (actions: readonly ReplayedAction[]): ReplayedAction[] =>
  actions.flatMap((action) => [action, ...(action.children ?? []).flatMap((child) => everyAction(child.actions))]);

const verdictWords = { same: 'same', differs: 'differs', refused: 'not run', not_compared: 'not compared' } as const;
const kindTitles = { outcome: 'Outcome', exit_code: 'End', output: 'Output', files: 'Files' } as const;
const maxNames = 12;

/** Formats a replay as lines for people: its start, one line per action with the differences below, and a total. */
export function replayLines(actions: readonly ReplayedAction[], start?: ReplayStart): string[] {
  const { same, differs, refused, not_compared } = replayCounts(actions);
  const count = same + differs + refused + not_compared;
  const sum = [
    `${same} the same`,
    `${differs} different`,
    refused > 0 && `${refused} not run, because they need approval`,
    not_compared > 0 && `${not_compared} not comparable`,
  ]
    .filter(Boolean)
    .join(', ');
  return [
    ...(start ? startLines(start) : []),
    ...actionLines(actions, ''),
    `${count} ${count === 1 ? 'action' : 'actions'}: ${same + differs + refused === 0 ? 'nothing could be compared' : sum}.`,
  ];
}

function actionLines(actions: readonly ReplayedAction[], indent: string): string[] {
  return actions.flatMap(({ step, summary, verdict, differences, why, children = [] }) => [
    `${indent}${String(step).padStart(4)}  ${verdictWords[verdict].padEnd(12)}  ${summary}${why === undefined ? '' : `  (${why})`}`,
    ...differences.flatMap(({ what, recorded, replayed }) => [
      `${indent}        ${kindTitles[what]} recorded: ${recorded}`,
      `${indent}        ${kindTitles[what]} now:      ${replayed}`,
    ]),
    ...children.flatMap((child) => [
      `${indent}        ${child.title || child.session}:`,
      ...actionLines(child.actions, `${indent}      `),
    ]),
  ]);
}

function putBackTo(commit: string, restored: readonly string[], leftOut: readonly string[]): string {
  const changed = [
    restored.length > 0 && `restored to their state then: ${someNames(restored)}`,
    leftOut.length > 0 && `created since then and not copied: ${someNames(leftOut)}`,
  ].filter(Boolean);
  const files = changed.length === 0 ? 'no file has changed since then' : changed.join('; ');
  return `The copy was reset to commit ${commit.slice(0, 10)}, where the run began: ${files}.`;
}

function startLines({ commit, restored, leftOut, differs }: ReplayStart): string[] {
  return [
    ...(commit === undefined ? [] : [putBackTo(commit, restored, leftOut)]),
    ...(differs.length === 0
      ? []
      : [
          'Changed since the run began:',
          ...differs.slice(0, maxNames).map((line) => `  ${line}`),
          ...(differs.length > maxNames ? [`  and ${differs.length - maxNames} more.`] : []),
        ]),
  ];
}

const someNames = (names: readonly string[]): string =>
  `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ` and ${names.length - maxNames} more` : ''}`;
