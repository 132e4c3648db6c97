import type { HostileText } from './readers/hostileTexts';
import type { Reader } from './readers/readers';
import { cutOff, spentMs } from './growth';

/** Up to this length a reader may become slow unseen as long as it is fast. */
const longest = 1_000_000;
/** Clocks of CPU time may tick every ten milliseconds: only what takes much longer is compared. */
const measurableMs = 80;
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

/**
 * What the reader takes for a text of a length, in milliseconds of CPU: the least of a few
 * runs, since others may fall into one of them.
 */
async function cost(reader: Reader, text: HostileText, length: number, runs: number): Promise<number> {
  const written = text.write(length);
  let least = Infinity;
  for (let done = 0; done < runs; done++) {
    const before = spentMs();
    // What never ends is cut off as far as it runs in one piece.
    const read = cutOff(() => readOnce(reader, written));
    if (read === undefined) return Infinity;
    await read;
    least = Math.min(least, spentMs() - before);
  }
  return least;
}

/**
 * Why a reader cannot be trusted with a text, in words; undefined where it can. Four times the text may take four times
 * the CPU time, and some more where memory is short, but not ten times; a stack that overflows is as bad.
 */
export async function slowness(
  reader: Reader,
  text: HostileText,
  lengths: readonly number[],
): Promise<string | undefined> {
  try {
    for (const length of lengths) {
      // 8 ms for 32,000 characters would be 8 seconds for a million, if it grew with the square.
      const harmlessMs = length / 4000;
      if ((await cost(reader, text, length, 1)) <= harmlessMs) continue;
      if ((await cost(reader, text, length, 2)) <= harmlessMs) continue;
      if (await growsTooFast(reader, text)) return `${reader.name} is slow on ${text.name}`;
      return undefined;
    }
  } catch (error) {
    return `${reader.name} breaks on ${text.name}: ${(error as Error).message.slice(0, 200)}`;
  }
  return undefined;
}

/**
 * The reader is compared with itself, so that a slow machine changes nothing: what grows with the square takes sixteen
 * times as long for four times the text. Measured again where it seems so: only what is slow each time is.
 */
async function growsTooFast(reader: Reader, text: HostileText): Promise<boolean> {
  for (let length = 2000; length <= longest; length *= 2) {
    const once = await cost(reader, text, length, 2);
    if (once > hopelessMs) return true;
    if (once < measurableMs) continue;
    for (let again = 0; again < 3; again++) {
      const short = await cost(reader, text, length, 2);
      const long = await cost(reader, text, length * 4, 2);
      if (long <= short * 10) return false;
    }
    return true;
  }
  return false;
}
