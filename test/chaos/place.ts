import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { cliWords, keepsCompiledCode } from '../cli/support/commandLine';
import { startModelServer, type Answer, type ModelServer } from '../support/modelServer';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { Chance } from './chance';
import { Story } from './story';

/** Everything that a run of the command line printed, line by line in order of arrival. */
export interface Shown {
  readonly json: boolean;
  /** Complete lines of stdout. */
  readonly lines: readonly string[];
  readonly stderr: () => string;
}

/** A run that was started without a terminal. */
export interface ShownRun extends Shown {
  readonly child: ChildProcess;
  /** Rejects if the program does not end within `patience`. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface StartOptions {
  readonly task?: string;
  readonly json?: boolean;
  readonly log?: string;
  readonly options?: readonly string[];
  /** The Node.js executable that runs it; by default that of the tests. */
  readonly node?: string;
  /** A wrapper program that starts it, with arguments. */
  readonly under?: readonly string[];
  readonly stdio?: StdioOptions;
  onLine?(line: string): void;
}

/** Timeout of a run, set in seconds by CHAOS_PATIENCE. Default: two minutes; a busy machine needs more. */
const patience = Number(process.env['CHAOS_PATIENCE'] ?? 120) * 1000;

interface PlaceParts {
  readonly seed: number;
  readonly workspace: string;
  readonly home: string;
  readonly temporary: string;
  readonly chance: Chance;
  readonly story: Story;
  readonly server: ModelServer;
  stopAll(): Promise<void>;
}

/** A temporary machine: a working folder, a home, a folder for temporary files, and a model server with a story. */
export class Place {
  /** All runs of this place, in order. */
  readonly runs: Shown[] = [];
  private readonly children: ChildProcess[] = [];
  /** Path of the log; a kind may change it before it starts a run. */
  log: string;

  readonly seed: number;
  readonly workspace: string;
  readonly home: string;
  readonly temporary: string;
  readonly chance: Chance;
  readonly story: Story;
  private readonly server: ModelServer;
  private readonly stopAll: () => Promise<void>;

  private constructor({ seed, workspace, home, temporary, chance, story, server, stopAll }: PlaceParts) {
    this.seed = seed;
    this.workspace = workspace;
    this.home = home;
    this.temporary = temporary;
    this.chance = chance;
    this.story = story;
    this.server = server;
    this.stopAll = stopAll;
    this.log = path.join(home, 'logs', 'session.jsonl');
  }

  static async make(seed: number): Promise<Place> {
    const chance = new Chance(seed);
    const story = new Story(new Chance(seed + 1_000_003), 2 + chance.below(5));
    const server = await startModelServer((): Answer => story.answer());
    const root = temporaryWorkspace();
    const [workspace, home, temporary] = ['workspace', 'home', 'temporary'].map((name) => root.at(name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [workspace, home, temporary]) fs.mkdirSync(folder);
    keepsCompiledCode(path.join(home, 'state'));
    fs.writeFileSync(path.join(workspace, 'a.txt'), 'hello\n');
    const stopAll = async (): Promise<void> => {
      await server.stop();
      root.stop();
    };
    return new Place({ seed, workspace, home, temporary, chance, story, server, stopAll });
  }

  /** Returns the command line that a user would type, and its environment. */
  commandOf(given: StartOptions = {}): { readonly words: readonly string[]; readonly environment: NodeJS.ProcessEnv } {
    const {
      task = 'Do the work.',
      json = true,
      log = this.log,
      options = [],
      under = [],
      node = process.execPath,
    } = given;
    const server = ['--base-url', this.server.baseUrl, '--model', 'gpt-5'];
    const places = ['--log', log, '--cwd', this.workspace];
    const always = ['--confirm', 'never', '--trust-folder', ...(json ? ['--json'] : [])];
    return {
      words: [...under, node, ...cliWords, 'run', task, ...server, ...places, ...always, ...options],
      environment: {
        PATH: process.env['PATH'],
        HOME: this.home,
        TMPDIR: this.temporary,
        LANG: 'C.UTF-8',
        SHELL: '/bin/bash',
        XDG_STATE_HOME: path.join(this.home, 'state'),
      },
    };
  }

  /** Starts the built command line as a user does. */
  start(given: StartOptions = {}): ShownRun {
    const { json = true, stdio = ['ignore', 'pipe', 'pipe'] } = given;
    const { words, environment } = this.commandOf(given);
    const [command, ...args] = words;
    const child = spawn(command!, args, { cwd: this.workspace, env: environment, stdio });
    const lines: string[] = [];
    let unended = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (unended + text).split('\n');
      unended = parts.pop()!;
      for (const line of parts) {
        lines.push(line);
        given.onLine?.(line);
      }
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const run: ShownRun = { child, json, lines, stderr: () => stderr, ended: endOf(child) };
    run.ended.catch(() => undefined);
    this.runs.push(run);
    this.children.push(child);
    return run;
  }

  /** Starts the command line again, as a user does after a crash, and waits for its end. Returns its exit code. */
  async startAgain(given: StartOptions = {}): Promise<number | null> {
    this.story.goesOn();
    const task = fs.existsSync(given.log ?? this.log) ? 'Go on.' : 'Do the work.';
    const { ended } = this.start({ task, ...given });
    const { code } = await ended;
    return code;
  }

  /** The folder that contains everything else. */
  get root(): string {
    return path.dirname(this.workspace);
  }

  async stop(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    await this.stopAll();
  }
}

function endOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the program did not end within ${patience / 1000} s`));
    }, patience);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal });
    });
  });
}
