import type { HostileText } from './readers/hostileTexts';
import type { Reader } from './readers/readers';
import { cutOff, fineClock, spentMs } from './growth';

/** Whoever is slow on so short a text takes a time without any limit. */
const probe = { length: 1000, hopelessMs: 1000 };
/** What is tried first: it takes a few milliseconds, so that all texts can be tried. */
const usualLength = 16_000;
/** A stack that is too small for any nesting is too small for this one. */
const deepLength = 64_000;
/** Up to this length a reader may become slow unseen as long as it is fast. */
const longest = 1_000_000;
/** Clocks of CPU time may tick every ten milliseconds: only what takes much longer is compared for the verdict. */
const usuallyMeasurableMs = 80;
/** Nobody waits longer than this for the shortest text. */
const hopelessMs = 4000;

/** A refusal in words is an answer. */
async function readOnce(reader: Reader, text: string): Promise<void> {
  try {
    await reader.read(text);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw error;
  }
}

interface Measuring {
  readonly runs: number;
  /** Less is not looked for. Milliseconds. */
  readonly enough?: number;
  readonly clock?: () => number;
}

/**
 * What the reader takes for a text of a length, in milliseconds of CPU where nothing else is said: the least of a few
 * runs, since others may fall into one of them.
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
    // What never ends is cut off as far as it runs in one piece.
    const read = cutOff(() => readOnce(reader, written));
    if (read === undefined) return Infinity;
    await read;
    least = Math.min(least, clock() - before);
  }
  return least;
}

/** A first measurement, by a fine clock: on a busy machine it may be too long, and never too short. */
const glance = (reader: Reader, text: HostileText, length: number, enough?: number): Promise<number> =>
  cost(reader, text, length, { runs: 3, clock: fineClock, ...(enough !== undefined && { enough }) });

/** What a text may take without a second look: 2 ms for 16,000 characters would be 8 s for a million, by the square. */
const harmlessMs = (length: number): number => length / 8000;
/** What nobody notices where the text can never be longer. */
const unnoticedMs = 250;

/**
 * Why a reader cannot be trusted with a text, in words; undefined where it can. Four times the text may take four times
 * the CPU time, and some more where memory is short, but not ten times; a stack that overflows is as bad.
 * `long`: the text is tried at that length, too. `measurableMs`: shorter times are not compared; where it is known that
 * the reader is slow, less will do.
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
    // Who gives up where there is too much to read takes longest for a text that is somewhat shorter.
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
 * Whether a reader needs a closer look: four times the text takes clearly more than four times as long, twice over. A
 * busy machine makes this say yes too often, never no.
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
 * The reader is compared with itself, so that a slow machine changes nothing: what grows with the square takes sixteen
 * times as long for four times the text. Measured again where it seems so: only what is slow each time is.
 */
async function growsTooFast(reader: Reader, text: HostileText, measurableMs: number): Promise<boolean> {
  const end = (reader.most ?? longest) / 4;
  let isCompared = false;
  for (let length = 2000; length <= end; length *= isCompared ? 4 : 2) {
    const once = await cost(reader, text, length, { runs: 2 });
    // Who took time in proportion up to here takes so long because the text is long.
    if (once > hopelessMs) return !isCompared;
    if (once < measurableMs) continue;
    if (await isSlowEachTime(reader, text, length)) return true;
    // It may be slow on longer ones, where other work is small beside what grows.
    isCompared = true;
  }
  return false;
}

async function isSlowEachTime(reader: Reader, text: HostileText, length: number): Promise<boolean> {
  for (let again = 0; again < 3; again++) {
    const short = await cost(reader, text, length, { runs: 2 });
    const long = await cost(reader, text, length * 4, { runs: 2 });
    if (long <= short * 10) return false;
  }
  return true;
}
