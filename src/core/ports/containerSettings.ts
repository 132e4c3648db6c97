/** Settings for running commands in a container, as in mini-swe-agent's environments for Docker and Podman. */
export interface ContainerSettings {
  /** Container engine: "docker", "podman", or the path of a compatible program. */
  readonly executable: string;
  readonly image: string;
  /** Additional path at which the container mounts the working folder, besides its path on this machine. */
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Names of environment variables of this process to pass to commands. Values in `env` take precedence. */
  readonly forwardEnv: readonly string[];
  /** Additional arguments for the engine's "run" command. */
  readonly runArgs: readonly string[];
  /** Shell that runs the commands, with its options. */
  readonly shell: readonly string[];
  /** Maximum lifetime of a container, in the format of `sleep`. */
  readonly lifetime: string;
  /** Timeout for pulling an image, in seconds. */
  readonly pullSeconds: number;
}

/** Default container settings: those of mini-swe-agent, but without a network. */
export const defaultContainer: Omit<ContainerSettings, 'executable' | 'image'> = {
  env: {},
  forwardEnv: [],
  runArgs: ['--rm', '--network', 'none'],
  shell: ['bash', '-l'],
  lifetime: '2h',
  pullSeconds: 120,
};

/**
 * True if engines treat the name as an image in a registry, not as an option or as a file or folder of this machine, as
 * Podman does with "dir:/srv/image".
 */
export function isImageName(name: string): boolean {
  if (!/^\w[\w./:@-]{0,254}$/.test(name)) return false;
  const [host = '', ...path] = name.split('/');
  const isHost = !host.includes(':') || /:\d{1,5}$/.test(host);
  return path.length === 0 || isHost;
}

/** Options of "run" with a value that give a container no further access to this machine. */
const harmlessWithValue: ReadonlySet<string> = new Set([
  ...['--cap-drop', '--cpu-shares', '--cpus', '--cpuset-cpus', '--hostname', '--label', '--memory', '--memory-swap'],
  ...['--pids-limit', '--platform', '--pull', '--shm-size', '--stop-timeout', '--tmpfs', '--ulimit', '-h', '-l', '-m'],
]);
const harmless: ReadonlySet<string> = new Set(['--init', '--quiet', '--read-only', '--rm', '-q']);
const networkWords: ReadonlySet<string> = new Set(['--net', '--network']);

/** What the arguments of "run" give to a container. */
interface RunArgumentFacts {
  readonly hasNoNetwork: boolean;
  /** Arguments that may give it more access to this machine, such as "--volume /srv:/srv". Excludes the network. */
  readonly more: readonly string[];
}

/** Reads arguments of `docker run`. An unknown one counts as one that gives more access. */
export function readRunArguments(runArgs: readonly string[]): RunArgumentFacts {
  const networks: string[] = [];
  const more: string[] = [];
  for (let index = 0; index < runArgs.length; index += 1) {
    const word = runArgs[index]!;
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    if (equals < 0 && harmless.has(name)) continue;
    const isNetwork = networkWords.has(name);
    if (!isNetwork && !harmlessWithValue.has(name)) {
      more.push(word);
      continue;
    }
    if (equals < 0) index += 1;
    if (isNetwork) networks.push(equals < 0 ? (runArgs[index] ?? '') : word.slice(equals + 1));
  }
  const hasNoNetwork = networks.length > 0 && networks.every((network) => network === 'none');
  return { hasNoNetwork, more };
}
