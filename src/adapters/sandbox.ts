import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findBubblewrap } from './sandbox/bubblewrap';
import { guard, obeyed } from './sandbox/guardedPlaces';
import { hiddenSecrets, ownPlaces } from './sandbox/hiddenPlaces';
import { removeMade } from './sandbox/madePlaces';

export type SandboxWanted = 'auto' | 'on' | 'off';

/** Starts a shell so that it, and all that it ever starts, can do less. */
export interface Sandbox {
  /** The command line that runs `program` inside. `readable` and `writable`: folders beside the workspace, absolute. */
  wrap(program: string, programArguments: readonly string[], places: { readonly readable: string; readonly writable: string }): { readonly program: string; readonly arguments: readonly string[] };
  /** What programs inside need to be told, because of what they cannot write. */
  readonly environment: Readonly<Record<string, string>>;
  /** What stands in the workspace that other programs obey: absolute paths. */
  obeyed(): string[];
  /** Takes back what was put into the workspace, after the last process inside ended. */
  end(): void;
}

/** `none`: why, and what to do about it. */
export type SandboxOrNot = { readonly sandbox: Sandbox } | { readonly none: string; readonly next: string };

/** The sandbox for a workspace whose folders are `folders`, absolute. Runs bubblewrap once to see that it works; takes some 30 ms the first time. */
export async function findSandbox(folders: readonly string[], environment: NodeJS.ProcessEnv = process.env): Promise<SandboxOrNot> {
  const real = folders.map(folder => fs.realpathSync(folder));
  const trial = [...basis, ...real.flatMap(folder => ['--bind', folder, folder])];
  const found = await findBubblewrap(trial, environment, real);
  if (!('program' in found)) return { none: found.why, next: found.next };
  const unwritable = real.find(folder => !isOwn(folder));
  if (unwritable !== undefined) return { none: `${unwritable} belongs to another user, and a sandbox could not write it`, next: 'Work as the user whom the folder belongs to.' };
  return { sandbox: bubblewrap(found.program, real, environment) };
}

/** Every right is dropped, also that of root; processes, network and everything else are the sandbox's own; all ends with whoever began it. */
export const basis = [
  '--cap-drop', 'ALL', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try', '--die-with-parent',
  '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc',
];

function bubblewrap(program: string, folders: readonly string[], environment: NodeJS.ProcessEnv): Sandbox {
  const made = new Set<string>();
  return {
    environment: { TMPDIR: '/tmp', npm_config_logs_max: '0', npm_config_update_notifier: 'false', GOCACHE: '/tmp/go-build' },
    wrap(inner, innerArguments, { readable, writable }) {
      const empty = path.join(readable, 'empty');
      fs.writeFileSync(empty, '', { mode: 0o400 });
      fs.mkdirSync(writable, { recursive: true, mode: 0o700 });
      const guarded = folders.map(guard);
      for (const place of guarded.flatMap(each => each.made)) made.add(place);
      return {
        program,
        arguments: [
          ...basis, ...ownPlaces(), '--ro-bind', readable, readable,
          ...folders.flatMap(folder => ['--bind', folder, folder]), ...guarded.flatMap(each => each.arguments),
          ...hiddenSecrets(environment['HOME'] ?? os.homedir(), empty, folders, writable),
          '--', inner, ...innerArguments,
        ],
      };
    },
    obeyed: () => folders.flatMap(obeyed).filter(place => !made.has(place)),
    end: () => removeMade([...made].reverse()),
  };
}

/** Inside, root may not write what belongs to others. */
const isOwn = (folder: string): boolean => process.getuid?.() !== 0 || fs.statSync(folder).uid === 0;
