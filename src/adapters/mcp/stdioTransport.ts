import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { StdioServer } from '../../core/mcp/server';
import { onPath } from '../processes/onPath';
import { noProgramsOfFolder } from '../storage/windowsPrograms';
import { allowed } from '../processes/childEnvironment';
import { killFamily, relatives, type ProcessFamily } from '../processes/processTree';

/** Maximum size of one message, in bytes. A server that sends more is disconnected. */
const maxMessageBytes = 16 << 20;
const politeMs = 700;
/** Number of messages to accept before a pause of `pauseMs`, which allows 5,000 per second. */
const maxAtOnce = 100;
const pauseMs = 20;

/**
 * Transport to a server over its stdin and stdout. The process leads its own process group, so that everything it
 * starts ends with it. Its environment has only an allow list of variables and those configured for it.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly buffer = new ReadBuffer({ maxBufferSize: maxMessageBytes });
  private readonly mark = `WAYMARK_MCP_SERVER=${crypto.randomUUID()}`;
  private child: ChildProcessWithoutNullStreams | undefined;
  private ended: Promise<void> | undefined;
  private over = false;
  private closing = false;

  /** `server`: with every `${…}` filled in. `onLog` receives its output apart from messages. */
  constructor(
    private readonly server: StdioServer,
    private readonly onLog: (text: string) => void,
  ) {}

  /** Why it ended by itself, as a message; undefined while it runs, or if it was asked to end. */
  end: string | undefined;

  /** Number of its processes. */
  get processes(): number {
    return this.child?.pid === undefined || this.over ? 0 : 1 + relatives(this.family(this.child.pid)).length;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, folder } = this.server;
    const [name, value] = this.mark.split('=') as [string, string];
    const environment = { ...inheritedEnvironment(process.env), ...noProgramsOfFolder, ...env, [name]: value };
    const windows = process.platform === 'win32';
    const program = programFor(command, folder, environment);
    // Scripts on Windows need the shell; then no argument may contain special characters of the shell.
    const script = windows && /\.(cmd|bat)$/i.test(program);
    if (script && [program, ...args].some((word) => /[&|<>^%!"\r\n]/.test(word)))
      throw new Error(
        'Its command cannot be started on Windows: an argument contains a special character of the shell. Name a program that is not a script.',
      );
    const child = spawn(script ? `"${program}"` : program, script ? args.map((word) => `"${word}"`) : [...args], {
      cwd: path.resolve(folder || '.', cwd ?? '.'),
      env: environment,
      stdio: 'pipe',
      detached: !windows,
      windowsHide: true,
      shell: script,
    });
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.over = true;
        if (!this.closing) this.end ??= signal ? `It was ended by ${signal}.` : `It ended with exit code ${code}.`;
        resolve();
        this.onclose?.();
      });
    });
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.onLog(text));
    child.stdout.on('data', (chunk: Buffer) => this.receive(chunk));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', () => resolve());
      child.once('error', (error) => {
        this.end ??= error.message;
        reject(
          new Error(
            (error as NodeJS.ErrnoException).code === 'ENOENT'
              ? `There is no program "${command}", or its working folder does not exist.`
              : error.message,
          ),
        );
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.child?.stdin;
    if (!input || this.over || this.end !== undefined) throw new Error(this.end ?? 'It is not running.');
    await new Promise<void>((resolve) => {
      input.write(serializeMessage(message), () => resolve());
    });
  }

  /** Lets it exit by itself for a moment, then kills it and its child processes. */
  async close(): Promise<void> {
    const { child } = this;
    this.closing = true;
    if (child?.pid === undefined) return;
    const family = this.family(child.pid);
    if (!this.over) {
      child.stdin.end();
      await Promise.race([this.ended, new Promise((resolve) => setTimeout(resolve, politeMs).unref())]);
    }
    await killFamily(family, { shell: !this.over, politeMs: 200 });
    child.stdout.destroy();
    child.stderr.destroy();
    this.buffer.clear();
    await Promise.race([this.ended, new Promise((resolve) => setTimeout(resolve, 2000).unref())]);
  }

  /** `outputs` is no prefix of any path: the server prints to pipes. */
  private family(pid: number): ProcessFamily {
    return { shell: pid, mark: this.mark, outputs: '\0', device: undefined };
  }

  private receive(chunk: Buffer): void {
    try {
      this.buffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.kill(`It sent a message of more than ${maxMessageBytes >> 20} MB.`);
      return;
    }
    this.read();
  }

  /** Processes received messages in batches: a flooding server is read no faster than its messages can be processed. */
  private read(): void {
    for (let count = 0; ; count++) {
      if (count >= maxAtOnce) {
        this.child?.stdout.pause();
        return void setTimeout(() => this.read(), pauseMs);
      }
      try {
        const message = this.buffer.readMessage();
        if (message === null) return void this.child?.stdout.resume();
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }

  /** Kills it at once. `why`: the reason, as a message. */
  async kill(why: string): Promise<void> {
    this.end ??= why;
    const pid = this.child?.pid;
    if (pid !== undefined) await killFamily(this.family(pid), { shell: true, politeMs: 0 });
  }
}

function inheritedEnvironment(from: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(from).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        (allowed.has(entry[0].toUpperCase()) || /^LC_[A-Z]+$/.test(entry[0])) &&
        !/^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*@/i.test(entry[1]) &&
        !entry[1].startsWith('()'),
    ),
  );
}

/** A bare name is searched for outside the workspace. A program inside it runs only if its path is given. */
function programFor(command: string, folder: string, env: NodeJS.ProcessEnv): string {
  if (/[/\\]/.test(command)) return command;
  const ends = process.platform === 'win32' && !/\.\w+$/.test(command) ? ['.exe', '.cmd', '.bat', '.com'] : [''];
  const [found] = ends.flatMap((end) => onPath(command + end, folder === '' ? [] : [folder], env));
  if (found === undefined)
    throw new Error(
      `There is no program "${command}" on the PATH outside the workspace. Install it, or write its full path.`,
    );
  return found;
}
