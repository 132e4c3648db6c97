import {
  hasOnlyCommits,
  listWorktrees,
  removeWorktree,
  sweepWorktrees,
  changesToBringBack,
  type KnownWorktree,
} from '../../adapters/sessions/worktrees';
import { secrets } from '../../core/secrets/secrets';
import { shownName } from '../../core/text/shownName';
import { isAttended, Questions } from '../consent/ask';
import { stdout } from '../output/output';
import type { ExitCode } from '../output/exitCodes';
import { printMasked, printMaskedToStderr } from '../output/masked';
import { changedFileCount } from '../../core/text/amounts';

/** Flags of `waymark worktrees`. `remove`: ids of worktrees. `agree`: also changes that were not brought back. */
export interface WorktreesOptions {
  readonly remove?: readonly string[];
  readonly clean?: boolean;
  readonly agree?: boolean;
  readonly json?: boolean;
}

const done = 0;
const exitNotDone = 1;
const needsConsent = 3;

/** A worktree with the number of changed files in it; null if that is unknown. */
interface Listed extends KnownWorktree {
  readonly waiting: number | null;
  /** True if it contains nothing but commits that exist nowhere else. */
  readonly hasOnlyCommits: boolean;
}

/** Lists or removes worktrees of runs. Resolves to the exit code. */
export async function worktrees({ remove = [], clean, agree, json }: WorktreesOptions): Promise<ExitCode<'worktrees'>> {
  const swept = await sweepWorktrees();
  const listed: Listed[] = [];
  for (const each of listWorktrees()) {
    const waiting = (await changesToBringBack(each))?.length ?? null;
    listed.push({ ...each, waiting, hasOnlyCommits: waiting === 0 && (await hasOnlyCommits(each)) });
  }
  const idle = listed.filter((each) => !each.isInUse && each.waiting === 0 && !each.hasOnlyCommits);
  const unknown = remove.find((id) => !listed.some((each) => each.id === id));
  if (unknown !== undefined) {
    printMaskedToStderr(`There is no worktree ${unknown}. "waymark worktrees" lists them.`);
    return exitNotDone;
  }
  const chosen = clean ? idle : listed.filter(({ id }) => remove.includes(id));
  const removed: string[] = [];
  for (const each of chosen) {
    const code = await mayGo(each, agree ?? false);
    if (code !== done) return code;
    removeWorktree(each.id);
    removed.push(each.id);
  }
  const left = listed.filter(({ id }) => !removed.includes(id));
  if (json) {
    const report = left.map(({ id, session, log, task, of, root, isInUse, waiting, group }) => {
      const state = isInUse ? 'in_use' : 'idle';
      return { id, session, log, task, of, root, state, waiting, ...(group !== undefined && { group }) };
    });
    stdout.write(`${secrets.mask(JSON.stringify({ worktrees: report, removed: [...swept, ...removed] }))}\n`);
    return done;
  }
  for (const id of removed) printMasked(`removed  ${id}`);
  if (remove.length > 0 || clean) return done;
  if (left.length === 0) printMasked('There are no worktrees. "waymark run --worktree" creates one.');
  for (const each of left) printMasked(lineOf(each));
  return done;
}

async function mayGo(worktree: Listed, isAgreed: boolean): Promise<ExitCode<'worktrees'>> {
  const { id, isInUse, root } = worktree;
  if (isInUse) {
    printMaskedToStderr(`A run is working in ${id}. Stop it first.`);
    return exitNotDone;
  }
  const what = wouldBeLost(worktree);
  if (what === undefined || isAgreed) return done;
  const question = `${root} contains ${what} not brought back. Remove it anyway?`;
  if (isAttended() && (await new Questions().agrees(question))) return done;
  printMaskedToStderr(`${id} contains ${what} not brought back, so it was not removed. --agree removes it anyway.`);
  return needsConsent;
}

function wouldBeLost({ waiting, hasOnlyCommits: hasCommits }: Listed): string | undefined {
  if (waiting === null) return 'unknown changes';
  if (hasCommits) return 'commits';
  return waiting === 0 ? undefined : changedFileCount(waiting);
}

function lineOf({ id, isInUse, waiting, hasOnlyCommits: hasCommits, task, of, group }: Listed): string {
  const state = isInUse ? 'in use' : 'idle';
  const toBringBack = hasCommits ? 'only commits' : `${changedFileCount(waiting ?? 0)} to bring back`;
  const changes = waiting === null ? 'changes unknown' : toBringBack;
  const candidate = group === undefined ? '' : `, a candidate of ${shownName(group)}`;
  return `${id}  ${state}, ${changes}${candidate}  ${shownName(task)}  (${shownName(of)})`;
}
