import fs from 'node:fs';
import os from 'node:os';
import { noRetries, type Guards, type Sandbox, type SandboxOrNot } from './sandbox';
import { webPorts, wrongDomain } from './domains';
import { raiseLimits } from '../processes/shortage';
import { isExhausted, failureReason, type TrialRun } from './trialRun';
import { guard, guardsOf } from './guardedPlaces';
import { GuardedTrees } from './guardedTrees';
import { secretPlaces } from './hiddenPlaces';
import { MadePlaces, makeTemporary, removeTemporary } from './madePlaces';
import { findSandboxRuntime } from './sandboxRuntime';
import { execFile } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { childEnvironment } from '../processes/childEnvironment';
import { randomBytes } from 'node:crypto';
import { quoteForShell } from '../../core/text/shellText';

const tried = new Map<string, Promise<RuntimeProblem | undefined>>();

/**
 * The sandbox on macOS: the sandbox runtime, installed by the user, starts the shell through its own command line.
 * `folders`: absolute workspace folders, without links. It is first tested against what it must refuse, because it was
 * never run on a Mac.
 */
export async function findRuntimeSandbox(
  folders: readonly string[],
  environment: NodeJS.ProcessEnv,
  allowed: readonly string[],
  hidden: readonly string[] = [],
): Promise<SandboxOrNot> {
  const runtime = findSandboxRuntime(environment, folders);
  if (!('cli' in runtime)) return { none: runtime.why, next: runtime.next };
  const unnameable = folders.find(isPattern);
  if (unnameable !== undefined)
    return {
      none: `the sandbox runtime reads the name ${unnameable} as a pattern`,
      next: 'Rename the folder without * ? [ and ].',
    };
  const problem = await problemOnce(runtime.cli, environment);
  if (problem?.exhausted) {
    return {
      none: `the sandbox runtime is installed but could not be started now (${problem.why})`,
      next: raiseLimits,
      exhausted: true,
    };
  }
  if (problem) return { none: `the sandbox runtime does not work here (${problem.why})`, next: 'Approve with care.' };
  const wrong = wrongDomain(allowed);
  if (wrong)
    return {
      sandbox: runtimeSandbox(runtime.cli, { folders, hidden }, environment, []),
      unreachable: `No domain can be reached: ${wrong.why}. ${wrong.next}`,
    };
  return { sandbox: runtimeSandbox(runtime.cli, { folders, hidden }, environment, allowed) };
}

/** Tests each runtime once; again if system resources were exhausted during the test. */
async function problemOnce(cli: string, environment: NodeJS.ProcessEnv): Promise<RuntimeProblem | undefined> {
  const trial = tried.get(cli) ?? runtimeProblem(cli, environment);
  tried.set(cli, trial);
  const problem = await trial;
  if (problem?.exhausted) tried.delete(cli);
  return problem;
}

function runtimeSandbox(
  cli: string,
  { folders, hidden }: { readonly folders: readonly string[]; readonly hidden: readonly string[] },
  environment: NodeJS.ProcessEnv,
  allowed: readonly string[],
): Sandbox {
  const made = new MadePlaces();
  const trees = new GuardedTrees(folders);
  let guards: Guards = { readOnly: [], placeholders: [] };
  return {
    // The editor's executable acts as Node only with this variable; see `inRuntime`.
    environment: {
      ELECTRON_RUN_AS_NODE: '1',
      npm_config_logs_max: '0',
      npm_config_update_notifier: 'false',
      ...(allowed.length === 0 && noRetries),
    },
    // To let programs open terminals, the runtime would have to let them write, and type, into all of the user's
    // terminals.
    terminal: false,
    ...(process.platform === 'linux' && { ownPorts: true }),
    folders,
    domains: allowed,
    async begin() {
      await trees.begin();
      return undefined;
    },
    wrap(program, programArguments, { readable, writable, readOnly }) {
      fs.mkdirSync(writable, { recursive: true, mode: 0o700 });
      const guarded = readOnly ? [] : folders.map((folder) => guard(folder, trees.placesBelowTop(folder)));
      made.add(guarded.flatMap((each) => each.created));
      if (!readOnly) guards = guardsOf(guarded);
      return inRuntime(cli, [program, ...programArguments], {
        folder: readable,
        writable: readOnly ? [writable] : [...folders, writable],
        allowed: readOnly ? [] : allowed.flatMap(webPorts),
        readOnly: guarded.flatMap((each) => each.readOnly),
        secret: secretPlaces(environment['HOME'] ?? os.homedir(), folders, hidden),
      });
    },
    get guards() {
      return guards;
    },
    watchObeyed: (sinceLast) => trees.watch(made.all, sinceLast),
    end: () => made.remove(),
  };
}

/** Prints "ready" if the workspace can be written, preceded by everything that should have been refused. */
const script = `cd work && echo in > file || exit 1
{ echo out > ../outside; } 2>/dev/null; [ -s ../outside ] && echo 'files outside the workspace can be written'
{ echo out > kept; } 2>/dev/null; [ -s kept ] && echo 'protected files can be written'
[ -n "$(cat ../secret 2>/dev/null)" ] && echo 'secrets can be read'
(exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && echo 'the network can be reached'
echo ready`;

/** `why`: in words for people. */
interface RuntimeProblem {
  readonly why: string;
  /** True if it failed only for lack of system resources. */
  readonly exhausted?: true;
}

/**
 * Runs the runtime at `cli` in its own folder against what it must refuse; takes less than a second. Returns undefined
 * if nothing is wrong.
 */
async function runtimeProblem(cli: string, environment: NodeJS.ProcessEnv): Promise<RuntimeProblem | undefined> {
  const folder = makeTemporary('waymark-trial-');
  const server = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
    const inTrialFolder = (name: string): string => path.join(folder, name);
    for (const name of ['work', 'private']) fs.mkdirSync(inTrialFolder(name));
    fs.writeFileSync(inTrialFolder('secret'), 'secret');
    fs.writeFileSync(inTrialFolder('work/kept'), '');
    const { port } = server.address() as net.AddressInfo;
    const line = inRuntime(cli, ['/bin/bash', '-c', script, 'bash', String(port)], {
      folder: inTrialFolder('private'),
      writable: [inTrialFolder('work')],
      readOnly: [inTrialFolder('work/kept')],
      secret: [inTrialFolder('secret')],
      allowed: [],
    });
    return problemIn(await runTrial(line, folder, environment));
  } finally {
    server.close();
    removeTemporary(folder);
  }
}

function runTrial(
  line: ReturnType<typeof inRuntime>,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<TrialRun> {
  const options = {
    cwd: folder,
    env: { ...childEnvironment(environment), ELECTRON_RUN_AS_NODE: '1' },
    timeout: 20_000,
    encoding: 'utf8',
  } as const;
  return new Promise((resolve) => {
    execFile(line.program, line.arguments, options, (failed, stdout, stderr) => resolve({ failed, stdout, stderr }));
  });
}

function problemIn(run: TrialRun): RuntimeProblem | undefined {
  const { failed, stdout } = run;
  if (!failed && stdout === 'ready\n') return undefined;
  if (!failed && stdout.endsWith('ready\n')) return { why: stdout.replace(/\nready\n$/, '').replaceAll('\n', ', ') };
  return { why: failureReason(run), ...(isExhausted(run) && { exhausted: true }) };
}

/** Absolute paths. `folder` is private and outside of `writable`; it contains the settings and the temporary folder. */
interface RuntimeLimits {
  readonly folder: string;
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly secret: readonly string[];
  readonly allowed: readonly string[];
}

const pattern = /[*?[\]]/;
/** Returns whether the runtime interprets this path as a pattern. */
const isPattern = (place: string): boolean => pattern.test(place);
/** Returns a pattern that also matches the path itself. */
const patternFor = (place: string): string => place.replace(new RegExp(pattern, 'g'), '?');

/** Returns the command line that runs `line` in the runtime; needs ELECTRON_RUN_AS_NODE in the environment. */
function inRuntime(
  cli: string,
  line: readonly string[],
  { folder, writable, readOnly, secret, allowed }: RuntimeLimits,
): { readonly program: string; readonly arguments: readonly string[] } {
  const temporary = path.join(fs.realpathSync(folder), 'temporary');
  fs.mkdirSync(temporary, { recursive: true, mode: 0o700 });
  const real = writable.map((place) => fs.realpathSync(place));
  const settings = {
    network: { allowedDomains: allowed, deniedDomains: [] },
    filesystem: {
      allowWrite: [...real, temporary],
      denyWrite: readOnly.map(patternFor),
      denyRead: secret.map(patternFor),
      allowRead: real.filter((place) => secret.some((each) => place.startsWith(`${each}/`))),
    },
    // On Linux, where only tests run it, the runtime requires a ripgrep.
    ripgrep: { command: process.execPath },
  };
  const file = path.join(folder, `sandbox-${randomBytes(4).toString('hex')}.json`);
  fs.writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const variables = [
    `TMPDIR=${quoteForShell(temporary)}`,
    `TMPPREFIX=${quoteForShell(path.join(temporary, 'zsh'))}`,
    `GOCACHE=${quoteForShell(path.join(temporary, 'go-build'))}`,
  ];
  const exported = `unset ELECTRON_RUN_AS_NODE; export ${variables.join(' ')}`;
  const inner = `${exported}; exec ${line.map(quoteForShell).join(' ')}`;
  return { program: process.execPath, arguments: [cli, '--settings', file, '-c', inner] };
}
