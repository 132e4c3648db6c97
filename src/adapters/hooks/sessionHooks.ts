import fs from 'node:fs';
import path from 'node:path';
import type { Hooks } from '../../core/agent/agentParts';
import type { HookEnd } from '../../core/hooks/outcome';
import { findSandbox, notFoundOut } from '../sandbox/findSandbox';
import type { Sandbox, SandboxOrNot, SandboxSetting } from '../sandbox/sandbox';
import { makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { childEnvironment } from '../processes/childEnvironment';
import { killFamily, relatives, type ProcessFamily } from '../processes/processTree';
import { hooksChange, type HookFile } from './hookFiles';
import { runHook } from './runHook';

export interface SessionHooksParts {
  /** Absolute path of the workspace folder. */
  readonly root: string;
  readonly session: string;
  readonly sandbox: SandboxSetting;
  /** Names of additional environment variables that hooks receive. */
  readonly passEnvironment?: readonly string[];
  /** The hooks files that exist, or existed when they were approved. */
  files(): Promise<readonly HookFile[]>;
  /** Returns whether a person approved the current content of this file and of its scripts. */
  agreed(file: HookFile): boolean;
  /** Returns whether the file was approved once and has changed since, and nobody decided to continue without it. */
  changed(file: HookFile): boolean;
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
  /** Aborts hooks whose result is not needed any more. */
  readonly #over = new AbortController();

  constructor(private readonly parts: SessionHooksParts) {}

  readonly current: Hooks['current'] = async () => {
    const files = await this.parts.files();
    const changed = files.filter((file) => this.parts.changed(file)).map(hooksChange);
    if (changed.length > 0) this.parts.onChanged?.();
    const problems = files.flatMap(({ path: file, problems: found }) =>
      found.map(({ message, from }) => `${file}:${from.line}:${from.column}: ${message}`),
    );
    return {
      hooks: files.filter((file) => this.parts.agreed(file)).flatMap(({ hooks }) => hooks),
      changed,
      problems: problems.slice(0, maxProblems),
    };
  };

  readonly run: Hooks['run'] = async (hook, input, signal) => {
    const { root, session, passEnvironment = [] } = this.parts;
    try {
      const inner =
        process.platform === 'win32'
          ? { program: process.env['ComSpec'] ?? 'cmd.exe', arguments: ['/d', '/s', '/c', `"${hook.command}"`] }
          : { program: '/bin/sh', arguments: ['-c', hook.command] };
      const sandbox = await this.#confining();
      const environment = {
        ...childEnvironment(process.env, passEnvironment),
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
