import type { Hold } from '../../core/ports/terminal';
import { processEntry } from '../processes/processTree';
import { freezeTree, type FrozenTree } from './frozenTree';
import { isWithin } from '../storage/diskPaths';

/** A sandbox with a running shell. */
interface AtWork {
  /** Absolute folders that it can write. */
  readonly folders: readonly string[];
  /** Its outermost process, with its start time because process ids are reused. */
  readonly top: number;
  readonly started: number | undefined;
  /** See `Sandbox`. */
  readonly refusesCalls: boolean;
  /** Number of holds on it. */
  holds: number;
  frozen?: Promise<FrozenTree> | undefined;
  /** How long it was held before, in ms, and since when it is held. */
  heldMs: number;
  since?: number | undefined;
}

interface HeldSandboxes {
  readonly folders: readonly string[];
  readonly over: Promise<void>;
}
interface Starting {
  readonly folders: readonly string[];
  readonly over: Promise<unknown>;
}

const working = new Set<AtWork>();
const starting = new Set<Starting>();
const held = new Set<HeldSandboxes>();

/** Returns whether some of the folders overlap with the others. */
const overlap = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.some((other) => isWithin(other, one) || isWithin(one, other)));

/** Starts a sandbox that can write `folders`, once nobody holds the sandboxes that can write there. */
export async function startWhenFree<Started>(
  folders: readonly string[],
  start: () => Promise<Started>,
): Promise<Started> {
  for (let wait = heldAt(folders); wait; wait = heldAt(folders)) await wait;
  const over = start();
  const entry: Starting = {
    folders,
    over: over.catch(() => {
      /* reported to the caller that starts it */
    }),
  };
  starting.add(entry);
  try {
    return await over;
  } finally {
    starting.delete(entry);
  }
}

const heldAt = (folders: readonly string[]): Promise<void> | undefined =>
  [...held].find((hold) => overlap(hold.folders, folders))?.over;

/** Registers a running sandbox until `end` is called. `heldMs` returns how long it was held in total. */
export function atWork(
  folders: readonly string[],
  top: number,
  refusesCalls: boolean,
): { heldMs(): number; end(): void } {
  const entry: AtWork = { folders, top, started: processEntry(top)?.started, refusesCalls, holds: 0, heldMs: 0 };
  working.add(entry);
  return {
    heldMs: () => entry.heldMs + (entry.since === undefined ? 0 : performance.now() - entry.since),
    end: () => {
      working.delete(entry);
    },
  };
}

/**
 * Stops everything in every sandbox of this process that can write `folders`, until released, and lets none start there
 * meanwhile. Other sessions may work in the same folders. Rejects if something cannot be stopped.
 */
export async function holdSandboxes(folders: readonly string[]): Promise<Hold> {
  let over = (): void => undefined;
  const hold: HeldSandboxes = {
    folders,
    over: new Promise((resolve) => {
      over = resolve;
    }),
  };
  held.add(hold);
  const targets: AtWork[] = [];
  let released = false;
  const release = (): void => {
    if (released) return;
    released = true;
    for (const target of targets) letGo(target);
    held.delete(hold);
    over();
  };
  try {
    await Promise.all([...starting].filter((each) => overlap(each.folders, folders)).map((each) => each.over));
    targets.push(...[...working].filter((each) => overlap(each.folders, folders)));
    const frozen = await Promise.allSettled(targets.map(freeze));
    const failed = frozen.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return { release };
  } catch (problem) {
    release();
    throw problem;
  }
}

/** A sandbox with another hold is frozen already. */
function freeze(target: AtWork): Promise<FrozenTree> {
  if (target.holds++ === 0) {
    target.since = performance.now();
    const isThere = processEntry(target.top)?.started === target.started;
    target.frozen = isThere ? freezeTree(target.top, target.refusesCalls) : Promise.resolve({ thaw: () => undefined });
  }
  return target.frozen!;
}

function letGo(target: AtWork): void {
  if (--target.holds > 0) return;
  target.heldMs += performance.now() - target.since!;
  target.since = undefined;
  const { frozen } = target;
  target.frozen = undefined;
  void frozen?.then(
    (tree) => tree.thaw(),
    () => {
      /* already running */
    },
  );
}
