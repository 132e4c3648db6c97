import {
  listWorktrees,
  removeWorktree,
  sweepWorktrees,
  waitingIn,
  type KnownWorktree,
} from '../../adapters/sessions/worktrees';
import { secrets } from '../../core/secrets/secrets';
import { shownName } from '../../core/text/shownName';
import { Questions } from '../consent/ask';
import { stdout } from '../output/output';
import type { ExitCode } from '../output/exitCodes';
import { printMasked, sayMasked } from '../output/masked';

export interface WorktreesOptions {
  readonly remove?: readonly string[];
  readonly clean?: boolean;
  readonly agree?: boolean;
  readonly json?: boolean;
}

const done = 0;
const notDone = 1;
const needsConsent = 3;

/** A worktree with the number of changed files in it; null if that is unknown. */
interface Listed extends KnownWorktree {
  readonly waiting: number | null;
}

/** Lists or removes worktrees of runs. Resolves to the exit code. */
export async function worktrees({ remove = [], clean, agree, json }: WorktreesOptions): Promise<ExitCode<'worktrees'>> {
  const swept = await sweepWorktrees();
  const known: Listed[] = [];
  for (const each of listWorktrees()) known.push({ ...each, waiting: (await waitingIn(each))?.length ?? null });
  const idle = known.filter(({ isInUse, waiting }) => !isInUse && waiting === 0);
  const unknown = remove.find((id) => !known.some((each) => each.id === id));
  if (unknown !== undefined) {
    sayMasked(`There is no worktree ${unknown}. "waymark worktrees" lists them.`);
    return notDone;
  }
  const chosen = clean ? idle : known.filter(({ id }) => remove.includes(id));
  const removed: string[] = [];
  for (const each of chosen) {
    const code = await mayGo(each, agree ?? false);
    if (code !== done) return code;
    removeWorktree(each.id);
    removed.push(each.id);
  }
  const left = known.filter(({ id }) => !removed.includes(id));
  if (json) {
    const told = left.map(({ id, session, log, task, of, root, isInUse, waiting, group }) => {
      const state = isInUse ? 'in_use' : 'idle';
      return { id, session, log, task, of, root, state, waiting, ...(group !== undefined && { group }) };
    });
    stdout.write(`${secrets.mask(JSON.stringify({ worktrees: told, removed: [...swept, ...removed] }))}\n`);
    return done;
  }
  for (const id of removed) printMasked(`removed  ${id}`);
  if (remove.length > 0 || clean) return done;
  if (left.length === 0) printMasked('There are no worktrees. "waymark run --worktree" creates one.');
  for (const each of left) printMasked(lineOf(each));
  return done;
}

async function mayGo({ id, isInUse, waiting, root }: Listed, isAgreed: boolean): Promise<ExitCode<'worktrees'>> {
  if (isInUse) {
    sayMasked(`A run is working in ${id}. Stop it first.`);
    return notDone;
  }
  if (waiting === 0 || isAgreed) return done;
  const what = waiting === null ? 'unknown changes' : filesInWords(waiting);
  if (await new Questions().agrees(`${root} contains ${what} that were not brought back. Remove it anyway?`))
    return done;
  sayMasked(`${id} contains ${what} that were not brought back, so it was not removed. --agree removes it anyway.`);
  return needsConsent;
}

function lineOf({ id, isInUse, waiting, task, of, group }: Listed): string {
  const state = isInUse ? 'in use' : 'idle';
  const changes = waiting === null ? 'changes unknown' : `${filesInWords(waiting)} to bring back`;
  const candidate = group === undefined ? '' : `, a candidate of ${shownName(group)}`;
  return `${id}  ${state}, ${changes}${candidate}  ${shownName(task)}  (${shownName(of)})`;
}

const filesInWords = (count: number): string => (count === 1 ? '1 changed file' : `${count} changed files`);
