import vm from 'node:vm';

/** CPU time is counted, not time: other programs on the machine change nothing. */
export function spentMs(): number {
  const given = process as typeof process & { threadCpuUsage?: () => NodeJS.CpuUsage };
  const { user, system } = given.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
}

let isFine: boolean | undefined;

/** CPU time where its clock is fine enough to measure a millisecond, else the time. */
export const fineClock = (): number => ((isFine ??= ticksFinely()) ? spentMs() : performance.now());

function ticksFinely(): boolean {
  const seen = new Set<number>();
  for (const end = performance.now() + 5; performance.now() < end;) seen.add(spentMs());
  return seen.size > 5;
}

/** The least CPU milliseconds of a few calls, since garbage collection and compilation fall into one of them. */
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
 * The least time of a few calls. It is finer than CPU time and never too small, so
 * that it tells what needs no second look.
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

/** Clocks of CPU time may tick every ten milliseconds: only what takes much longer is compared. */
const usuallyMeasurableMs = 80;

/**
 * Whether work costs more than in proportion to its size. The size is doubled until the work can be measured or `most`
 * is reached, and then once more: twice the cost is in proportion, three times is not, if it is so each time: on a busy
 * machine the same work now and then takes a multiple of the CPU time. Where it is known that the work is slow, a
 * shorter time than the usual one can be compared.
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

/** After so long work is cut off: it would take for ever. */
const cutOffMs = 120_000;
const script = new vm.Script('globalThis.__waymarkMeasured()');

/** What the work answers; undefined where it had to be cut off, also in the middle of a regular expression. */
export function cutOff<Answer>(work: () => Answer): Answer | undefined {
  (globalThis as { __waymarkMeasured?: () => Answer }).__waymarkMeasured = work;
  try {
    return script.runInThisContext({ timeout: cutOffMs }) as Answer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
