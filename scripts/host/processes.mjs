// Child processes that never outlive us: each gets its own process group, which is killed as a whole.
import { spawn } from 'node:child_process';

const groups = new Set();
process.once('exit', () => {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
});
// Signals must end us through `exit`, or nobody would kill the groups.
for (const [signal, number] of [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
])
  process.once(signal, () => process.exit(128 + number));

function signalGroup(pid, signal) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    /* already ended */
  }
}

/** Starts a child as leader of its own process group; the group dies with this process at the latest. */
export function spawnGroup(command, args, options = {}) {
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  if (child.pid === undefined) return child;
  groups.add(child.pid);
  return child;
}

/** Asks the group to exit, then kills it. Resolves when its leader has exited. */
export async function endGroup(child, graceMs = 3000) {
  if (child.pid === undefined) return;
  const gone =
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => child.once('exit', resolve));
  signalGroup(child.pid, 'SIGTERM');
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
  signalGroup(child.pid, 'SIGKILL');
  await gone;
  groups.delete(child.pid);
}

/**
 * Runs a command to its end: { code, output }, with both streams in `output`. `onOutput` gets text as it arrives. A
 * command that takes longer than `timeoutMs`, or prints nothing for `silenceMs`, is killed with its whole group and
 * returns code 124.
 */
export function run(command, args, { timeoutMs = 0, silenceMs = 0, onOutput, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawnGroup(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    let late = false;
    const take = (chunk) => {
      output += chunk;
      onOutput?.(chunk);
      silence?.refresh();
    };
    const endAfter = (ms, words) =>
      ms > 0
        ? setTimeout(() => {
            late = true;
            output += `\n${words} ${Math.round(ms / 1000)} s, so it was ended.\n`;
            void endGroup(child);
          }, ms)
        : undefined;
    const total = endAfter(timeoutMs, 'Not done after');
    const silence = endAfter(silenceMs, 'It printed nothing for');
    const stopTimers = () => {
      for (const timer of [total, silence]) clearTimeout(timer);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', take);
    child.once('error', (error) => {
      stopTimers();
      reject(error);
    });
    child.once('close', (code) => {
      stopTimers();
      if (child.pid !== undefined) {
        signalGroup(child.pid, 'SIGKILL');
        groups.delete(child.pid);
      }
      resolve({ code: late ? 124 : (code ?? 1), output });
    });
  });
}

/** Like `run`, for commands that must succeed: throws with the end of what they printed. */
export async function must(command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with code ${code}.\n${output.slice(-4000)}`);
  return output;
}
