import fs from 'node:fs';
import path from 'node:path';
import type { Hooks } from '../../core/agent/agentParts';
import type { HookEnd } from '../../core/hooks/outcome';
import { secrets } from '../../core/secrets/secrets';
import { findSandbox, notFoundOut } from '../sandbox/findSandbox';
import type { Sandbox, SandboxOrNot, SandboxSetting } from '../sandbox/sandbox';
import { makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { childEnvironment } from '../processes/childEnvironment';
import { noProgramsOfFolder, programOfWindows } from '../storage/windowsPrograms';
import { killFamily, relatives, type ProcessFamily, signal as send } from '../processes/processTree';
import { hooksChange, type HookFile } from './hookFiles';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

interface SessionHooksParts {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  readonly session: string;
  readonly sandbox: SandboxSetting;
  /** Names of additional environment variables that hooks receive. */
  readonly passEnvironment?: readonly string[];
  /** The hooks files that exist, or existed when they were approved. */
  files(): Promise<readonly HookFile[]>;
  /** Returns whether a person approved the current content of this file and of its scripts. */
  isAgreed(file: HookFile): boolean;
  /** Returns whether the file was approved once and has changed since, and nobody decided to continue without it. */
  isChanged(file: HookFile): boolean;
  /** Called when a step finds changed files. */
  onChanged?(): void;
}

/**
 * The hooks of one session. The hooks to run are determined before each half of a step. Their processes end with them,
 * or with the session.
 */
export class SessionHooks implements Hooks {
  readonly #families = new Set<ProcessFamily>();
  readonly #running = new Set<Promise<unknown>>();
  #found: Promise<SandboxOrNot> | undefined;
  #sandbox: Sandbox | undefined;
  #folder: string | undefined;
  /** Aborts hooks whose result is no longer needed. */
  readonly #over = new AbortController();

  constructor(private readonly parts: SessionHooksParts) {}

  readonly current: Hooks['current'] = async () => {
    const files = await this.parts.files();
    const changed = files.filter((file) => this.parts.isChanged(file)).map(hooksChange);
    if (changed.length > 0) this.parts.onChanged?.();
    const problems = files.flatMap(({ path: file, problems: found }) =>
      found.map(({ message, from }) => `${file}:${from.line}:${from.column}: ${message}`),
    );
    return {
      hooks: files.filter((file) => this.parts.isAgreed(file)).flatMap(({ hooks }) => hooks),
      changed,
      problems: problems.slice(0, maxProblems),
    };
  };

  readonly run: Hooks['run'] = async (hook, input, signal) => {
    const { root, session, passEnvironment = [] } = this.parts;
    try {
      const inner =
        process.platform === 'win32'
          ? {
              program: process.env['ComSpec'] ?? programOfWindows('cmd.exe'),
              arguments: ['/d', '/s', '/c', `"${hook.command}"`],
            }
          : { program: '/bin/sh', arguments: ['-c', hook.command] };
      const sandbox = await this.#confining();
      const environment = {
        ...childEnvironment(process.env, passEnvironment),
        ...noProgramsOfFolder,
        ...sandbox?.environment,
        OPENHANDS_PROJECT_DIR: root,
        CLAUDE_PROJECT_DIR: root,
        OPENHANDS_SESSION_ID: session,
        OPENHANDS_EVENT_TYPE: hook.on,
        ...(input.tool_name !== undefined && { OPENHANDS_TOOL_NAME: input.tool_name }),
      };
      const program = {
        ...(sandbox ? sandbox.wrap(inner.program, inner.arguments, this.#places()) : inner),
        folder: root,
        environment,
        input: JSON.stringify({ ...input, session_id: session }),
        seconds: hook.timeout,
        signal: hook.async ? this.#over.signal : signal,
      };
      let own: ProcessFamily | undefined;
      const running = runHook(program, (family) => {
        own = family;
        this.#families.add(family);
      }).finally(() => {
        if (own) this.#families.delete(own);
      });
      this.#running.add(running);
      void running.then(() => this.#running.delete(running));
      return hook.async ? notAwaited : await running;
    } catch (thrown) {
      return { ...notAwaited, problem: `was not started: ${(thrown as Error).message}` };
    }
  };

  /** Number of live processes of its hooks. */
  processes(): number {
    return [...this.#families].reduce((sum, family) => sum + 1 + relatives(family).length, 0);
  }

  /** Kills all processes of its hooks. */
  async endProcesses(): Promise<void> {
    await Promise.all([...this.#families].map((family) => killFamily(family, { shell: true, politeMs: 0 })));
  }

  async dispose(): Promise<void> {
    this.#over.abort();
    await this.endProcesses();
    await Promise.all(this.#running);
    this.#sandbox?.end();
    if (this.#folder !== undefined) removeTemporary(this.#folder);
  }

  /** Returns the sandbox that commands use, if any. Throws if one is required and none is available. */
  async #confining(): Promise<Sandbox | undefined> {
    const { sandbox: wanted, root } = this.parts;
    if (wanted === 'off') return undefined;
    const found = await (this.#found ??= findSandbox([root]).catch(notFoundOut));
    if ('sandbox' in found) return (this.#sandbox = found.sandbox);
    if (found.exhausted) {
      this.#found = undefined;
      throw new Error(`${found.none}. ${found.next}`);
    }
    if (wanted === 'on')
      throw new Error(`${found.none}, and the setting waymark.sandbox requires a sandbox. ${found.next}`);
    return undefined;
  }

  #places(): { readonly readable: string; readonly writable: string } {
    this.#folder ??= makeTemporary('waymark-hooks-');
    const places = { readable: path.join(this.#folder, 'in'), writable: path.join(this.#folder, 'out') };
    for (const place of Object.values(places)) fs.mkdirSync(place, { recursive: true, mode: 0o700 });
    return places;
  }
}

/** Maximum number of hook problems that a run reports. */
const maxProblems = 5;

const notAwaited: HookEnd = { exit: null, stdout: '', stderr: '', cut: false, durationMs: 0 };

interface HookProgram {
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

/** The rest of a text of the maximum length is unavailable. */
const withoutCutSecret = (text: string): string =>
  text.length < maxOutputCharacters ? text : secrets.maskCutEnds(text, { end: true });

/**
 * Runs a program in its own process group and waits until it exits, is stopped or times out. No child process outlives
 * it. Never rejects.
 */
function runHook(
  { program, arguments: args, folder, environment, input, seconds, signal }: HookProgram,
  began: (family: ProcessFamily) => void = () => undefined,
): Promise<HookEnd> {
  const start = performance.now();
  const texts = { stdout: '', stderr: '' };
  let cut = false;
  const ended = (exit: number | null, problem?: string): HookEnd => ({
    exit,
    stdout: withoutCutSecret(texts.stdout),
    stderr: withoutCutSecret(texts.stderr),
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
    const exited = (code: number | null, killedBy: NodeJS.Signals | null): void =>
      finish(code, code === null ? `was ended by ${killedBy}` : undefined);
    child.on('close', exited);
    // Background processes may keep its outputs open.
    child.on('exit', (code, killedBy) => setTimeout(() => exited(code, killedBy), 300).unref());
  });
}
