import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { TaskResult } from '../../../src/core/batch/taskResult';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { cliWords, ensureBuilt, keepsCompiledCode, type Ended } from '../support/commandLine';

/** A line of a script: the model's text, reasoning and calls. */
export const step = (command: string): object => ({
  reasoning: 'One step.',
  say: 'Working.',
  call: { tool: 'run_command', input: { command } },
});
export const finish = (summary = 'Done.'): object => ({
  say: 'Done.',
  call: { tool: 'finish', input: { summary } },
});

export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** A machine with a dataset. The batch reads and writes in one folder; its temporary files are in another. */
export class BatchMachine {
  readonly #home: TemporaryWorkspace = temporaryWorkspace();
  readonly #processes: ChildProcess[] = [];
  readonly environment: NodeJS.ProcessEnv;

  constructor() {
    ensureBuilt();
    fs.mkdirSync(this.at('tmp'));
    this.environment = {
      PATH: process.env['PATH'],
      HOME: this.at('home'),
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      TMPDIR: this.at('tmp'),
      XDG_STATE_HOME: this.at('state'),
    };
    fs.mkdirSync(this.at('home'));
    keepsCompiledCode(this.at('state'));
  }

  at(...names: string[]): string {
    return this.#home.at(path.join(...names));
  }

  write(name: string, text: string): string {
    fs.mkdirSync(path.dirname(this.at(name)), { recursive: true });
    fs.writeFileSync(this.at(name), text);
    return this.at(name);
  }

  read(name: string): string {
    return fs.readFileSync(this.at(name), 'utf8');
  }

  json(name: string): Record<string, unknown> {
    return JSON.parse(this.read(name)) as Record<string, unknown>;
  }

  /** Parses the lines of a file as JSON. Returns an empty array if the file is missing. */
  lines(name: string): Record<string, unknown>[] {
    if (!fs.existsSync(this.at(name))) return [];
    return this.read(name)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  results(out = 'out'): TaskResult[] {
    return this.lines(`${out}/results.jsonl`).map((line) => TaskResult.parse(line));
  }

  /** Copies of tasks that were not removed. */
  leftovers(): string[] {
    return fs.readdirSync(this.at('tmp')).filter((name) => name.startsWith('waymark-'));
  }

  start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
    const child = spawn(process.execPath, [...cliWords, ...args], {
      cwd: this.#home.root,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#processes.push(child);
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text;
      });
    return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, ...printed }))) };
  }

  /** Runs `waymark batch tasks.jsonl --out out` with a script for all tasks, to its end. */
  batch(...options: string[]): Promise<Ended> {
    return this.start('batch', 'tasks.jsonl', '--out', 'out', '--confirm', 'never', ...options).ended;
  }

  stop(): void {
    for (const child of this.#processes) child.kill('SIGKILL');
    this.#home.stop();
  }
}

/** Calls `use` with such a machine, and removes it afterwards. */
export async function onBatchMachine(use: (machine: BatchMachine) => Promise<void>): Promise<void> {
  const machine = new BatchMachine();
  try {
    await use(machine);
  } finally {
    machine.stop();
  }
}
