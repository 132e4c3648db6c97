import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readRunArguments, isImageName, type ContainerSettings } from '../../core/ports/containerSettings';
import { makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { onPath } from '../processes/onPath';

/**
 * The main program of a container: ends after a time limit, or when its input is closed. So nothing remains when the
 * process that started it is killed.
 */
const keeper = [
  'exec 3<&0 </dev/null',
  'sleep "$1" & limit=$!',
  '{ cat <&3 >/dev/null; kill "$limit"; } 2>/dev/null &',
  'echo ready',
  'wait "$limit"',
].join('\n');

/**
 * Sends a signal to every process with a mark in its environment, all at once and to the shell first: a shell whose
 * command ends before it gets the signal continues with the next one. `$1`: signal, `$2`: mark, `$3`: process id of the
 * shell, `$4`: whether to spare the shell.
 */
const signaller = [
  // A process started during the search is found in the next pass, but no process is interrupted twice.
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
 * Gives the entries of a folder that belong to others to the folder's owner: commands run as root of the container,
 * which may be root of this machine. Nobody else gets access. `$@`: the folders.
 */
const giver = [
  'for folder in "$@"; do',
  '  owner=$(stat -c %u "$folder") && group=$(stat -c %g "$folder") || continue',
  '  find "$folder" ! -user "$owner" -exec chown -h "$owner:$group" {} +',
  'done',
].join('\n');

/**
 * Podman passes these to containers by default, and they may contain a password. Users who need them inside can forward
 * them.
 */
const proxyVariables = ['http_proxy', 'https_proxy', 'ftp_proxy', 'no_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

const engineMs = 30_000;

/** Output of an engine, and how it ended. */
interface EngineEnd {
  /** Null if a signal ended it, or it could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A shell in a container. */
export interface ShellInside {
  /** Found in the environment of all processes that it starts. */
  readonly mark: string;
  /** Its process id inside the container; empty if unknown. */
  readonly number: string;
}

interface ContainerUse {
  /** True if the folders are copies that nobody works in: no program outside uses what is written there. */
  readonly inCopies?: boolean;
}

/** A running container with folders of this machine mounted at the same paths. */
export class Container {
  readonly #engine: string;
  readonly #name = `waymark-${randomBytes(6).toString('hex')}`;
  #exchange: string | undefined;
  #main: ChildProcess | undefined;
  #started: Promise<void> | undefined;
  readonly #unwanted = new AbortController();

  /**
   * `folders`: absolute. Creates and starts nothing yet. Throws an `Error` with a message for people if the engine does
   * not exist.
   */
  constructor(
    readonly settings: ContainerSettings,
    readonly folders: readonly string[],
    private readonly use: ContainerUse = {},
  ) {
    this.#engine = engineOf(settings, folders);
  }

  /** Folder of the command files; read-only inside the container. */
  get commands(): string {
    return this.#exchangeFolder('commands');
  }

  /** Folder of the commands' output. */
  get outputs(): string {
    return this.#exchangeFolder('outputs');
  }

  #exchangeFolder(name: string): string {
    this.#exchange ??= makeTemporary('waymark-container-');
    const folder = path.join(this.#exchange, name);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** True if programs inside have no network. */
  get hasNoNetwork(): boolean {
    return readRunArguments(this.settings.runArgs).hasNoNetwork;
  }

  /** The user's arguments that may expose more of this machine than the folders. */
  get moreGiven(): readonly string[] {
    return readRunArguments(this.settings.runArgs).more;
  }

  /**
   * True if a program inside can do no harm outside. In a folder that people work in it can: it may write files that
   * Git and editors use.
   */
  get isConfined(): boolean {
    return this.use.inCopies === true && this.hasNoNetwork && this.moreGiven.length === 0;
  }

  get isAlive(): boolean {
    return this.#main?.exitCode === null && this.#main.signalCode === null;
  }

  /** Starts it, once. Throws an `Error` with a message for people. */
  start(): Promise<void> {
    return (this.#started ??= this.#start());
  }

  /**
   * Returns the command line that runs a program inside. `mark`: found in the environment of all processes that it
   * starts.
   */
  wordsFor(program: readonly string[], mark: string): { readonly program: string; readonly arguments: string[] } {
    const { env, forwardEnv } = this.settings;
    // The engine reads their values from its own environment: command line arguments are visible to everybody on the
    // machine.
    const forwarded = forwardEnv.filter((name) => process.env[name] !== undefined && env[name] === undefined);
    const variables = { ...gitTrusts, ...env, WAYMARK_SHELL: mark };
    const variablesGiven = [...forwarded, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
    const options = variablesGiven.flatMap((each) => ['--env', each]);
    const words = ['exec', '--interactive', '--workdir', this.folders[0]!, ...options, this.#name, ...program];
    return { program: this.#engine, arguments: words };
  }

  /** Sends a signal to everything that a shell started, and to the shell itself unless it is spared. */
  async signal(
    name: 'INT' | 'KILL',
    shell: ShellInside,
    { isSpared = false }: { readonly isSpared?: boolean } = {},
  ): Promise<void> {
    if (!this.isAlive) return;
    const words = ['sh', '-c', signaller, 'sh', name, shell.mark, shell.number, isSpared ? 'spared' : ''];
    await call(this.#engine, ['exec', this.#name, ...words], engineMs);
  }

  /** Copies a folder of the container to an existing one. Throws an `Error` with a message for people. */
  async copyOut(folder: string, to: string): Promise<void> {
    const { image, pullSeconds } = this.settings;
    const copied = await call(this.#engine, ['cp', `${this.#name}:${folder}/.`, to], pullSeconds * 1000);
    if (copied.code === 0) return;
    const why = lastLine(copied.stderr) || 'it took too long';
    throw new Error(`${folder} could not be copied out of ${image}: ${why}`);
  }

  /** Stops it, and everything running in it. Cancels a start that is still in progress or waits for its image. */
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
      // A command created something that this account cannot delete. The work itself is done.
    }
  }

  /** Arguments that start it. */
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
    // Its working folder is unrelated to the task: whatever ends the processes of a task must not end the container
    // early.
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
      this.#unwanted.signal.addEventListener('abort', () => end('It was ended before it started.'), { once: true });
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
    if (odd !== undefined)
      throw new Error(
        `${odd} cannot be mounted in a container, because its name contains a comma, a quote or a line break.`,
      );
    return places.flatMap((place) => {
      const inside = [place, ...(how === '' && place === this.folders[0] ? [this.settings.cwd ?? place] : [])];
      return [...new Set(inside)].flatMap((at) => ['--mount', `type=bind,source=${place},target=${at}${how}`]);
    });
  }

  /** This account must be able to read and delete what root of the container created. */
  async #giveToOwner(): Promise<void> {
    if (!this.isAlive) return;
    const words = ['exec', this.#name, 'sh', '-c', giver, 'sh', ...this.folders, this.outputs];
    await call(this.#engine, words, engineMs);
  }
}

/** Inside, the folders belong to a different user than the one who runs Git on them. */
const gitTrusts = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };

/**
 * Throws an `Error` with a message for people if no engine can be used. `folders`: programs inside them are not
 * accepted as engines.
 */
export async function needEngine(settings: ContainerSettings): Promise<void> {
  const engine = engineOf(settings, []);
  const { code, stderr } = await call(engine, ['ps', '--quiet'], engineMs);
  if (code === 0) return;
  const why = lastLine(stderr).replace(/(?<![.?!])[.?!]+$/, '') || 'it ended without a message';
  throw new Error(`${settings.executable} is installed but does not answer: ${why}. Start it, or omit --environment.`);
}

/**
 * Copies a folder of an image to an existing place, through a container that ends with this process. Throws an `Error`
 * with a message for people.
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
    throw new Error('Containers can be used on Linux and macOS only. Omit --environment.');
  if (!isImageName(image)) throw new Error(`${image} is not the name of an image. Write it like python:3.11.`);
  if (path.isAbsolute(executable)) return executable;
  const [found] = onPath(executable, folders);
  if (found !== undefined) return found;
  throw new Error(
    `There is no ${executable} on the PATH, so no container can be started. Install Docker or Podman, or omit --environment.`,
  );
}

/** Docker ends its messages with a hint: "Run 'docker run --help' for more information". */
const isHint = (line: string): boolean => /^(?:Run|See) '[^']*--help'/.test(line);

/** Returns the line of the output in which an engine reports its error. */
function lastLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '' && !isHint(line)) ?? '';
}

/** Runs the engine until it exits. */
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
