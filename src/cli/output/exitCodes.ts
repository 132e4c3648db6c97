/**
 * ★ The meanings of the exit codes of each command. Command help, docs/reference/exit-codes.md and the types of the
 * commands are derived from this. After a change: `node scripts/tables.mjs`.
 */
export const exitCodes = {
  run: { 0: 'done', 1: 'failed', 2: 'limit reached', 3: 'consent needed', 130: 'interrupted' },
  'run --best-of': {
    0: 'one candidate won',
    1: 'none won',
    3: 'none won and at least one needs consent',
    130: 'stopped',
  },
  batch: { 0: 'every task is done', 1: 'some are not', 130: 'stopped' },
  eval: { 0: 'the evaluation is complete', 1: 'it could not begin', 130: 'stopped' },
  worker: { 0: 'it ended in order', 1: 'it could not begin' },
  control: { 0: 'the run heard it', 1: 'no run did' },
  'check-model': { 0: 'the model answers', 1: 'it does not', 130: 'interrupted' },
  assess: { 0: 'judged', 1: 'not' },
  inspect: { 0: 'shown', 1: 'not' },
  export: { 0: 'written', 1: 'not' },
  replay: { 0: 'the same', 1: 'different', 3: 'the same but for what needs consent', 130: 'stopped' },
  changes: { 0: 'shown', 1: 'not' },
  undo: { 0: 'done', 1: 'conflict or damage and nothing changed', 3: 'consent needed' },
  apply: { 0: 'done', 1: 'nothing was done or only a part' },
  'bring-back': { 0: 'done', 1: 'conflict or damage and nothing changed' },
  worktrees: { 0: 'done', 1: 'not', 3: 'changes would be lost and nobody agreed' },
  skills: { 0: 'shown', 1: 'not', 3: 'what was to be reviewed still waits' },
  hooks: { 0: 'shown', 1: 'not', 3: 'what was to be reviewed still waits' },
  mcp: { 0: 'listed or started', 1: 'not', 3: 'not started because nobody agreed to it' },
} as const;

type CommandName = keyof typeof exitCodes;

/** The exit codes of a command. */
export type ExitCode<Name extends CommandName> = keyof (typeof exitCodes)[Name];

/** Returns a sentence about exit codes for the help of a command. */
export function exitCodeWords(name: CommandName): string {
  const meanings = Object.entries(exitCodes[name]).map(([code, words]) => `${code} ${words}`);
  return `Exit code: ${meanings.join(', ')}.`;
}
