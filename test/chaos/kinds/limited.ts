import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { accounts, nodeForAll } from '../../adapters/support/sandboxedCommands';
import type { FaultKind } from '../kinds';
import type { Place } from '../place';
import { brokenAfterRestart, sandboxed } from './killed';

const succeeds = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const hasPrlimit = (): boolean => process.platform === 'linux' && succeeds('prlimit', '--version');

const isRoot = process.getuid?.() === 0;
/** Limits on processes do not apply to root; an ordinary user must be able to reach the program. */
const canBeOrdinary = (): boolean => !isRoot || (accounts.length > 1 && succeeds('setpriv', '--version'));
let accountsUsed = 0;

interface Limit {
  /** Option of prlimit. */
  readonly option: string;
  /** The message for the user: how to set the limit in a shell, or the name of the error. */
  readonly told: RegExp;
  /** The account for a limit that only applies to ordinary users. */
  readonly account?: number;
}

/** Returns a limit under which the program can start but not complete all of its work. */
function limitFor({ chance }: Place): Limit {
  const limits: readonly (() => Limit)[] = [
    () => ({ option: `--fsize=${4_096 + chance.below(40_000)}`, told: /ulimit -f|EFBIG/ }),
    () => ({ option: `--nofile=${24 + chance.below(40)}`, told: /ulimit -n|EMFILE|too many open files/i }),
    () => ({
      option: `--nproc=${7 + chance.below(40)}`,
      told: /ulimit -u|EAGAIN/,
      // A separate account has no other processes that count against the limit.
      ...(isRoot && { account: 44_000 + (process.pid % 500) * 40 + accountsUsed++ }),
    }),
  ];
  return chance.oneOf(canBeOrdinary() ? limits : limits.slice(0, 2))();
}

/** Makes an account the owner of the place and lets it reach the place. */
function handOver({ root, workspace, home, temporary }: Place, account: number): void {
  fs.chmodSync(root, 0o755);
  for (const folder of [workspace, home, temporary])
    spawnSync('chown', ['-R', `${account}:${account}`, folder], { stdio: 'ignore' });
}

const asAccount = (account: number): string[] => [
  'setpriv',
  `--reuid=${account}`,
  `--regid=${account}`,
  '--clear-groups',
  '--',
];

export const limited: FaultKind = {
  name: 'limits',
  what: 'few file descriptors, small files or few processes; then a start without limits',
  missing: () => (hasPrlimit() ? undefined : 'prlimit is not installed'),
  async try(place) {
    const options = sandboxed(place);
    const { option, told, account } = limitFor(place);
    if (account !== undefined) handOver(place, account);
    const become = account === undefined ? [] : asAccount(account);
    const node = account === undefined ? process.execPath : nodeForAll();
    const run = place.start({ options, node, under: [...become, 'prlimit', option, '--'] });
    const { code, signal } = await run.ended;
    // With --json, the last event contains the reason for the end.
    const said = `${run.stderr().trim()}\n${code === 0 ? '' : (run.lines.at(-1) ?? '')}`.trim();
    const isStackTrace = /^\s+at .+:\d+:\d+\)?$/m.test(said);
    if (process.env['CHAOS_TELL']) console.log(`${place.seed} ${option} ${options.at(-1)}: ${code ?? signal}: ${said}`);
    const broken = [
      ...(isStackTrace ? [`a stack trace: ${said.slice(0, 400)}`] : []),
      ...(code === 0 || code === 1 ? [] : [`it ended with ${code ?? signal}: ${said.slice(0, 400)}`]),
      ...(code === 0 || told.test(said) ? [] : [`it does not say which limit to raise: ${said.slice(0, 400)}`]),
      ...(await brokenAfterRestart(place, { options, node, under: become })),
    ];
    return { hit: code !== 0, broken: broken.map((words) => `${option}: ${words}`) };
  },
};
