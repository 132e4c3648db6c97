import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { givenToContainer, isImageName, type ContainerSettings } from '../../core/ports/containerSettings';
import { makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { onPath } from '../processes/onPath';

/**
 * The main program of a container: it ends when its time is over, and when nobody holds its input any more. So nothing
 * stays behind when the process that started it is killed.
 */
const keeper = [
  'exec 3<&0 </dev/null',
  'sleep "$1" & limit=$!',
  '{ cat <&3 >/dev/null; kill "$limit"; } 2>/dev/null &',
  'echo ready',
  'wait "$limit"',
].join('\n');

/**
 * Sends a signal to every process with a mark among its variables, at once, and to the shell before all others: a
 * shell whose command is gone before it is told goes on with the next one. `$1`: signal, `$2`: mark, `$3`: number of
 * the shell, `$4`: whether the shell is spared.
 */
const signaller = [
  // What a process began while it was looked for is seen by the next look, but nobody is interrupted twice.
  'looks=1; [ "$1" = KILL ] && looks=4',
  'while [ "$looks" -gt 0 ]; do',
  '  looks=$((looks - 1))',
  '  numbers=',
  '  for place in /proc/[0-9]*; do',
  '    number=${place#/proc/}',
  '    case $number in 1|"$$"|"$3") continue;; esac',
  '    if tr "\\000" "\\n" 2>/dev/null <"$place/environ" | grep -qx "WAYMARK_SHELL=$2"; then',
  '      numbers="$numbers $number"',
  '    fi',
  '  done',
  '  [ "$4" = spared ] || kill -s "$1" "$3" 2>/dev/null',
  '  [ -n "$numbers" ] || break',
  '  for number in $numbers; do kill -s "$1" "$number" 2>/dev/null; done',
  'done',
  'true',
].join('\n');

/**
 * Gives to the owner of a folder what is in it and belongs to somebody else: commands run as root of the container, and
 * root of the container may be root of this machine. Nobody else gets any right. `$@`: the folders.
 */
const giver = [
  'for folder in "$@"; do',
  '  owner=$(stat -c %u "$folder") && group=$(stat -c %g "$folder") || continue',
  '  find "$folder" ! -user "$owner" -exec chown -h "$owner:$group" {} +',
  'done',
].join('\n');

/**
 * Podman hands these to containers by itself, and they may hold a password. Who wants them inside forwards them.
 */
const proxyVariables = ['http_proxy', 'https_proxy', 'ftp_proxy', 'no_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

const engineMs = 30_000;

/** What an engine printed, and how it ended. */
interface EngineEnd {
  /** Null where a signal ended it, or it could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A shell in a container. */
export interface ShellInside {
  /** Found in the variables of all that it starts. */
  readonly mark: string;
  /** As the container counts its processes; empty while it is not known. */
  readonly number: string;
}

export interface ContainerUse {
  /** The folders are copies that nobody works in: what is written there, no program outside obeys. */
  readonly inCopies?: boolean;
}

/** A running container with a folder of this machine in it, at the same path. */
export class Container {
  readonly #engine: string;
  readonly #name = `waymark-${randomBytes(6).toString('hex')}`;
  #exchange: string | undefined;
  #main: ChildProcess | undefined;
  #started: Promise<void> | undefined;
  readonly #unwanted = new AbortController();

  /** `folders`: absolute. Nothing is made or started yet. Throws an `Error` in words where there is no such engine. */
  constructor(
    readonly settings: ContainerSettings,
    readonly folders: readonly string[],
    private readonly use: ContainerUse = {},
  ) {
    this.#engine = engineOf(settings, folders);
  }

  /** The folder of the files that commands are read from; inside it cannot be written. */
  get commands(): string {
    return this.#exchanged('commands');
  }

  /** The folder of what commands print. */
  get outputs(): string {
    return this.#exchanged('outputs');
  }

  #exchanged(name: string): string {
    this.#exchange ??= makeTemporary('waymark-container-');
    const folder = path.join(this.#exchange, name);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Whether programs inside reach no network. */
  get hasNoNetwork(): boolean {
    return givenToContainer(this.settings.runArgs).hasNoNetwork;
  }

  /** Words of the person that may give it more of this machine than the folders. */
  get moreGiven(): readonly string[] {
    return givenToContainer(this.settings.runArgs).more;
  }

  /**
   * Whether a program inside can do no harm outside. In a folder that people work in it can: nothing keeps it from
   * files that Git and editors obey there.
   */
  get isConfined(): boolean {
    return this.use.inCopies === true && this.hasNoNetwork && this.moreGiven.length === 0;
  }

  get isAlive(): boolean {
    return this.#main?.exitCode === null && this.#main.signalCode === null;
  }

  /** Starts it, once. Throws an `Error` in words. */
  start(): Promise<void> {
    return (this.#started ??= this.#start());
  }

  /** The words that run a program inside. `mark`: found in the variables of all that it starts. */
  wordsFor(program: readonly string[], mark: string): { readonly program: string; readonly arguments: string[] } {
    const { env, forwardEnv } = this.settings;
    // The engine finds their values in its own variables: words of a program are seen by everybody on the machine.
    const forwarded = forwardEnv.filter((name) => process.env[name] !== undefined && env[name] === undefined);
    const variables = { ...gitTrusts, ...env, WAYMARK_SHELL: mark };
    const given = [...forwarded, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
    const options = given.flatMap((each) => ['--env', each]);
    const words = ['exec', '--interactive', '--workdir', this.folders[0]!, ...options, this.#name, ...program];
    return { program: this.#engine, arguments: words };
  }

  /** Sends a signal to all that a shell started, and to itself where it is not spared. */
  async signal(name: 'INT' | 'KILL', shell: ShellInside, isSpared = false): Promise<void> {
    if (!this.isAlive) return;
    const words = ['sh', '-c', signaller, 'sh', name, shell.mark, shell.number, isSpared ? 'spared' : ''];
    await call(this.#engine, ['exec', this.#name, ...words], engineMs);
  }

  /** Copies a folder of it to one that is there. Throws an `Error` in words. */
  async copyOut(folder: string, to: string): Promise<void> {
    const { image, pullSeconds } = this.settings;
    const copied = await call(this.#engine, ['cp', `${this.#name}:${folder}/.`, to], pullSeconds * 1000);
    if (copied.code === 0) return;
    const why = lastLine(copied.stderr) || 'it took too long';
    throw new Error(`${folder} could not be copied out of ${image}: ${why}`);
  }

  /** Ends it, and all that runs in it. One that starts, or waits for its image, is given up. */
  async stop(): Promise<void> {
    this.#unwanted.abort();
    try {
      await this.#started?.catch(() => undefined);
      const main = this.#main;
      if (main) {
        await this.#giveToOwner();
        const ended = new Promise((resolve) => main.once('close', resolve));
        const isOver = !this.isAlive;
        main.stdin?.end();
        await call(this.#engine, ['rm', '--force', this.#name], engineMs);
        main.kill('SIGKILL');
        if (!isOver) await ended;
      }
    } finally {
      this.#removeExchange();
    }
  }

  #removeExchange(): void {
    if (this.#exchange === undefined) return;
    try {
      removeTemporary(this.#exchange);
    } catch {
      // A command made something there that this account cannot remove. The work itself is done.
    }
  }

  /** The words that start it. */
  get startingWords(): string[] {
    const { image, runArgs, lifetime } = this.settings;
    const mounts = [
      ...this.#mounts(this.folders, ''),
      ...this.#mounts([this.outputs], ''),
      ...this.#mounts([this.commands], ',readonly'),
    ];
    const [folder] = this.folders;
    const place = folder === undefined ? [] : ['--workdir', folder];
    const identity = ['--user', '0:0', '--security-opt', 'label=disable', '--entrypoint', 'sh'];
    const passedOn = proxyVariables.filter((name) => process.env[name] !== undefined);
    const variables = passedOn.flatMap((name) => ['--env', `${name}=`]);
    const words = ['run', '--interactive', '--name', this.#name, ...place, ...identity, ...variables];
    return [...words, ...mounts, ...runArgs, image, '-c', keeper, 'waymark', lifetime];
  }

  async #start(): Promise<void> {
    const { image, pullSeconds } = this.settings;
    if (this.#unwanted.signal.aborted) throw new Error(`The container of ${image} was ended.`);
    // Its folder is none of the task: what ends the processes of a task must not end it before it is asked to.
    const main = spawn(this.#engine, this.startingWords, { cwd: '/', stdio: 'pipe' });
    this.#main = main;
    let printed = '';
    let problem = '';
    main.stdin.on('error', () => undefined);
    main.stderr.setEncoding('utf8').on('data', (text: string) => (problem = (problem + text).slice(-4000)));
    const why = await new Promise<string | undefined>((resolve) => {
      const late = setTimeout(
        () => resolve(`It took longer than ${pullSeconds} seconds (--pull-timeout).`),
        pullSeconds * 1000,
      );
      const end = (words: string | undefined): void => {
        clearTimeout(late);
        resolve(words);
      };
      this.#unwanted.signal.addEventListener('abort', () => end('It was ended before.'), { once: true });
      main.on('error', ({ message }) => end(message));
      main.on('close', () => end(lastLine(problem) || 'It ended at once.'));
      main.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (/^ready\r?$/m.test(printed)) end(undefined);
      });
    });
    if (why === undefined) return;
    main.stdin.end();
    main.kill('SIGKILL');
    await call(this.#engine, ['rm', '--force', this.#name], engineMs);
    throw new Error(`The container of ${image} did not start: ${why}`);
  }

  #mounts(places: readonly string[], how: string): string[] {
    const odd = places.find((place) => /[,"\n]/.test(place));
    if (odd !== undefined) throw new Error(`${odd} cannot be shown to a container, because its name holds a comma.`);
    return places.flatMap((place) => {
      const inside = [place, ...(how === '' && place === this.folders[0] ? [this.settings.cwd ?? place] : [])];
      return [...new Set(inside)].flatMap((at) => ['--mount', `type=bind,source=${place},target=${at}${how}`]);
    });
  }

  /** This account must be able to read and to remove what root of the container made. */
  async #giveToOwner(): Promise<void> {
    if (!this.isAlive) return;
    const words = ['exec', this.#name, 'sh', '-c', giver, 'sh', ...this.folders, this.outputs];
    await call(this.#engine, words, engineMs);
  }
}

/** Inside, folders belong to another user than the one who asks Git about them. */
const gitTrusts = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };

/** Throws in words where no engine can be used. `folders`: no program in them is taken for one. */
export async function needEngine(settings: ContainerSettings): Promise<void> {
  const engine = engineOf(settings, []);
  const { code, stderr } = await call(engine, ['ps', '--quiet'], engineMs);
  if (code === 0) return;
  throw new Error(
    `${settings.executable} is installed and does not answer: ${lastLine(stderr) || 'it ended without words'}. Start it, or leave --environment out.`,
  );
}

/**
 * Copies a folder of an image to a place that is there, out of a container that ends with this process. Throws an
 * `Error` in words.
 */
export async function copyFromImage(settings: ContainerSettings, folder: string, to: string): Promise<void> {
  const container = new Container(settings, []);
  try {
    await container.start();
    await container.copyOut(folder, to);
  } finally {
    await container.stop();
  }
}

function engineOf({ executable, image }: ContainerSettings, folders: readonly string[]): string {
  if (process.platform === 'win32')
    throw new Error('Containers can be used on Linux and macOS. Leave --environment out.');
  if (!isImageName(image)) throw new Error(`${image} is no name of an image. Write it as in python:3.11.`);
  if (path.isAbsolute(executable)) return executable;
  const [found] = onPath(executable, folders);
  if (found !== undefined) return found;
  throw new Error(
    `There is no ${executable} on the PATH, so no container can be started. Install Docker or Podman, or leave --environment out.`,
  );
}

/** Docker ends its words with where more of them are: "Run 'docker run --help' for more information". */
const isHint = (line: string): boolean => /^(?:Run|See) '[^']*--help'/.test(line);

/** The line of the output in which an engine reports its error. */
function lastLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '' && !isHint(line)) ?? '';
}

/** Runs the engine to its end. */
function call(engine: string, words: readonly string[], timeoutMs: number): Promise<EngineEnd> {
  return new Promise((resolve) => {
    const child = spawn(engine, words, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(-4000)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-4000)));
    const limit = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('error', ({ message }) => {
      clearTimeout(limit);
      resolve({ code: null, stdout, stderr: message });
    });
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code, stdout, stderr });
    });
  });
}
