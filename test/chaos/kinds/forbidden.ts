import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { FaultKind } from '../kinds';
import { lostEvents, wrongEffects } from '../laws';
import type { Place } from '../place';
import { brokenAfterRestart } from './killed';

const isRoot = process.getuid?.() === 0;
/** An unprivileged account. */
const ordinary = 65_534;
const asOrdinary = ['setpriv', `--reuid=${ordinary}`, `--regid=${ordinary}`, '--clear-groups'];

const succeeds = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

function missing(): string | undefined {
  if (!isRoot) return undefined;
  const [command, ...args] = [...asOrdinary, process.execPath, '--version'];
  return succeeds(command!, ...args) ? undefined : 'an ordinary user cannot be played here';
}

/** Makes an ordinary user the owner of the place and lets that user reach it. */
function handOver({ workspace, home, temporary }: Place): void {
  if (!isRoot) return;
  fs.chmodSync(path.dirname(workspace), 0o755);
  for (const folder of [workspace, home, temporary]) spawnSync('chown', ['-R', `${ordinary}:${ordinary}`, folder]);
}

/** A folder that cannot be written to, and functions to change that. */
interface Closed {
  readonly code: string;
  open(): void;
  end(): void;
}

function withoutPermission(folder: string): Closed {
  if (!isRoot) fs.chmodSync(folder, 0o555);
  return {
    code: 'EACCES',
    open: () => (isRoot ? fs.chownSync(folder, ordinary, ordinary) : fs.chmodSync(folder, 0o755)),
    end: () => undefined,
  };
}

/** Mounts a folder read-only. Returns undefined if that is not possible. */
function readOnly(folder: string): Closed | undefined {
  if (!isRoot || !succeeds('mount', '--bind', folder, folder)) return undefined;
  fs.chownSync(folder, ordinary, ordinary);
  const end = (): void => void succeeds('umount', '-l', folder);
  if (!succeeds('mount', '-o', 'remount,ro,bind', folder)) {
    end();
    return undefined;
  }
  return { code: 'EROFS', open: () => void succeeds('mount', '-o', 'remount,rw,bind', folder), end };
}

export const forbidden: FaultKind = {
  name: 'forbidden',
  what: 'a folder of logs that an ordinary user may not write to, or that is mounted read-only; sometimes that changes meanwhile',
  missing,
  async try(place) {
    handOver(place);
    const folder = path.dirname(place.log);
    fs.mkdirSync(folder, { mode: 0o755 });
    const closed = (place.chance.happens(0.4) ? readOnly(folder) : undefined) ?? withoutPermission(folder);
    const under = isRoot ? asOrdinary : [];
    const options = ['--sandbox', 'off'];
    const opens = place.chance.happens(0.5);
    const timer = opens ? setTimeout(closed.open, 500 + place.chance.below(4000)) : undefined;
    try {
      const run = place.start({ options, under });
      const { code } = await run.ended;
      clearTimeout(timer);
      const effects = fs.readdirSync(place.workspace).filter((name) => name !== 'a.txt');
      const refused = [
        ...(code === 1 ? [] : [`it ended with ${code} though its log was never written`]),
        ...(run.stderr().includes(`cannot be written (${closed.code}`)
          ? []
          : [`it says nothing of the log: ${run.stderr().slice(0, 300)}`]),
        ...(run.lines.length === 0 ? [] : [`it showed ${run.lines.length} events of a log that was never written`]),
        ...effects.map((name) => `it did something: ${name}`),
      ];
      const went = [
        ...(code === 0
          ? []
          : [`it ended with ${code} though its log could be written again: ${run.stderr().slice(0, 300)}`]),
        ...lostEvents(run, place.log),
        ...wrongEffects(place),
      ];
      closed.open();
      return {
        hit: true,
        broken: [...(opens ? went : refused), ...(await brokenAfterRestart(place, { options, under }))],
      };
    } finally {
      clearTimeout(timer);
      closed.end();
    }
  },
};
