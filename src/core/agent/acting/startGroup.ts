import type { ResolvedAction } from './resolvedAction';

/**
 * Maximum number of actions that run in parallel, so that a reply with forty calls does not open forty files, processes
 * or sessions at once.
 */
const maxParallelActions = 8;

/**
 * Starts every action of a group as soon as there is a free slot and earlier actions that touch the same files are
 * done. An action is done when it has ended, or has called `done` because the rest of it touches nothing. Results keep
 * the order of the calls.
 */
export function startGroup<Result>(
  group: readonly ResolvedAction[],
  run: (resolved: ResolvedAction, done: () => void) => Promise<Result>,
): Promise<Result>[] {
  const started: { uses: Uses; over: Promise<void> }[] = [];
  const within = limiter(maxParallelActions);
  return group.map((resolved) => {
    const uses = usesOf(resolved);
    const before = started.filter((other) => collide(other.uses, uses)).map(({ over }) => over);
    let done = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      done = resolve;
    });
    const result =
      before.length === 0
        ? within(() => run(resolved, done))
        : Promise.all(before).then(() => within(() => run(resolved, done)));
    result.then(done, done);
    started.push({ uses, over });
    return result;
  });
}

/** Limits concurrency to `free` slots. Waiting work starts in order of arrival. */
function limiter(free: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // A freed slot goes to whoever waits longest.
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** Files an action touches. `everything`: any file, because a command may touch all of them. */
interface Uses {
  readonly everything: boolean;
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

const nothing: Uses = { everything: false, reads: new Set(), writes: new Set() };

function usesOf({ action: { effect }, call }: ResolvedAction): Uses {
  if (!call) return nothing;
  const { touches, findTouches } = call;
  const { reads = [], writes = [] } = touches;
  const mayBeAnything = effect === 'executes' || findTouches !== undefined;
  return {
    everything: mayBeAnything,
    reads: new Set(reads.map(normalizePath)),
    writes: new Set(writes.map(normalizePath)),
  };
}

const normalizePath = (path: string): string => path.replace(/\/+/g, '/').replace(/^(\.\/)+/, '');

function collide(a: Uses, b: Uses): boolean {
  if (a.everything && b.everything) return true;
  if (a.everything || b.everything) return [...a.writes, ...b.writes].length > 0;
  const haveCommon = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
    [...left].some((path) => right.has(path));
  return haveCommon(a.writes, b.writes) || haveCommon(a.writes, b.reads) || haveCommon(a.reads, b.writes);
}
