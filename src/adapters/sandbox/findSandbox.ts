import { noRetries, type Guards, type Sandbox, type SandboxOrNot } from './sandbox';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findBubblewrap, type FoundSandbox } from './bubblewrap';
import { domainsFor, type Domains } from './domains';
import { foldersAround, guard, guardsOf, mountsOf } from './guardedPlaces';
import { GuardedTrees } from './guardedTrees';
import { hiddenSecrets, ownPlaces, secretPlaces } from './hiddenPlaces';
import { MadePlaces } from './madePlaces';
import { kernelPlaces, noNamespaces } from './kernelPlaces';
import { allLimits, limitingLine, type LimitSettings, type SandboxLimits } from './limits';
import { findRuntimeSandbox } from './runtimeSandbox';
import { canFilterCalls, systemCallFilter } from './systemCallFilter';

/** The result if the search for a sandbox failed: that does not mean that there is none. */
export const notFoundOut = (problem: Error): SandboxOrNot => ({
  none: `Waymark could not find out whether a sandbox is available (${problem.message})`,
  next: 'Try again.',
  exhausted: true,
});

/**
 * Finds the sandbox for a workspace with these absolute `folders`. Runs bubblewrap once, or the sandbox runtime on
 * macOS, to verify that it works; takes about 30 ms the first time. `allowed`: domains that programs inside may reach
 * if the sandbox runtime is installed; without it they reach none. `wanted`: limits that the user set. `hidden`:
 * additional paths that programs inside cannot read.
 */
export async function findSandbox(
  folders: readonly string[],
  {
    environment = process.env,
    allowed = [],
    wanted = {},
    hidden = [],
  }: {
    readonly environment?: NodeJS.ProcessEnv | undefined;
    readonly allowed?: readonly string[] | undefined;
    readonly wanted?: LimitSettings | undefined;
    readonly hidden?: readonly string[] | undefined;
  } = {},
): Promise<SandboxOrNot> {
  // Folders of a workspace other than the first may be missing, such as those of an unmounted disk.
  const real = folders.filter((folder, at) => at === 0 || fs.existsSync(folder)).map((each) => fs.realpathSync(each));
  const ofSystem = real.find((folder) => partOfSystem.test(folder));
  if (ofSystem !== undefined)
    return {
      none: `${ofSystem} contains devices, processes or sockets of the system, through which commands would leave a sandbox`,
      next: 'Work in a project folder instead.',
    };
  if (process.platform === 'darwin') return findRuntimeSandbox(real, environment, allowed, hidden);
  const limits = allLimits(wanted);
  const { found, common, filter, mayNest } = await bestTrial(real, environment, limits);
  if (!('program' in found)) return { none: found.why, next: found.next, ...(found.exhausted && { exhausted: true }) };
  const unwritable = real.find((folder) => !mayWriteInside(folder));
  if (unwritable !== undefined)
    return {
      none: `${unwritable} belongs to another user, so a sandbox cannot write it`,
      next: 'Work as the user who owns the folder.',
    };
  const domains = domainsFor(allowed, environment, real);
  const parts = { program: found.program, common, folders: real, hidden, environment, limits, filter };
  const lacking = [filter === undefined && withoutFilter, filter === undefined && mayNest && replaceable].filter(
    Boolean,
  );
  const weaker = lacking.length > 0 && { weaker: lacking.join(' ') };
  if (domains && 'why' in domains)
    return {
      sandbox: bubblewrap(parts),
      unreachable: `No domain can be reached: ${domains.why}. ${domains.next}`,
      ...weaker,
    };
  return { sandbox: bubblewrap({ ...parts, ...(domains && { network: { domains, allowed } }) }), ...weaker };
}

/** Folders that a sandbox replaces by its own, and those that contain them. Writing them would undo that. */
const partOfSystem = /^\/(?:$|(?:proc|sys)(?:\/|$)|dev$|run(?:\/user(?:\/[^/]+)?)?$)/;

const withoutFilter =
  'The sandbox cannot refuse system calls on this system. While a program in it uses io_uring, as Node 24 does, or watches files by signals, no command can run outside the sandbox.';
const replaceable =
  'Commands can create their own namespaces and replace read-only files of the workspace in them, such as Git hooks. Install bubblewrap 0.8 or later.';

interface Trial {
  readonly found: FoundSandbox;
  /** Options with which it was tried. */
  readonly common: readonly string[];
  /** The filter for system calls, if the system supports one. */
  readonly filter: Buffer | undefined;
  /** True if programs inside can create their own namespaces. */
  readonly mayNest: boolean;
}

/** Tries everything that a sandbox should have, and less if bubblewrap or the system reports what is missing. */
async function bestTrial(
  folders: readonly string[],
  environment: NodeJS.ProcessEnv,
  limits: SandboxLimits,
): Promise<Trial> {
  const binds = folders.flatMap((folder) => ['--bind', folder, folder]);
  let isSized = true;
  let filter = canFilterCalls ? systemCallFilter() : undefined;
  let mayNest = false;
  for (;;) {
    const common = [
      ...basis,
      ...(mayNest ? [] : noNamespaces),
      ...kernelPlaces(),
      ...ownPlaces(isSized ? limits : undefined),
    ];
    const found = await findBubblewrap([...common, ...binds], { environment, folders, filter });
    const lacks = 'lacks' in found ? found.lacks : undefined;
    if (lacks === '--size' && isSized) isSized = false;
    else if (lacks === '--seccomp' && filter !== undefined) filter = undefined;
    // Root would regain its privileges in its own namespace, so there is no sandbox for root then.
    else if (!('program' in found) && !mayNest && !isRoot()) mayNest = true;
    else return { found, common, filter, mayNest };
  }
}

/**
 * Drops every privilege, including root's. Processes, network and everything else are private to the sandbox, and all
 * of it ends with the process that started it.
 */
export const basis = [
  '--cap-drop',
  'ALL',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-net',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
];

const isRoot = (): boolean => process.getuid?.() === 0;

interface BubblewrapParts {
  readonly program: string;
  /** Options that were tried. */
  readonly common: readonly string[];
  readonly folders: readonly string[];
  readonly hidden: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly limits: SandboxLimits;
  /** See `systemCallFilter`. */
  readonly filter: Buffer | undefined;
  readonly network?: { readonly domains: Domains; readonly allowed: readonly string[] };
}

/**
 * Opens the filter, whose file is the first argument, at the descriptor that bubblewrap expects, then runs the rest.
 */
const opensFilter = 'exec 9<"$1" && shift && exec "$@"';

function bubblewrap(parts: BubblewrapParts): Sandbox {
  const { program, common, folders, hidden, environment, limits, filter, network } = parts;
  const made = new MadePlaces();
  const trees = new GuardedTrees(folders);
  let guards: Guards = { readOnly: [], placeholders: [] };
  return {
    get environment() {
      return {
        TMPDIR: '/tmp',
        npm_config_logs_max: '0',
        npm_config_update_notifier: 'false',
        GOCACHE: '/tmp/go-build',
        ...(network ? network.domains.environment() : noRetries),
      };
    },
    folders,
    domains: network?.allowed ?? [],
    ownTemporary: true,
    ownPorts: true,
    bounded: { limits, folders },
    ...(filter && { refusesCalls: true }),
    async begin() {
      await trees.begin();
      try {
        await network?.domains.begin();
        return undefined;
      } catch (problem) {
        return `No domain can be reached from the sandbox: ${(problem as Error).message}.`;
      }
    },
    wrap(inner, innerArguments, { readable, writable, readOnly }) {
      const empty = path.join(readable, 'empty');
      const filterFile = path.join(readable, 'calls');
      // A second shell of the same terminal finds the file there, and only root could write it again.
      if (!fs.existsSync(empty)) fs.writeFileSync(empty, '', { mode: 0o400 });
      if (filter && !fs.existsSync(filterFile)) fs.writeFileSync(filterFile, filter, { mode: 0o400 });
      fs.mkdirSync(writable, { recursive: true, mode: 0o700 });
      const bound = folders.filter(isStillThere);
      const guarded = readOnly ? [] : bound.map((folder) => guard(folder, trees.placesBelowTop(folder)));
      made.add(guarded.flatMap((each) => each.created));
      if (!readOnly) guards = guardsOf(guarded);
      const secrets = secretPlaces(environment['HOME'] ?? os.homedir(), folders, hidden);
      // If such a folder is in the workspace, a command could otherwise move it and put its own in its place.
      const aroundSecrets = folders.flatMap((folder) =>
        secrets.filter((place) => place.startsWith(`${folder}/`)).flatMap((place) => foldersAround(place, folder)),
      );
      const { options = [], before = [] } = (readOnly ? undefined : network?.domains.wrap()) ?? {};
      const confined = [
        ...common,
        ...bound.flatMap((folder) => [readOnly ? '--ro-bind' : '--bind', folder, folder]),
        ...mountsOf(
          [...guarded.flatMap(({ immovable }) => immovable), ...(readOnly ? [] : aroundSecrets)],
          guarded.flatMap((each) => each.readOnly),
        ),
        // After the workspace, which may contain it.
        '--ro-bind',
        readable,
        readable,
        ...hiddenSecrets(secrets, empty, writable),
        ...options,
        ...(filter ? ['--seccomp', '9'] : []),
        '--',
        ...before,
        ...limitingLine(limits, freeMegabytes(folders[0]!)),
        inner,
        ...innerArguments,
      ];
      if (!filter) return { program, arguments: confined };
      return { program: '/bin/sh', arguments: ['-c', opensFilter, 'sh', filterFile, program, ...confined] };
    },
    get guards() {
      return guards;
    },
    watchObeyed: (sinceLast) => trees.watch(made.all, sinceLast),
    end: () => {
      network?.domains.end();
      made.remove();
    },
  };
}

/** Returns whether a folder exists, and no link replaced it, which would make another folder writable. */
function isStillThere(folder: string): boolean {
  try {
    return fs.realpathSync(folder) === folder;
  } catch {
    return false;
  }
}

function freeMegabytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return Math.floor((bavail * bsize) / (1024 * 1024));
}

/** Inside, root may not write files of other users. */
const mayWriteInside = (folder: string): boolean => !isRoot() || fs.statSync(folder).uid === 0;

/**
 * Returns the same sandbox for a second shell, which cannot write to the workspace and has no network. The owner of the
 * first one ends it.
 */
export function readOnly(sandbox: Sandbox | undefined): Sandbox | undefined {
  return (
    sandbox && {
      ...sandbox,
      environment: { TMPDIR: '/tmp' },
      domains: [],
      begin: () => Promise.resolve(undefined),
      wrap: (program, programArguments, places) =>
        sandbox.wrap(program, programArguments, { ...places, readOnly: true }),
      end: () => undefined,
    }
  );
}
