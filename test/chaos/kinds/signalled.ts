import type { FaultKind } from '../kinds';
import { leftBehind, lostEvents, unreadable } from '../laws';
import { brokenAfterRestart, sandboxed, signalledRun } from './killed';

/**
 * Returns whether a program that was asked to exit may end like this: it had already ended, stopped cleanly, or had not
 * installed its signal handler yet.
 */
const mayEndWith = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  code === 0 || code === 130 || signal !== null;

export const signalled: FaultKind = {
  name: 'signal',
  what: 'SIGTERM, SIGHUP or SIGINT at a random moment, then another start',
  async try(place) {
    const options = sandboxed(place);
    const signal = place.chance.oneOf(['SIGTERM', 'SIGHUP', 'SIGINT'] as const);
    const run = await signalledRun(place, signal, { json: place.chance.happens(0.7), options });
    const end = await run.ended;
    const inOrder = end.signal === null;
    const broken = [
      ...(mayEndWith(end.code, end.signal)
        ? []
        : [`${signal} ended it with ${end.code}: ${run.stderr().trim().slice(0, 300)}`]),
      ...(inOrder ? [...lostEvents(run, place.log), ...unreadable(place.log), ...leftBehind(place)] : []),
      ...(await brokenAfterRestart(place, { options })),
    ];
    return { hit: end.code !== 0, broken };
  },
};
