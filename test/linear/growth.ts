import vm from 'node:vm';

/** Measures CPU time instead of elapsed time, so that other programs on the machine do not matter. */
export function spentMs(): number {
  const given = process as typeof process & { threadCpuUsage?: () => NodeJS.CpuUsage };
  const { user, system } = given.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

let isFine: boolean | undefined;

/** CPU time if its clock can measure a millisecond, otherwise elapsed time. */
export const fineClock = (): number => ((isFine ??= ticksFinely()) ? spentMs() : performance.now());

function ticksFinely(): boolean {
  const seen = new Set<number>();
  for (const end = performance.now() + 5; performance.now() < end;) seen.add(spentMs());
  return seen.size > 5;
}

/** Minimum CPU milliseconds of several calls, because garbage collection and compilation disturb some of them. */
export function leastCpu(work: () => unknown, runs = 2): number {
  let least = Infinity;
  for (let done = 0; done < runs; done++) {
    const before = spentMs();
    work();
    least = Math.min(least, spentMs() - before);
  }
  return least;
}

/**
 * Minimum elapsed time of several calls. It is more precise than CPU time and never too low, so it shows what needs no
 * closer look.
 */
export function leastTime(work: () => unknown, runs = 2): number {
  let least = Infinity;
  for (let done = 0; done < runs; done++) {
    const before = performance.now();
    work();
    least = Math.min(least, performance.now() - before);
  }
  return least;
}

/** Clocks of CPU time may tick every ten milliseconds: only much longer times are compared. */
const usuallyMeasurableMs = 80;

/**
 * Returns whether work grows faster than linearly with its size. The size is doubled until the work is measurable or
 * `most` is reached, and then once more. Twice the cost is linear; three times is not, if repeatable: on a busy machine
 * the same work sometimes takes a multiple of the CPU time. If the work is known to be slow, a shorter time can be
 * compared.
 */
export function growsTooFast(
  work: (size: number) => () => unknown,
  from: number,
  most: number,
  measurableMs = usuallyMeasurableMs,
): boolean {
  for (let size = from; size <= most; size *= 2) {
    if (leastCpu(work(size)) < measurableMs) continue;
    return [1, 2, 3].every(() => leastCpu(work(size * 2)) > leastCpu(work(size)) * 3);
  }
  return false;
}

/** Time after which work is interrupted because it might never end. */
const cutOffMs = 120_000;
const script = new vm.Script('globalThis.__waymarkMeasured()');

/**
 * Returns the result of the work, or undefined if it had to be interrupted, even in the middle of a regular expression.
 */
export function cutOff<Answer>(work: () => Answer): Answer | undefined {
  (globalThis as { __waymarkMeasured?: () => Answer }).__waymarkMeasured = work;
  try {
    return script.runInThisContext({ timeout: cutOffMs }) as Answer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
