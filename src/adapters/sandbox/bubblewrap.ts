import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** `program` is absolute. Otherwise why there is no sandbox and what to do, in words for a person. */
export type FoundSandbox = { readonly program: string } | { readonly why: string; readonly next: string };

const found = new Map<string, Promise<FoundSandbox>>();

/** Whether bubblewrap works here, found out by running it once with what `trial` needs; remembered for each program and trial. */
export function findBubblewrap(trial: readonly string[], environment: NodeJS.ProcessEnv = process.env): Promise<FoundSandbox> {
  const program = process.platform === 'linux' ? bwrapOn(environment['PATH']) : undefined;
  const key = JSON.stringify([program, trial]);
  const known = found.get(key) ?? tried(program, trial);
  found.set(key, known);
  return known;
}

function bwrapOn(search = ''): string | undefined {
  const places = search.split(path.delimiter).filter(folder => path.isAbsolute(folder)).map(folder => path.join(folder, 'bwrap'));
  return places.find(file => { try { fs.accessSync(file, fs.constants.X_OK); return fs.statSync(file).isFile(); } catch { return false; } });
}

async function tried(program: string | undefined, trial: readonly string[]): Promise<FoundSandbox> {
  if (process.platform !== 'linux') return { why: 'there is no sandbox for this system yet', next: 'Approve with care.' };
  if (program === undefined) return { why: 'bubblewrap is not installed', next: `Install it, for example with "${installCommand()}", and begin a new session.` };
  const said = await new Promise<string | undefined>(resolve => {
    execFile(program, [...trial, '--', '/bin/sh', '-c', 'echo ready'], { timeout: 10_000, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve(!error && stdout === 'ready\n' ? undefined : stderr.trim().split('\n')[0] || error?.message || 'it printed something else than it should');
    });
  });
  if (said === undefined) return { program };
  return { why: `bubblewrap does not work here (${said})`, next: 'Containers and some systems do not let programs make user namespaces; the documentation of bubblewrap says how they are allowed.' };
}

const managers = [['apt-get', 'sudo apt-get install bubblewrap'], ['dnf', 'sudo dnf install bubblewrap'], ['pacman', 'sudo pacman -S bubblewrap'], ['zypper', 'sudo zypper install bubblewrap'], ['apk', 'sudo apk add bubblewrap']] as const;

const installCommand = (): string => managers.find(([name]) => fs.existsSync(`/usr/bin/${name}`) || fs.existsSync(`/sbin/${name}`))?.[1] ?? 'your package manager: bubblewrap';
