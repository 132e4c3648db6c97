import * as esbuild from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const repository = process.env['REPOSITORY']!;

/** Bundles a program of test/faults/support into one file. Its folder is removed when the tests end. */
export function programNamed(name: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-program-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const outfile = path.join(folder, `${name}.mjs`);
  esbuild.buildSync({
    entryPoints: [path.join(repository, 'test/faults/support', `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return outfile;
}

/** Returns why system calls cannot be made to fail here, or undefined if they can. */
export function withoutInjection(): string | undefined {
  const { status, error } = spawnSync(
    'strace',
    ['-f', '-e', 'inject=fdatasync:error=EIO', '-e', 'trace=fdatasync', 'true'],
    { stdio: 'ignore' },
  );
  return status === 0
    ? undefined
    : `strace cannot be used here (${error ? 'it is not installed' : 'tracing is not allowed'})`;
}

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** Runs a program to its end. `under`: a wrapper program that starts it, with its arguments. */
export async function ran(
  program: string,
  args: readonly string[],
  { under = [] as readonly string[], onLine = (_line: string): void => {} } = {},
): Promise<Ended> {
  const [command, ...rest] = [...under, process.execPath, program, ...args];
  const child = spawn(command!, rest, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  }); // strace counts the calls of each thread
  const lines: string[] = [];
  let pending = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (pending + text).split('\n');
    pending = parts.pop()!;
    for (const line of parts) {
      lines.push(line);
      onLine(line);
    }
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, lines })));
}
