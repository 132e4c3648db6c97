import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { onPath } from '../processes/onPath';
import { kernelProbe } from './kernelPlaces';
import { raiseLimits } from '../processes/shortage';
import { isExhausted, failureReason, type TrialRun } from './trialRun';

/** `program` is absolute. Otherwise the reason why there is no sandbox and what to do, in words for people. */
export type FoundSandbox =
  | { readonly program: string }
  | {
      readonly why: string;
      readonly next: string;
      /** The option that this bubblewrap or system is too old to support. */ readonly lacks?: string;
      /** True if it failed only for lack of system resources. */ readonly exhausted?: true;
    };

interface BubblewrapOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** A bubblewrap inside one of these folders is not used. */
  readonly folders?: readonly string[];
  /** See `systemCallFilter`. */
  readonly filter?: Buffer | undefined;
}

const found = new Map<string, Promise<FoundSandbox>>();

/**
 * Finds a bubblewrap that works here, by running it once with the options of `trial`; the result is cached for each
 * program and trial.
 */
export function findBubblewrap(trial: readonly string[], wanted: BubblewrapOptions = {}): Promise<FoundSandbox> {
  const { environment = process.env, folders = [], filter } = wanted;
  const program = process.platform === 'linux' ? onPath('bwrap', folders, environment)[0] : undefined;
  const key = JSON.stringify([program, trial, filter !== undefined]);
  const known = found.get(key) ?? trySandbox(program, trial, filter);
  found.set(key, known);
  // Resources that were exhausted may be available next time.
  void known.then((result) => {
    if ('exhausted' in result) found.delete(key);
  });
  return known;
}

async function trySandbox(
  program: string | undefined,
  trial: readonly string[],
  filter: Buffer | undefined,
): Promise<FoundSandbox> {
  if (process.platform !== 'linux')
    return { why: 'this system has no supported sandbox yet', next: 'Approve with care.' };
  if (program === undefined)
    return {
      why: 'bubblewrap is not installed',
      next: `Install it, for example with "${installCommand()}", and start a new session.`,
    };
  const once = async (): Promise<Problem | undefined> => problemIn(await runTrial(program, trial, filter));
  const problem = await once();
  if (problem === undefined) return { program };
  if (problem.lacks !== undefined || problem.exhausted) return problem;
  // A single failure may be due to what other programs did meanwhile. Without a sandbox commands have all rights.
  return (await once()) ?? { program };
}

/** Runs a shell inside, which must find no writable kernel setting and print so. */
function runTrial(program: string, trial: readonly string[], filter: Buffer | undefined): Promise<TrialRun> {
  const script = `${kernelProbe}\necho ready`;
  const filtering = filter ? ['--seccomp', '0'] : [];
  return runToItsEnd(program, [...trial, ...filtering, '--', '/bin/sh', '-c', script], filter);
}

/** Time limit of a trial, in ms. */
const trialLimitMs = 10_000;

/**
 * Runs bubblewrap in its own process group, so that neither a terminal signal nor the timeout kills only the outer of
 * its two processes: the inner one would wait for it forever. Ends when this process does.
 */
function runToItsEnd(program: string, args: readonly string[], input: Buffer | undefined): Promise<TrialRun> {
  return new Promise((resolve) => {
    // Has no streams if the system has no more open files.
    const child: ChildProcess = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    let killed = false;
    const endAll = (): void => {
      killed = true;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    };
    const limit = setTimeout(endAll, trialLimitMs);
    process.once('exit', endAll);
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream]?.setEncoding('utf8').on('data', (text: string) => (output[stream] += text));
    const finish = (failed: TrialRun['failed']): void => {
      clearTimeout(limit);
      process.off('exit', endAll);
      resolve({ failed, ...output });
    };
    child.on('error', finish);
    child.on('close', (code, signal) => {
      const ended = new Error(`${program} ended with ${signal ?? `exit code ${code}`}.`);
      // The system kills programs if memory runs out. The outer process reports the inner one's end by its exit code.
      killed ||= signal === 'SIGKILL' || code === 128 + os.constants.signals.SIGKILL;
      finish(code === 0 ? null : Object.assign(ended, { code, killed }));
    });
    child.stdin?.on('error', () => {
      /* it exited without reading its input; its output says why */
    });
    child.stdin?.end(input);
  });
}

type Problem = Exclude<FoundSandbox, { readonly program: string }>;

function problemIn(run: TrialRun): Problem | undefined {
  const { failed, stdout, stderr } = run;
  if (!failed && stdout === 'ready\n') return undefined;
  const lacks = /PR_SET_SECCOMP/.test(stderr) ? '--seccomp' : /unknown option (--[\w-]+)/i.exec(stderr)?.[1];
  if (lacks === '--disable-userns') {
    return {
      lacks,
      why: 'this version of bubblewrap is too old to confine the root account',
      next: 'Install bubblewrap 0.8 or later, or work as another user.',
    };
  }
  if (!failed && stdout.endsWith('\nready\n')) {
    return {
      why: `bubblewrap does not confine this account here (${stdout.split('\n')[0]})`,
      next: 'Work as a user other than root.',
    };
  }
  const reason = failureReason(run);
  if (isExhausted(run)) {
    return {
      exhausted: true,
      why: `bubblewrap is installed but could not be started now (${reason})`,
      next: raiseLimits,
    };
  }
  return {
    why: `bubblewrap does not work here (${reason})`,
    next: 'Containers and some systems do not let programs create user namespaces. The bubblewrap documentation explains how to allow them.',
    ...(lacks !== undefined && { lacks }),
  };
}

const managers = [
  ['apt-get', 'sudo apt-get install bubblewrap'],
  ['dnf', 'sudo dnf install bubblewrap'],
  ['pacman', 'sudo pacman -S bubblewrap'],
  ['zypper', 'sudo zypper install bubblewrap'],
  ['apk', 'sudo apk add bubblewrap'],
] as const;

const installCommand = (): string =>
  managers.find(([name]) => fs.existsSync(`/usr/bin/${name}`) || fs.existsSync(`/sbin/${name}`))?.[1] ??
  'your package manager: bubblewrap';
