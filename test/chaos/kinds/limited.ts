import { spawnSync } from 'node:child_process';
import type { FaultKind } from '../kinds';
import { brokenAfterRestart, sandboxed } from './killed';

const hasPrlimit = (): boolean =>
  process.platform === 'linux' && spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status === 0;

/** Limits under which the program can begin and cannot do all of its work. */
const limits = (below: (end: number) => number): readonly string[] => {
  const choices = [`--fsize=${4_096 + below(40_000)}`, `--nofile=${24 + below(80)}`, `--nproc=${1 + below(40)}`];
  return [choices[below(choices.length)]!];
};

export const limited: FaultKind = {
  name: 'limits',
  what: 'few file descriptors, small files or few processes; then a start without limits',
  missing: () => (hasPrlimit() ? undefined : 'prlimit is not installed'),
  async try(place) {
    const options = sandboxed(place);
    const under = ['prlimit', ...limits((end) => place.chance.below(end)), '--'];
    const run = place.start({ options, under });
    const { code, signal } = await run.ended;
    const isStackTrace = /^\s+at .+:\d+:\d+\)?$/m.test(run.stderr());
    const broken = [
      ...(isStackTrace ? [`${under[1]}: a stack trace: ${run.stderr().trim().slice(0, 400)}`] : []),
      ...(await brokenAfterRestart(place, { options })),
    ];
    return { hit: code !== 0 || signal !== null, broken };
  },
};
