import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import type { Event } from '../../../src/protocol/events/event';
import { startModelServer, type Answering, type ModelServer, type ModelServerOptions } from '../../support/modelServer';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const repository = process.env['REPOSITORY']!;

/** The file that `npx waymark` runs. */
export const cliFile = path.join(repository, 'dist/cli.js');

/**
 * Arguments of Node that start it. With more memory for new objects (in MB), a short process collects no garbage, which
 * saves a sixth of its CPU time.
 */
export const cliWords: readonly string[] = ['--min-semi-space-size=16', cliFile];

let isBuilt = false;

/** Builds dist/ if it is missing or older than the sources: the tests run the shipped program. */
export function ensureBuilt(): void {
  if (isBuilt) return;
  isBuilt = true;
  const newest = Math.max(
    ...fs
      .readdirSync(path.join(repository, 'src'), { recursive: true, encoding: 'utf8' })
      .map((name) => fs.statSync(path.join(repository, 'src', name)).mtimeMs),
  );
  if ((fs.statSync(cliFile, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= newest) return;
  const { status, stderr } = spawnSync(process.execPath, [path.join(repository, 'esbuild.js')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The build failed.\n${stderr}`);
}

/**
 * Living processes whose working folder is `folder`, by their ids outside the sandbox, which differ from the ids
 * inside.
 */
export const processesIn = (folder: string): string[] =>
  fs.readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && fs.readlinkSync(`/proc/${name}/cwd`) === fs.realpathSync(folder);
    } catch {
      return false;
    }
  });

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A user's machine: a folder to work in, a home, a model server. */
export interface Machine {
  readonly server: ModelServer;
  readonly workspace: TemporaryWorkspace;
  readonly log: string;
  readonly environment: NodeJS.ProcessEnv;
  /** "run", the task, the server, the log and the options. */
  args(task: string, ...options: string[]): string[];
  /** Runs to the end. */
  run(task: string, ...options: string[]): Promise<Ended>;
  start(args: readonly string[], environment?: NodeJS.ProcessEnv): Running;
  events(): Event[];
}

/** Records in this state of Waymark that the user has worked in the folder before. */
function trustsFolder(stateHome: string, folder: string): void {
  const state = path.join(stateHome, 'waymark');
  fs.mkdirSync(state, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(state, 'trusted-folders.json'), JSON.stringify([fs.realpathSync(folder)]));
}

/**
 * Gives this state of Waymark the kept code of earlier starts, as most users have. That halves the time of a start.
 * `scripts/unit.mjs` creates it once for all tests. The files are links: Waymark replaces them and never changes them.
 */
export function keepsCompiledCode(stateHome: string): void {
  const kept = process.env['WAYMARK_TEST_CODE'];
  if (kept === undefined) return;
  const folder = path.join(stateHome, 'waymark/code');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of fs.readdirSync(kept)) fs.linkSync(path.join(kept, name), path.join(folder, name));
}

/** The folder of the kept code on a machine. */
export const codeFolderOf = (environment: NodeJS.ProcessEnv): string =>
  path.join(environment['XDG_STATE_HOME']!, 'waymark/code');

export async function onMachine<T>(
  answers: readonly Answering[],
  use: (machine: Machine) => Promise<T>,
  options: ModelServerOptions = {},
): Promise<T> {
  const server = await startModelServer(answers, options);
  const [workspace, home] = [temporaryWorkspace(), temporaryWorkspace()];
  const log = home.at('session.jsonl');
  const environment = {
    PATH: process.env['PATH'],
    HOME: home.root,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    XDG_STATE_HOME: home.at('state'),
  };
  trustsFolder(environment.XDG_STATE_HOME, workspace.root);
  keepsCompiledCode(environment.XDG_STATE_HOME);
  const args = (task: string, ...more: string[]) => [
    'run',
    task,
    '--base-url',
    server.baseUrl,
    '--model',
    'gpt-5',
    '--log',
    log,
    ...(more.includes('--cwd') ? [] : ['--cwd', workspace.root]),
    ...more,
  ];
  const start = (given: readonly string[], more: NodeJS.ProcessEnv = {}): Running => {
    const child = spawn(process.execPath, [...cliWords, ...given], {
      cwd: workspace.root,
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text;
      });
    return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, ...printed }))) };
  };
  try {
    return await use({
      server,
      workspace,
      log,
      environment,
      args,
      start,
      run: (task, ...more) => start(args(task, ...more)).ended,
      events: () => readEventLog(log).events,
    });
  } finally {
    await server.stop();
    workspace.stop();
    home.stop();
  }
}

/** Waits until a condition is true. Fails with `what` after a minute. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs a command with `--json` and parses what it prints. */
export async function jsonFrom(machine: Machine, ...args: string[]): Promise<{ code: number | null; value: any }> {
  const { code, stdout, stderr } = await machine.start([...args, '--json']).ended;
  assert.notEqual(stdout, '', stderr);
  return { code, value: JSON.parse(stdout) };
}

/** The folder in which a machine keeps its worktrees. */
export const worktreesOf = ({ environment }: Machine): string =>
  path.join(environment['XDG_STATE_HOME']!, 'waymark-worktrees');

/** The names of the worktrees of a machine. */
export const worktreesIn = (machine: Machine): string[] => {
  const folder = worktreesOf(machine);
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};
