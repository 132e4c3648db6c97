import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** One call of the engine, parsed. */
export interface EngineCall {
  readonly command: string;
  /** Options before the image or container, by their long names. Flags have an empty value. */
  readonly options: readonly (readonly [name: string, value: string])[];
  /** The image for "run", the container for other commands. */
  readonly target: string;
  /** Arguments after the target. */
  readonly words: readonly string[];
  /** Environment variables that "exec" passes to its program. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A fake Docker command line that executes everything directly on this machine, without isolation. */
export interface EngineOnHost {
  readonly program: string;
  calls(): EngineCall[];
  /** Parses arguments without executing them. */
  reads(words: readonly string[], environment: NodeJS.ProcessEnv): EngineCall;
}

/** Options with and without a value, from the reference of Docker's command line. Others are refused. */
const program = String.raw`
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const here = __dirname;
const short = { d: 'detach', i: 'interactive', w: 'workdir', e: 'env', u: 'user', f: 'force', q: 'quiet' };
const flags = ['detach', 'interactive', 'rm', 'force', 'quiet', 'init', 'read-only'];
const withValue = ['name', 'workdir', 'env', 'user', 'network', 'memory', 'cpus', 'pids-limit', 'mount', 'entrypoint'];
withValue.push('security-opt', 'label');
const refuse = (words) => { console.error(words); process.exit(125); };

const [command, ...rest] = process.argv.slice(2);
const options = [];
while (rest[0] && rest[0].startsWith('-')) {
  const word = rest.shift();
  const [written, given] = word.replace(/^--?/, '').split(/=(.*)/s);
  const name = word.startsWith('--') ? written : short[written];
  if (flags.includes(name)) options.push([name, '']);
  else if (withValue.includes(name)) options.push([name, given ?? rest.shift()]);
  else refuse('unknown flag: ' + word);
}
const all = (name) => options.filter(([each]) => each === name).map(([, value]) => value);
const [target = '', ...words] = rest;
const variables = {};
for (const variable of all('env')) {
  const [name, value] = variable.split(/=(.*)/s);
  if (value !== undefined) variables[name] = value;
  else if (process.env[name] !== undefined) variables[name] = process.env[name];
}
const call = { command, options, target, words, variables };
if (process.env.ENGINE_READS) {
  console.log(JSON.stringify(call));
  process.exit(0);
}
fs.appendFileSync(path.join(here, 'calls.jsonl'), JSON.stringify(call) + '\n');

const running = (name) => path.join(here, 'running-' + name);
const env = { PATH: process.env.PATH, ...variables };
/** Runs a program in place of this one, as far as that can be done. */
const become = (name, args, cwd) => {
  const child = spawn(name, args, { cwd, env, stdio: 'inherit' });
  child.on('error', ({ message }) => refuse(message));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal]));
  return child;
};
if (command === 'ps') process.exit(0);
else if (command === 'run') {
  const [name] = all('name');
  const [entry] = all('entrypoint');
  const child = become(entry, words, '/');
  fs.writeFileSync(running(name), String(child.pid));
  process.on('exit', () => fs.rmSync(running(name), { force: true }));
} else if (command === 'exec') {
  if (!fs.existsSync(running(target))) refuse('No such container: ' + target);
  become(words[0], words.slice(1), all('workdir')[0]);
} else if (command === 'cp') {
  const [, folder] = target.split(':');
  process.exit(spawnSync('cp', ['-a', path.join(here, 'image') + folder, words[0]]).status);
} else if (command === 'rm') {
  // Like an engine, it removes the container itself: whoever waits in "run" may be killed at this moment.
  try { process.kill(Number(fs.readFileSync(running(target), 'utf8')), 'SIGKILL'); } catch {}
  fs.rmSync(running(target), { force: true });
  process.exit(0);
} else refuse('unknown command: ' + command);
`;

/** Creates the program in its own folder, where "image" contains the files of its images. */
export function engineOnHost(folder: string, name = 'docker'): EngineOnHost {
  fs.mkdirSync(path.join(folder, 'image'), { recursive: true });
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!${process.execPath}\n${program}`, { mode: 0o755 });
  const record = path.join(folder, 'calls.jsonl');
  return {
    program: file,
    calls: () =>
      fs.existsSync(record)
        ? fs
            .readFileSync(record, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as EngineCall)
        : [],
    reads(words, environment) {
      const { stdout, stderr } = spawnSync(file, [...words], {
        encoding: 'utf8',
        env: { ...environment, ENGINE_READS: '1' },
      });
      if (stdout === '') throw new Error(`The engine refuses ${words.join(' ')}: ${stderr}`);
      return JSON.parse(stdout) as EngineCall;
    },
  };
}
