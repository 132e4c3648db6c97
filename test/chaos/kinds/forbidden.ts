import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { FaultKind } from '../kinds';
import { lostEvents, wrongEffects } from '../laws';
import type { Place } from '../place';
import { brokenAfterRestart } from './killed';

const isRoot = process.getuid?.() === 0;
/** An account without rights of its own. */
const ordinary = 65_534;
const asOrdinary = ['setpriv', `--reuid=${ordinary}`, `--regid=${ordinary}`, '--clear-groups'];

function missing(): string | undefined {
  if (!isRoot) return undefined;
  const tried = spawnSync(asOrdinary[0]!, [...asOrdinary.slice(1), process.execPath, '--version'], { stdio: 'ignore' });
  return tried.status === 0 ? undefined : 'an ordinary user cannot be played here';
}

/** Gives the place to an ordinary user, who must be able to reach it. */
function handOver({ workspace, home, temporary }: Place): void {
  if (!isRoot) return;
  fs.chmodSync(path.dirname(workspace), 0o755);
  for (const folder of [workspace, home, temporary]) spawnSync('chown', ['-R', `${ordinary}:${ordinary}`, folder]);
}

export const forbidden: FaultKind = {
  name: 'forbidden',
  what: 'a folder of logs that an ordinary user may not write to; sometimes that changes meanwhile',
  missing,
  async try(place) {
    handOver(place);
    const folder = path.dirname(place.log);
    fs.mkdirSync(folder, { mode: 0o755 });
    if (!isRoot) fs.chmodSync(folder, 0o555);
    const under = isRoot ? asOrdinary : [];
    const options = ['--sandbox', 'off'];
    const allowed = place.chance.happens(0.5);
    const allow = (): void => {
      if (isRoot) fs.chownSync(folder, ordinary, ordinary);
      else fs.chmodSync(folder, 0o755);
    };
    const timer = allowed ? setTimeout(allow, 500 + place.chance.below(4000)) : undefined;
    const run = place.start({ options, under });
    const { code } = await run.ended;
    clearTimeout(timer);
    const effects = fs.readdirSync(place.workspace).filter(name => name !== 'a.txt');
    const refused = [
      ...(code === 1 ? [] : [`it ended with ${code} though its log was never written`]),
      ...(/cannot be written \(EACCES/.test(run.stderr()) ? [] : [`it says nothing of the log: ${run.stderr().slice(0, 300)}`]),
      ...(run.lines.length === 0 ? [] : [`it showed ${run.lines.length} events of a log that was never written`]),
      ...effects.map(name => `it did something: ${name}`),
    ];
    const went = [
      ...(code === 0 ? [] : [`it ended with ${code} though its log could be written again: ${run.stderr().slice(0, 300)}`]),
      ...lostEvents(run, place.log), ...wrongEffects(place),
    ];
    allow();
    return { hit: true, broken: [...(allowed ? went : refused), ...await brokenAfterRestart(place, { options, under })] };
  },
};
