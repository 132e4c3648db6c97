import path from 'node:path';
import { smallDisk } from '../../faults/support/smallDisk';
import type { FaultKind } from '../kinds';
import { lostEvents, shownTwice, unreadable, wrongEffects } from '../laws';
import { brokenAfterRestart } from './killed';

/** Whether a disk can be mounted here; cached. */
let mountable: boolean | undefined;

function isMountable(): boolean {
  const tried = smallDisk();
  tried?.stop();
  return tried !== undefined;
}

export const fullDisk: FaultKind = {
  name: 'disk',
  what: 'the disk of the log fills and empties, twice; sometimes the program is killed meanwhile',
  missing: () => ((mountable ??= isMountable()) ? undefined : 'a small disk cannot be mounted here'),
  async try(place) {
    const small = smallDisk()!;
    try {
      place.log = path.join(small.folder, 'logs', 'session.jsonl');
      const { chance } = place;
      const options = ['--sandbox', 'off'];
      const fullAt = 1 + chance.below(6);
      const killed = chance.happens(0.3);
      let shown = 0;
      let timer: NodeJS.Timeout | undefined;
      let times = 0;
      let full = false;
      const empty = (): void => {
        if (!full) return;
        full = false;
        small.free();
        times++;
      };
      const fill = (): void => {
        small.fill(chance.below(2) * 4096);
        full = true;
        timer = setTimeout(killed && times > 0 ? () => run.child.kill('SIGKILL') : empty, 200 + chance.below(1500));
      };
      const onLine = (): void => {
        shown++;
        if (timer === undefined ? shown === fullAt : times === 1 && shown === fullAt + 3) fill();
      };
      const run = place.start({ options, onLine });
      const { code, signal } = await run.ended;
      clearTimeout(timer);
      empty();
      const inOrder = code === 0 || signal === 'SIGKILL';
      const broken = [
        ...(inOrder ? [] : [`it ended with ${code ?? signal}: ${run.stderr().trim().slice(0, 300)}`]),
        ...lostEvents(run, place.log),
        ...unreadable(place.log),
        ...shownTwice(place.runs),
        ...wrongEffects(place),
        ...(await brokenAfterRestart(place, { options })),
      ];
      return { hit: timer !== undefined, broken };
    } finally {
      small.stop();
    }
  },
};
