import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** An engine of this machine with an image in a store of its own, which goes with it. */
export interface ContainerEngine {
  readonly executable: string;
  readonly image: string;
  /** Variables that point the engine to its store. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the containers that there are. */
  containers(): string[];
  stop(): void;
}

const programs = [
  'sh',
  'ls',
  'cat',
  'sleep',
  'kill',
  'grep',
  'tr',
  'echo',
  'mkdir',
  'rm',
  'chmod',
  'seq',
  'env',
  'find',
  'stat',
  'chown',
  'ln',
];

/**
 * Podman with a small image of BusyBox and Bash. Returns why it cannot be used where this machine lacks
 * something: podman, a static BusyBox, or the rights to start a container.
 */
export function findContainerEngine(): ContainerEngine | string {
  if (spawnSync('podman', ['--version'], { stdio: 'ignore' }).status !== 0) return 'this machine has no podman';
  if (!fs.existsSync('/bin/busybox') || !fs.existsSync('/bin/bash')) return 'this machine has no busybox-static';
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-test-engine-'));
  const at = (...names: string[]): string => path.join(home, ...names);
  const write = (name: string, ...lines: string[]): void => fs.writeFileSync(at(name), `${lines.join('\n')}\n`);
  write('storage.conf', '[storage]', 'driver = "vfs"', `graphroot = "${at('graph')}"`, `runroot = "${at('run')}"`);
  const runtime = spawnSync('runc', ['--version'], { stdio: 'ignore' }).status === 0 ? ['runtime = "runc"'] : [];
  const engine = ['[engine]', 'cgroup_manager = "cgroupfs"', 'events_logger = "file"', ...runtime];
  write('containers.conf', '[containers]', 'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]', ...engine);
  const environment = { CONTAINERS_STORAGE_CONF: at('storage.conf'), CONTAINERS_CONF: at('containers.conf') };
  const podman = (...words: string[]): string =>
    execFileSync('podman', words, { env: { ...process.env, ...environment }, encoding: 'utf8', stdio: 'pipe' });
  const stop = (): void => {
    spawnSync('podman', ['rm', '--all', '--force'], { env: { ...process.env, ...environment }, stdio: 'ignore' });
    fs.rmSync(home, { recursive: true, force: true });
  };
  const image = 'localhost/waymark-test:latest';
  try {
    makeRoot(at('root'));
    execFileSync('tar', ['-C', at('root'), '-cf', at('root.tar'), '.']);
    podman('import', at('root.tar'), image);
    podman('run', '--rm', '--network', 'none', image, 'sh', '-c', 'true');
  } catch (error) {
    stop();
    const { stderr = '' } = error as { stderr?: string };
    return `podman starts no container here (${stderr.trim().split('\n').at(-1)})`;
  }
  const containers = (): string[] => podman('ps', '--all', '--format', '{{.Names}}').split('\n').filter(Boolean);
  return { executable: 'podman', image, environment, containers, stop };
}

/** The files of the image: BusyBox, Bash with its libraries, and a project. */
function makeRoot(root: string): void {
  for (const folder of ['bin', 'tmp', 'etc', 'proc', 'sys', 'dev', 'root', 'testbed'])
    fs.mkdirSync(path.join(root, folder), { recursive: true });
  fs.copyFileSync('/bin/busybox', path.join(root, 'bin/busybox'));
  for (const program of programs) fs.symlinkSync('busybox', path.join(root, 'bin', program));
  fs.copyFileSync('/bin/bash', path.join(root, 'bin/bash'));
  const libraries = execFileSync('ldd', ['/bin/bash'], { encoding: 'utf8' }).match(/\/lib\S*/g) ?? [];
  for (const library of libraries) {
    fs.mkdirSync(path.join(root, path.dirname(library)), { recursive: true });
    fs.copyFileSync(fs.realpathSync(library), path.join(root, library));
  }
  fs.writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  fs.writeFileSync(path.join(root, 'etc/profile'), 'export FROM_PROFILE=yes\n');
  fs.writeFileSync(path.join(root, 'testbed/notes.txt'), 'of the image\n');
}
