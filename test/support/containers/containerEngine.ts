import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A container engine of this machine, with an image in a store of its own that is removed with it. */
export interface ContainerEngine {
  readonly executable: 'docker' | 'podman';
  readonly image: string;
  /** Environment variables that point the engine to its store. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the names of all containers. */
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

/** How to call one engine on this machine. */
interface Asking {
  readonly executable: 'docker' | 'podman';
  readonly environment: Readonly<Record<string, string>>;
  /** Removes everything the tests left in the engine. */
  clear(ask: Ask): void;
}

/** Runs the engine with arguments and returns its output. */
type Ask = (...words: string[]) => string;

const imageName = 'localhost/waymark-test:latest';

/** Podman, with images and containers in the folder of the test. */
function podmanIn(home: string): Asking {
  const at = (...names: string[]): string => path.join(home, ...names);
  const write = (name: string, ...lines: string[]): void => fs.writeFileSync(at(name), `${lines.join('\n')}\n`);
  write('storage.conf', '[storage]', 'driver = "vfs"', `graphroot = "${at('graph')}"`, `runroot = "${at('run')}"`);
  const runtime = spawnSync('runc', ['--version'], { stdio: 'ignore' }).status === 0 ? ['runtime = "runc"'] : [];
  const engine = ['[engine]', 'cgroup_manager = "cgroupfs"', 'events_logger = "file"', ...runtime];
  write('containers.conf', '[containers]', 'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]', ...engine);
  return {
    executable: 'podman',
    environment: { CONTAINERS_STORAGE_CONF: at('storage.conf'), CONTAINERS_CONF: at('containers.conf') },
    clear: (ask) => void ask('rm', '--all', '--force'),
  };
}

/** The Docker daemon of this machine or of `DOCKER_HOST`. Others may use it at the same time. */
function docker(): Asking {
  const host = process.env['DOCKER_HOST'];
  return {
    executable: 'docker',
    environment: host === undefined ? {} : { DOCKER_HOST: host },
    clear(ask) {
      const left = ask('ps', '--all', '--quiet', '--filter', `ancestor=${imageName}`).split('\n').filter(Boolean);
      if (left.length > 0) ask('rm', '--force', ...left);
      ask('rmi', '--force', imageName);
    },
  };
}

/**
 * Returns an engine with a small image of BusyBox and Bash: Podman, or Docker with CONTAINER_ENGINE=docker. Returns a
 * reason if this machine lacks something: the engine, a static BusyBox, or permission to start a container.
 */
function findContainerEngine(): ContainerEngine | string {
  const wanted = process.env['CONTAINER_ENGINE'] === 'docker' ? 'docker' : 'podman';
  if (spawnSync(wanted, ['--version'], { stdio: 'ignore' }).status !== 0) return `this machine has no ${wanted}`;
  if (!fs.existsSync('/bin/busybox') || !fs.existsSync('/bin/bash')) return 'this machine has no busybox-static';
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-test-engine-'));
  const at = (...names: string[]): string => path.join(home, ...names);
  const { executable, environment, clear } = wanted === 'docker' ? docker() : podmanIn(home);
  const ask: Ask = (...words) =>
    execFileSync(executable, words, { env: { ...process.env, ...environment }, encoding: 'utf8', stdio: 'pipe' });
  const stop = (): void => {
    try {
      clear(ask);
    } catch {
      // An engine that does not answer leaves nothing behind.
    }
    fs.rmSync(home, { recursive: true, force: true });
  };
  try {
    makeRoot(at('root'));
    execFileSync('tar', ['-C', at('root'), '-cf', at('root.tar'), '.']);
    ask('import', at('root.tar'), imageName);
    ask('run', '--rm', '--network', 'none', imageName, 'sh', '-c', 'true');
  } catch (error) {
    stop();
    const { stderr = '' } = error as { stderr?: string };
    return `${executable} starts no container here (${stderr.trim().split('\n').at(-1)})`;
  }
  const containers = (): string[] =>
    ask('ps', '--all', '--filter', `ancestor=${imageName}`, '--format', '{{.Names}}').split('\n').filter(Boolean);
  return { executable, image: imageName, environment, containers, stop };
}

/** Creates the files of the image: BusyBox, Bash with its libraries, and a project. */
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

/**
 * Runs the tests of a suite with their own engine and removes it afterwards. If this machine has none, the tests are
 * skipped with a reason. `began` is called before the first test.
 */
export function withContainerEngine(began: (engine: ContainerEngine) => void): void {
  let engine: ContainerEngine | undefined;
  before(function () {
    const found = findContainerEngine();
    if (typeof found === 'string') {
      console.log(`      skipped: ${found}`);
      return this.skip();
    }
    engine = found;
    began(found);
  });
  after(() => engine?.stop());
}
