import type { FaultKind } from '../kinds';
import { leftBehind, lostEvents, shownTwice, unreadable, wrongEffects } from '../laws';
import type { Place, ShownRun, StartOptions } from '../place';
import { processesThatStay } from '../processes';

/** Half of all runs use the sandbox, if there is one. */
export const sandboxed = (place: Place): string[] => ['--sandbox', place.chance.happens(0.5) ? 'auto' : 'off'];

/**
 * Starts a run and sends it a signal at a random moment: immediately after a line of output, some milliseconds later,
 * or some time after the start. The run may end before that.
 */
export async function signalledRun(place: Place, signal: NodeJS.Signals, given: StartOptions): Promise<ShownRun> {
  const { chance } = place;
  const lines = 1 + chance.below(24);
  const later = chance.happens(0.5) ? 0 : chance.below(12);
  let shown = 0;
  let sent = false;
  const send = (): void => {
    // Send it only once: a second SIGINT or SIGTERM means an immediate, unclean exit.
    if (!sent) run.child.kill(signal);
    sent = true;
  };
  const onLine = (): void => {
    if (++shown !== lines) return;
    if (later === 0) send();
    else setTimeout(send, later);
  };
  const byTime = chance.happens(0.3) ? setTimeout(send, 200 + chance.below(1500)) : undefined;
  const run = place.start({ ...given, onLine });
  await run.ended;
  clearTimeout(byTime);
  return run;
}

/** Returns all violated rules after a program died and the user started it again. */
export async function brokenAfterRestart(place: Place, given: StartOptions): Promise<string[]> {
  const died = place.runs.at(-1)!;
  const lost = [...lostEvents(died, place.log), ...unreadable(place.log)];
  const code = await place.startAgain({ ...given, json: true });
  const again = place.runs.at(-1)!;
  const stay = await processesThatStay(place.root);
  return [
    ...lost,
    ...(code === 0 ? [] : [`the next start ended with ${code}: ${again.stderr().trim().slice(0, 300)}`]),
    ...lostEvents(again, place.log),
    ...unreadable(place.log),
    ...shownTwice(place.runs),
    ...wrongEffects(place),
    ...leftBehind(place),
    ...stay.map(({ pid, command }) => `left behind still at work: process ${pid}: ${command}`),
  ];
}

export const killed: FaultKind = {
  name: 'kill',
  what: 'SIGKILL at a random moment, then another start',
  async try(place) {
    const options = sandboxed(place);
    const run = await signalledRun(place, 'SIGKILL', { json: place.chance.happens(0.7), options });
    const { signal } = await run.ended;
    return { hit: signal === 'SIGKILL', broken: await brokenAfterRestart(place, { options }) };
  },
};
