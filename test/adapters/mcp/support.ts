import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import type { McpHost } from '../../../src/adapters/mcp/host';
import { McpServers } from '../../../src/adapters/mcp/mcpServers';

export const fixture = (name: string): string => path.join(process.env.REPOSITORY!, 'test/fixtures/mcp', name);

export interface Machine {
  readonly folder: string;
  readonly servers: McpServers;
  readonly host: McpHost & {
    trusted: boolean;
    /** Whether the user declines to sign in, or never answers in the browser. */
    refuses: boolean;
    staysAway: boolean;
    readonly kept: Map<string, string>;
    readonly signedIn: URL[];
    /** What the user does before an answer to the question to sign in. */
    first: (page: URL) => Promise<void>;
  };
  write(below: string, value: unknown): void;
  marks(): string[];
}

/** A workspace with real servers, and a user who answers the questions. */
export async function onMachine(
  files: Readonly<Record<string, unknown>>,
  use: (machine: Machine) => Promise<void>,
  given: Partial<McpHost> = {},
): Promise<void> {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-mcp-')));
  const folder = path.join(base, 'workspace');
  fs.mkdirSync(folder);
  const write = (below: string, value: unknown): void => {
    fs.mkdirSync(path.dirname(path.join(folder, below)), { recursive: true });
    fs.writeFileSync(path.join(folder, below), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  for (const [below, value] of Object.entries(files)) write(below, value);
  const kept = new Map<string, string>();
  const signedIn: URL[] = [];
  const host: Machine['host'] = {
    trusted: true,
    refuses: false,
    staysAway: false,
    kept,
    signedIn,
    first: async () => undefined,
    stateFolder: path.join(base, 'state'),
    folders: () => (host.trusted ? [folder] : undefined),
    setting: () => undefined,
    ask: async () => undefined,
    async signIn(address) {
      signedIn.push(address);
      await host.first(address);
      if (!host.refuses && !host.staysAway) void fetch(address);
      return !host.refuses;
    },
    keys: {
      get: async (name) => kept.get(name),
      set: async (name, value) => void (value === undefined ? kept.delete(name) : kept.set(name, value)),
    },
    ...given,
  };
  const servers = new McpServers(host);
  try {
    await use({
      folder,
      servers,
      host,
      write,
      marks: () => {
        try {
          return fs.readFileSync(path.join(base, 'started'), 'utf8').trim().split('\n');
        } catch {
          return [];
        }
      },
    });
  } finally {
    await servers.stop();
    fs.rmSync(base, { recursive: true, force: true });
  }
}

/** A stdio server that leaves a mark in the workspace when it starts. */
export const stdio = (...more: string[]): object => ({
  command: process.execPath,
  args: [
    fixture('server.mjs'),
    '--marker',
    '${workspaceFolder}/../started',
    '--variant-file',
    '${workspaceFolder}/../variant',
    ...more,
  ],
});

export async function agreed(
  servers: McpServers,
  name: string,
): Promise<NonNullable<ReturnType<McpServers['serverNamed']>>> {
  await servers.refresh();
  const server = servers.serverNamed(name)!;
  await server.agreeToStart((await server.launch()).hash);
  return server;
}

export interface HttpServer {
  /** Restarts it at the same address. */ again(): Promise<void>;
  end(): Promise<void>;
  /** Makes it do one of the actions listed in its file. */ tell(path: string): Promise<string>;
}

/** Starts a server over HTTP and returns its address. */
export async function httpServer(
  use: (address: string, server: HttpServer) => Promise<void>,
  ...options: string[]
): Promise<void> {
  let child: ChildProcess | undefined;
  const begin = async (...more: string[]): Promise<string> => {
    const own = (child = spawn(process.execPath, [fixture('httpServer.mjs'), ...options, ...more], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }));
    return new Promise((resolve, reject) => {
      own.once('exit', () => reject(new Error('It did not start.')));
      readline.createInterface({ input: own.stdout }).once('line', resolve);
    });
  };
  const end = async (): Promise<void> => {
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child!.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
  };
  try {
    const port = await begin();
    await use(`http://127.0.0.1:${port}/mcp`, {
      end,
      again: async () => {
        await end();
        await begin('--port', port);
      },
      tell: async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
    });
  } finally {
    await end();
  }
}

export async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !(await holds());) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
};
