/**
 * ★ The meanings of the exit codes of each command. Command help, docs/reference/exit-codes.md and the types of the
 * commands are derived from this. After a change: `node scripts/tables.mjs`.
 */
export const exitCodes = {
  run: { 0: 'done', 1: 'failed', 2: 'limit reached', 3: 'approval needed', 130: 'interrupted' },
  'run --best-of': {
    0: 'a candidate was chosen',
    1: 'no candidate was chosen',
    3: 'no candidate was chosen, and at least one needs approval',
    130: 'stopped',
  },
  batch: { 0: 'all tasks done', 1: 'some tasks not done', 130: 'stopped' },
  eval: { 0: 'evaluation complete', 1: 'could not start', 130: 'stopped' },
  worker: { 0: 'ended normally', 1: 'could not start' },
  control: { 0: 'the run received it', 1: 'no run received it' },
  'check-model': { 0: 'the model answered', 1: 'the model did not answer', 130: 'interrupted' },
  assess: { 0: 'judged', 1: 'not judged' },
  sessions: { 0: 'shown', 1: 'not shown' },
  inspect: { 0: 'shown', 1: 'not shown' },
  export: { 0: 'written', 1: 'not written' },
  replay: {
    0: 'same results',
    1: 'different results',
    2: 'nothing could be compared',
    3: 'same results, except for actions that need approval',
    130: 'stopped',
  },
  changes: { 0: 'shown', 1: 'not shown' },
  undo: { 0: 'done', 1: 'nothing changed, for example because of a conflict', 3: 'approval needed' },
  apply: { 0: 'done', 1: 'nothing done, or only a part' },
  'bring-back': { 0: 'done', 1: 'nothing changed, for example because of a conflict' },
  worktrees: { 0: 'done', 1: 'failed', 3: 'changes would be lost; approval needed' },
  skills: { 0: 'shown', 1: 'not shown', 3: 'review still needed' },
  hooks: { 0: 'shown', 1: 'not shown', 3: 'review still needed' },
  mcp: { 0: 'listed or started', 1: 'failed', 3: 'not started; approval needed' },
} as const;

/** A command, with an option if that has exit codes of its own: "run", "run --best-of". */
export type CommandName = keyof typeof exitCodes;

/** The exit codes of a command. */
export type ExitCode<Name extends CommandName> = keyof (typeof exitCodes)[Name];

/** Returns the section about exit codes at the end of the help of a command. */
export function exitCodeWords(name: CommandName): string {
  const rows = Object.entries(exitCodes[name]).map(([code, words]) => `  ${code.padEnd(5)}${words}`);
  const option = name.split(' ')[1];
  return ['', `Exit codes${option === undefined ? '' : ` with ${option}`}:`, ...rows].join('\n');
}
