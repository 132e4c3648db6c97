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

/** Whether engines take it for the name of an image, and not for an option. */
export const isImageName = (name: string): boolean => /^\w[\w./:@-]{0,254}$/.test(name);
