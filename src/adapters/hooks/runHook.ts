import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { HookEnd } from '../../core/hooks/outcome';
import { killFamily, signal as send, type ProcessFamily } from '../processes/processTree';

export interface HookProgram {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Absolute path. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** Maximum number of characters to keep of each output; the rest is discarded. */
const maxOutputCharacters = 64 * 1024;

/**
 * Runs a program in its own process group and waits until it exits, is stopped or times out. No child process outlives
 * it. Never rejects.
 */
export function runHook(
  { program, arguments: args, folder, environment, input, seconds, signal }: HookProgram,
  began: (family: ProcessFamily) => void = () => undefined,
): Promise<HookEnd> {
  const start = performance.now();
  const texts = { stdout: '', stderr: '' };
  let cut = false;
  const ended = (exit: number | null, problem?: string): HookEnd => ({
    exit,
    ...texts,
    cut,
    durationMs: performance.now() - start,
    ...(problem !== undefined && { problem }),
  });
  if (signal.aborted) return Promise.resolve(ended(null, 'was not started, because the run was stopped'));
  return new Promise((resolve) => {
    const mark = `OPENHANDS_HOOK_RUN=${randomUUID()}`;
    const [name = '', value = ''] = mark.split('=');
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...environment, [name]: value },
      detached: process.platform !== 'win32',
      stdio: 'pipe',
      windowsHide: true,
      windowsVerbatimArguments: process.platform === 'win32',
    });
    const family: ProcessFamily | undefined =
      child.pid === undefined ? undefined : { shell: child.pid, mark, outputs: '\0', device: undefined };
    if (family) began(family);
    let over = false;
    const finish = (exit: number | null, problem?: string): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      if (family) send(-family.shell, 'SIGKILL');
      const done =
        problem !== undefined && family ? killFamily(family, { shell: true, politeMs: 0 }) : Promise.resolve();
      void done.catch(() => undefined).then(() => resolve(ended(exit, problem)));
    };
    const stopped = (): void => finish(null, 'was stopped with the run');
    const timer = setTimeout(() => finish(null, `took longer than ${seconds} s and was ended`), seconds * 1000);
    signal.addEventListener('abort', stopped, { once: true });
    for (const output of ['stdout', 'stderr'] as const) {
      child[output].setEncoding('utf8');
      child[output].on('data', (text: string) => {
        cut ||= texts[output].length + text.length > maxOutputCharacters;
        texts[output] += text.slice(0, maxOutputCharacters - texts[output].length);
      });
    }
    child.stdin.on('error', () => {
      /* the hook does not read its input */
    });
    child.stdin.end(input);
    child.on('error', (problem) => finish(null, `could not be started (${problem.message})`));
    child.on('close', (code, killed) => finish(code, code === null ? `was ended by ${killed}` : undefined));
    // Background processes may keep its outputs open.
    child.on('exit', (code, killed) =>
      setTimeout(() => finish(code, code === null ? `was ended by ${killed}` : undefined), 300).unref(),
    );
  });
}
