import fs from 'node:fs';
import type { FaultKind } from '../kinds';
import { leftBehind, unreadable, wrongEffects } from '../laws';
import { brokenAfterRestart, sandboxed } from './killed';

export const unread: FaultKind = {
  name: 'streams',
  what: 'whoever reads stdout or stderr goes away at a random moment, or the disk behind it is full',
  async try(place) {
    const { chance } = place;
    const options = sandboxed(place);
    const json = chance.happens(0.5);
    const how = chance.oneOf(['stdout goes', 'stderr goes', 'stdout is full'] as const);
    const full = how === 'stdout is full' && fs.existsSync('/dev/full') ? fs.openSync('/dev/full', 'w') : undefined;
    const lines = 1 + chance.below(8);
    let shown = 0;
    const onLine = (): void => {
      if (++shown !== lines) return;
      if (how === 'stdout goes') run.child.stdout?.destroy();
      if (how === 'stderr goes') run.child.stderr?.destroy();
    };
    const run = place.start({ json, options, onLine, stdio: ['ignore', full ?? 'pipe', 'pipe'] });
    const { signal } = await run.ended;
    if (full !== undefined) fs.closeSync(full);
    const isStackTrace = /^\s+at .+:\d+:\d+\)?$/m.test(run.stderr());
    const broken = [
      ...(signal === null ? [] : [`${how}: it ended by ${signal}`]),
      ...(isStackTrace ? [`${how}: a stack trace: ${run.stderr().trim().slice(0, 400)}`] : []),
      ...unreadable(place.log),
      ...wrongEffects(place),
      ...leftBehind(place),
      ...(await brokenAfterRestart(place, { options })),
    ];
    return { hit: full !== undefined || shown >= lines, broken };
  },
};
