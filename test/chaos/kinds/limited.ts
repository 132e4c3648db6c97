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
/** Root is bound by no limit of processes; an ordinary user must be able to reach the program. */
const canBeOrdinary = (): boolean => !isRoot || (accounts.length > 1 && succeeds('setpriv', '--version'));
let accountsUsed = 0;

interface Limit {
  /** As prlimit takes it. */
  readonly option: string;
  /** What a person is told who meets it: how a shell sets it, or the name of the error. */
  readonly told: RegExp;
  /** It binds ordinary users only: the account that a try is made with. */
  readonly account?: number;
}

/** Limits under which the program can begin and cannot do all of its work. */
function limitFor({ chance }: Place): Limit {
  const limits: readonly (() => Limit)[] = [
    () => ({ option: `--fsize=${4_096 + chance.below(40_000)}`, told: /ulimit -f|EFBIG/ }),
    () => ({ option: `--nofile=${24 + chance.below(40)}`, told: /ulimit -n|EMFILE|too many open files/i }),
    () => ({
      option: `--nproc=${7 + chance.below(40)}`,
      told: /ulimit -u|EAGAIN/,
      // Nobody else runs anything as this account, so that all processes that it may have are left.
      ...(isRoot && { account: 44_000 + (process.pid % 500) * 40 + accountsUsed++ }),
    }),
  ];
  return chance.oneOf(canBeOrdinary() ? limits : limits.slice(0, 2))();
}

/** Gives the place to an account, which must be able to reach it. */
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
    // With --json the reason of an end is its last event.
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
