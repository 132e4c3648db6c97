import vm from 'node:vm';
import { TookTooLong, type CutOff } from '../../core/ports/cutOff';

/**
 * Shorter texts are not watched: watching costs 0.2 ms, as much as judging them. A command may expand to a longer text,
 * up to a limit of its own (`maxExpandedCharacters`): of 1,678 short commands that reach that limit, the slowest took 1.4 s.
 */
const minWatchedLength = 300;
const timeoutMs = 5000;
/** How long a text that timed out is refused at once: otherwise each analyzer would wait for it again. */
const refusedMs = 60_000;

const name = '__waymarkWork';
const script = new vm.Script(`globalThis.${name}()`);
const place = globalThis as { [name]?: (() => unknown) | undefined };

/** Stops work that blocks its thread for more than `limitMs`, by default five seconds. */
export function slowWorkCutOff(limitMs = timeoutMs): CutOff {
  let slow: { readonly text: string; readonly until: number } | undefined;
  return (text, work) => {
    if (text.length < minWatchedLength) return work();
    if (slow?.text === text && performance.now() < slow.until) throw new TookTooLong(limitMs / 1000);
    try {
      return runFor(limitMs, work);
    } catch (error) {
      if (error instanceof TookTooLong) slow = { text, until: performance.now() + refusedMs };
      throw error;
    }
  };
}

/**
 * The engine interrupts a script after a time limit, even in the middle of a regular expression. A timer cannot, since
 * it waits for the same thread.
 */
function runFor<Answer>(milliseconds: number, work: () => Answer): Answer {
  const outer = place[name];
  place[name] = work;
  try {
    return script.runInThisContext({ timeout: milliseconds }) as Answer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new TookTooLong(milliseconds / 1000);
  } finally {
    place[name] = outer;
  }
}
