import { execFile } from 'node:child_process';
import { build } from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { onPath } from '../../../src/adapters/processes/onPath';
import type { AgentTerminalOptions } from '../../../src/adapters/terminal/agentTerminal';
import type { CommandResult } from '../../../src/core/ports/terminal';
import { temporaryFolder } from '../../contracts/terminal.contract';

/** Account that runs the commands. `id` is absent for the account that runs the tests. */
interface Account {
  readonly name: string;
  readonly id?: number;
}

interface Sandboxed {
  /** A folder owned by the account. */
  readonly cwd: string;
  /** Result of each command; an error if it was refused. */
  readonly results: readonly (CommandResult & {
    readonly refused?: string;
    /** Content of the file when it was checked. */ readonly checked?: string;
  })[];
  readonly notices: readonly string[];
}

interface Sandboxing extends Partial<Pick<AgentTerminalOptions, 'wanted' | 'shell' | 'limits'>> {
  /** Initial files in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: NodeJS.ProcessEnv;
}

const repository = process.env['REPOSITORY']!;

/** True if every account may traverse all folders of a path. */
function isOpenToAll(folder: string): boolean {
  const isOpen = (fs.statSync(folder).mode & 0o001) !== 0;
  const parent = path.dirname(folder);
  return isOpen && (parent === folder || isOpenToAll(parent));
}

const ordinary: readonly Account[] = isOpenToAll(repository) ? [{ name: 'an ordinary user', id: 65_534 }] : [];

/** Root can also become an ordinary user if that user can reach the repository. An ordinary user is only itself. */
export const accounts: readonly Account[] =
  process.getuid?.() === 0 ? [{ name: 'root' }, ...ordinary] : [{ name: 'an ordinary user' }];

/** Removed when the process ends. */
const folder = path.join(repository, 'out', `sandboxed-${process.pid}`);
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

/** Returns a copy of Node that every account may run, because the one of the tests may be in a home folder. */
export function nodeForAll(): string {
  const copy = path.join(folder, 'node');
  if (fs.existsSync(copy)) return copy;
  fs.mkdirSync(folder, { recursive: true });
  fs.copyFileSync(process.execPath, copy);
  fs.chmodSync(copy, 0o755);
  return copy;
}

/** Environment in which `script` replaces bubblewrap. BWRAP in the script becomes the path of the real one. */
export function withBubblewrap(script: string): NodeJS.ProcessEnv {
  const own = temporaryFolder();
  fs.chmodSync(own, 0o755);
  const [real] = onPath('bwrap', []);
  fs.writeFileSync(path.join(own, 'bwrap'), script.replaceAll('BWRAP', real!), { mode: 0o755 });
  return { PATH: `${own}:${process.env['PATH']}` };
}

/** A bubblewrap on a system that cannot filter system calls. */
export const withoutFilters =
  '#!/bin/sh\ncase " $* " in *" --seccomp "*) echo "bwrap: prctl(PR_SET_SECCOMP): Invalid argument" >&2; exit 1;; esac\nexec BWRAP "$@"\n';

/** A command that runs outside the sandbox, as if approved after a review of the file `checked`. */
interface Leaving {
  readonly outside: string;
  readonly checked: string;
}

/** Runs commands one after the other in one terminal. */
const program = `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentTerminal } from './src/adapters/terminal/agentTerminal';
const { commands, options } = JSON.parse(process.argv[2]!);
const notices: string[] = [];
const terminal = new AgentTerminal({ ...options, onNotice: (text: string) => notices.push(text) });
const results: unknown[] = [];
for (const command of commands) {
  const commandOptions = { timeoutMs: 30_000, tty: false, signal: new AbortController().signal };
  const leave = async () => {
    const hold = await terminal.hold();
    try {
      const checked = readFileSync(join(options.cwd, command.checked), 'utf8');
      return { checked, ...await terminal.outside.run(command.outside, commandOptions) };
    } finally {
      hold.release();
    }
  };
  const running = typeof command === 'string' ? terminal.run(command, commandOptions) : leave();
  results.push(await running.catch((problem: Error) => ({ refused: problem.message })));
}
await terminal.dispose();
process.stdout.write(JSON.stringify({ results, notices }));
`;

let built: Promise<string> | undefined;

/** The program is placed where its packages are found and every account may read it. */
function builtProgram(): Promise<string> {
  return (built ??= (async () => {
    const outfile = path.join(folder, 'program.mjs');
    await build({
      stdin: { contents: program, resolveDir: repository, loader: 'ts' },
      absWorkingDir: repository,
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      external: ['node-pty'],
      logLevel: 'warning',
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    });
    return outfile;
  })());
}

/** Runs commands in a sandbox, in a process of `account` with its own home. */
export async function sandboxed(
  account: Account,
  commands: readonly (string | Leaving)[],
  more: Sandboxing = {},
): Promise<Sandboxed> {
  const { files = {}, environment = {}, ...given } = more;
  const [home, cwd, outputFolder] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(cwd, name), text);
  const { id } = account;
  const own = [home, cwd, outputFolder, ...Object.keys(files).map((name) => path.join(cwd, name))];
  if (id !== undefined) for (const place of own) fs.chownSync(place, id, id);
  const options = { cwd, folders: [cwd], outputFolder, wanted: 'on', shell: '/bin/bash', ...given };
  const file = await builtProgram();
  const said = await new Promise<string>((resolve, reject) => {
    execFile(
      nodeForAll(),
      [file, JSON.stringify({ commands, options })],
      {
        cwd,
        env: {
          PATH: process.env['PATH'],
          HOME: home,
          LANG: 'C.UTF-8',
          XDG_STATE_HOME: path.join(home, 'state'),
          ...environment,
        },
        ...(id !== undefined && { uid: id, gid: id }),
        maxBuffer: 1 << 26,
        encoding: 'utf8',
      },
      (error, stdout, stderr) => (error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(stdout)),
    );
  });
  return { cwd, ...(JSON.parse(said) as Pick<Sandboxed, 'results' | 'notices'>) };
}
