import fs from 'node:fs';
import os from 'node:os';
import type { Sandbox, SandboxOrNot } from './sandbox';
import { wrongDomain } from './domains';
import { raiseLimits } from './trialRun';
import { guard } from './guardedPlaces';
import { GuardedTrees } from './guardedTrees';
import { secretPlaces } from './hiddenPlaces';
import { removeMade } from './madePlaces';
import { inRuntime, isPattern } from './runtimeLine';
import { runtimeProblem, type RuntimeProblem } from './runtimeTrial';
import { findSandboxRuntime } from './sandboxRuntime';

const tried = new Map<string, Promise<RuntimeProblem | undefined>>();

/**
 * The sandbox on macOS: the sandbox runtime, which a person installed, starts the shell through its own command line.
 * `folders`: of the workspace, absolute, without links. Before it counts as one it is tried once against what it must
 * refuse, because it was never run on a Mac.
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
      none: `the sandbox runtime takes the name ${unnameable} for a pattern`,
      next: 'Rename the folder without * ? [ and ].',
    };
  const problem = await problemOnce(runtime.cli, environment);
  if (problem?.exhausted) {
    return {
      none: `the sandbox runtime is there and could not be started now (${problem.why})`,
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

/** Tries each runtime once; again where the system had not enough left for the trial. */
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
  const made = new Set<string>();
  const trees = new GuardedTrees(folders);
  return {
    // The editor's own program is Node only when it is told so; see `inRuntime`.
    environment: { ELECTRON_RUN_AS_NODE: '1', npm_config_logs_max: '0', npm_config_update_notifier: 'false' },
    // To let programs open terminals the runtime would let them write, and type, into all terminals of the person.
    terminal: false,
    folders,
    domains: allowed,
    async begin() {
      await trees.begin();
      return undefined;
    },
    wrap(program, programArguments, { readable, writable, readOnly }) {
      fs.mkdirSync(writable, { recursive: true, mode: 0o700 });
      const guarded = readOnly ? [] : folders.map((folder) => guard(folder, trees.below(folder)));
      for (const place of guarded.flatMap((each) => each.made)) made.add(place);
      return inRuntime(cli, [program, ...programArguments], {
        folder: readable,
        writable: readOnly ? [writable] : [...folders, writable],
        allowed: readOnly ? [] : allowed,
        readOnly: guarded.flatMap((each) => each.readOnly),
        secret: secretPlaces(environment['HOME'] ?? os.homedir(), folders, hidden),
      });
    },
    watchObeyed: (sinceLast) => trees.watch(made, sinceLast),
    end: () => removeMade([...made].reverse()),
  };
}
