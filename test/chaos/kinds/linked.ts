import fs from 'node:fs';
import path from 'node:path';
import type { FaultKind } from '../kinds';
import { leftBehind, lostEvents, shownTwice, unreadable, wrongEffects } from '../laws';
import { brokenAfterRestart } from './killed';

/** Creates another name of the log as soon as the log exists. */
async function otherName(log: string, symbolic: boolean): Promise<string | undefined> {
  const other = path.join(path.dirname(log), `other-${path.basename(log)}`);
  for (let tries = 0; tries < 500 && !fs.existsSync(log); tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  if (!fs.existsSync(log)) return undefined;
  if (symbolic) fs.symlinkSync(log, other);
  else fs.linkSync(log, other);
  return other;
}

export const linked: FaultKind = {
  name: 'links',
  what: 'a second run of the same log by a symbolic or hard link, while the first works',
  async try(place) {
    const { chance } = place;
    const options = ['--sandbox', 'off'];
    const first = place.start({ options });
    const log = await otherName(place.log, chance.happens(0.5));
    const second = log === undefined ? undefined : place.start({ task: 'Do it, too.', log, options, json: true });
    await first.ended;
    const refused = (await second?.ended)?.code;
    if (log !== undefined) fs.rmSync(log, { force: true });
    const broken = [
      ...place.runs.flatMap((run) => lostEvents(run, place.log)),
      ...shownTwice(place.runs),
      ...unreadable(place.log),
      ...wrongEffects(place),
      ...leftBehind(place),
      ...(await brokenAfterRestart(place, { options })),
    ];
    return { hit: refused === 1, broken };
  },
};
