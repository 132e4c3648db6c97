import type { HostileText } from './readers/hostileTexts';
import type { Reader } from './readers/readers';
import { cutOff, fineClock, spentMs } from './growth';

/** A reader that is slow on such a short text has no practical time limit. */
const probe = { length: 1000, hopelessMs: 1000 };
/** Length for the first attempt. It takes a few milliseconds, so that all texts can be tried. */
const usualLength = 16_000;
/** A stack that overflows at any nesting depth overflows at this one. */
const deepLength = 64_000;
/** Up to this length a reader is only checked for being fast, not for its growth. */
const longest = 1_000_000;
/** Clocks of CPU time may tick every ten milliseconds: only much longer times are compared for the verdict. */
const usuallyMeasurableMs = 80;
/** Maximum acceptable time for the shortest text. */
const hopelessMs = 4000;

/** An error message is a valid answer. */
async function readOnce(reader: Reader, text: string): Promise<void> {
  try {
    await reader.read(text);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw error;
  }
}

interface Measuring {
  readonly runs: number;
  /** A run that takes at most this many ms decides: another run could only lower the time. */
  readonly enough?: number;
  readonly clock?: () => number;
}

/**
 * Time that the reader takes for a text of this length, in ms of CPU by default. It is the minimum of several runs,
 * because other load may disturb some of them.
 */
async function cost(
  reader: Reader,
  text: HostileText,
  length: number,
  { runs, enough = 0, clock = spentMs }: Measuring,
): Promise<number> {
  const written = text.write(length).slice(0, reader.most);
  let least = Infinity;
  for (let done = 0; done < runs && least > enough; done++) {
    const before = clock();
    // Work that never ends is interrupted, as far as it is synchronous.
    const read = cutOff(() => readOnce(reader, written));
    if (read === undefined) return Infinity;
    await read;
    least = Math.min(least, clock() - before);
  }
  return least;
}

/** A first measurement with a precise clock. On a busy machine it may be too high, but never too low. */
const glance = (reader: Reader, text: HostileText, length: number, enough?: number): Promise<number> =>
  cost(reader, text, length, { runs: 3, clock: fineClock, ...(enough !== undefined && { enough }) });

/** Time that needs no closer look: with quadratic growth, 2 ms for 16,000 characters would be 8 s for a million. */
const harmlessMs = (length: number): number => length / 8000;
/** Time that nobody notices if the text cannot be longer. */
const unnoticedMs = 250;

/**
 * Returns why a reader is too slow for a text, or undefined if it is not. Four times the text may take four times the
 * CPU time, and somewhat more if memory is short, but not ten times. A stack overflow counts as too slow.
 * `long`: additional length at which to test. `measurableMs`: shorter times are not compared; a lower value is enough
 * if the reader is known to be slow.
 */
export async function slowness(
  reader: Reader,
  text: HostileText,
  long?: number,
  measurableMs = usuallyMeasurableMs,
): Promise<string | undefined> {
  const slow = `${reader.name} is slow on ${text.name}`;
  try {
    if ((await glance(reader, text, probe.length, probe.hopelessMs)) > probe.hopelessMs) return slow;
    if (await isSuspicious(reader, text, Math.min(usualLength, reader.most ?? Infinity)))
      if (await growsTooFast(reader, text, measurableMs)) return slow;
    if (text.nests) await readOnce(reader, text.write(deepLength).slice(0, reader.most));
    if (long === undefined || reader.most !== undefined) return undefined;
    // A reader that refuses texts above a limit is slowest for a text just below that.
    for (const length of [long / 8, long]) {
      const harmless = length / 1000;
      if ((await glance(reader, text, length, harmless)) <= harmless) continue;
      if (await growsTooFast(reader, text, measurableMs)) return slow;
    }
  } catch (error) {
    return `${reader.name} breaks on ${text.name}: ${(error as Error).message.slice(0, 200)}`;
  }
  return undefined;
}

/**
 * Returns whether a reader needs a closer look: four times the text takes clearly more than four times as long, twice
 * in a row. On a busy machine there are false positives, but no false negatives.
 */
async function isSuspicious(reader: Reader, text: HostileText, length: number): Promise<boolean> {
  const harmless = reader.most === undefined ? harmlessMs(length) : unnoticedMs;
  const once = await glance(reader, text, length, harmless);
  if (once <= harmless) return false;
  const quarter = await glance(reader, text, length / 4);
  if (once <= quarter * 4.8) return false;
  if (reader.most !== undefined) return true;
  const four = await glance(reader, text, length * 4, once * 6);
  return four > once * 6;
}

/**
 * Compares the reader with itself, so that the speed of the machine does not matter: quadratic growth takes sixteen
 * times as long for four times the text. Suspicious results are measured again, and only consistent ones count.
 */
async function growsTooFast(reader: Reader, text: HostileText, measurableMs: number): Promise<boolean> {
  const end = (reader.most ?? longest) / 4;
  let isCompared = false;
  for (let length = 2000; length <= end; length *= isCompared ? 4 : 2) {
    const once = await cost(reader, text, length, { runs: 2, enough: measurableMs });
    // If time was proportional up to this length, it is long only because the text is long.
    if (once > hopelessMs) return !isCompared;
    if (once < measurableMs) continue;
    if (await isSlowEachTime(reader, text, length)) return true;
    // Longer texts may still be slow, if other work dominates at this length.
    isCompared = true;
  }
  return false;
}

async function isSlowEachTime(reader: Reader, text: HostileText, length: number): Promise<boolean> {
  for (let again = 0; again < 3; again++) {
    const short = await cost(reader, text, length, { runs: 2 });
    const long = await cost(reader, text, length * 4, { runs: 2, enough: short * 10 });
    if (long <= short * 10) return false;
  }
  return true;
}
