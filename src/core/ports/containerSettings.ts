/** How commands run in a container: the settings of mini-swe-agent's environments for Docker and Podman. */
export interface ContainerSettings {
  /** The engine: "docker", "podman", or the path of a program that takes the same words. */
  readonly executable: string;
  readonly image: string;
  /** Where the container sees the folder that is worked on, beside its path on this machine. */
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables of this process that commands get; those of `env` go before them. */
  readonly forwardEnv: readonly string[];
  /** Further words for "run" of the engine. */
  readonly runArgs: readonly string[];
  /** The shell that commands are written for, with its options. */
  readonly shell: readonly string[];
  /** How long a container lives at most, as "sleep" takes it. */
  readonly lifetime: string;
  /** How long an image may take to arrive. */
  readonly pullSeconds: number;
}

/** What a container has when nothing else is said: as in mini-swe-agent, but without a network. */
export const usualContainer: Omit<ContainerSettings, 'executable' | 'image'> = {
  env: {},
  forwardEnv: [],
  runArgs: ['--rm', '--network', 'none'],
  shell: ['bash', '-l'],
  lifetime: '2h',
  pullSeconds: 120,
};

/**
 * Whether engines take it for the name of an image in a registry: not for an option, and not for a file or folder of
 * this machine, as Podman reads "dir:/srv/image".
 */
export function isImageName(name: string): boolean {
  if (!/^\w[\w./:@-]{0,254}$/.test(name)) return false;
  const [host = '', ...path] = name.split('/');
  const isHost = !host.includes(':') || /:\d{1,5}$/.test(host);
  return path.length === 0 || isHost;
}

/** Words for "run" with a value that give a container nothing more of this machine. */
const harmlessWithValue: ReadonlySet<string> = new Set([
  ...['--cap-drop', '--cpu-shares', '--cpus', '--cpuset-cpus', '--hostname', '--label', '--memory', '--memory-swap'],
  ...['--pids-limit', '--platform', '--pull', '--shm-size', '--stop-timeout', '--tmpfs', '--ulimit', '-h', '-l', '-m'],
]);
const harmless: ReadonlySet<string> = new Set(['--init', '--quiet', '--read-only', '--rm', '-q']);
const networkWords: ReadonlySet<string> = new Set(['--net', '--network']);

/** What words for "run" of an engine give to a container. */
export interface GivenToContainer {
  readonly hasNoNetwork: boolean;
  /** Words that may give it more of this machine, such as "--volume /srv:/srv"; the network aside. */
  readonly more: readonly string[];
}

export function givenToContainer(runArgs: readonly string[]): GivenToContainer {
  const networks: string[] = [];
  const more: string[] = [];
  for (let at = 0; at < runArgs.length; at += 1) {
    const word = runArgs[at]!;
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    if (equals < 0 && harmless.has(name)) continue;
    const isNetwork = networkWords.has(name);
    if (!isNetwork && !harmlessWithValue.has(name)) {
      more.push(word);
      continue;
    }
    if (equals < 0) at += 1;
    if (isNetwork) networks.push(equals < 0 ? (runArgs[at] ?? '') : word.slice(equals + 1));
  }
  const hasNoNetwork = networks.length > 0 && networks.every((network) => network === 'none');
  return { hasNoNetwork, more };
}
