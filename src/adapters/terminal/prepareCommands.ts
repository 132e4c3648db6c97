/** So long the request of the model goes first. Milliseconds. */
const requestFirstMs = 30;

/**
 * What judges and runs commands, those that others stand on first. Loaded one after the other with a turn for all else
 * between: an editor's extensions share one thread, and to load everything at once would hold all of them up. Each is
 * named under `gathered` in esbuild.js, too, or the command line would look for one more file.
 */
const parts: readonly (() => Promise<unknown>)[] = [
  // The first check of a call makes what checks all of them.
  async () => (await import('../../core/tools/native/runCommand')).runCommand.bind({ command: 'true' }),
  () => import('../../core/shell/posix/walk'),
  () => import('../../core/shell/programs/files/families'),
  () => import('../../core/shell/programs/languages/families'),
  () => import('../../core/shell/programs/services/families'),
  () => import('../../core/shell/assessCommand'),
  () => import('../../core/security/scripts/assessWithScripts'),
  () => import('../../core/shell/onlyLooks'),
];

/**
 * Loads what judges and runs commands, while the model answers, and starts the shell where the terminal can do that
 * ahead: otherwise its first command waits for all of it. What goes wrong is told by that command.
 */
export async function prepareCommands(terminal: { prepare(): Promise<void>; warm?(): Promise<void> }): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, requestFirstMs).unref());
  // The shell starts in processes of its own, beside what is loaded here.
  const starting = terminal.prepare().then(() => terminal.warm?.());
  await Promise.allSettled([starting, loadParts()]);
}

async function loadParts(): Promise<void> {
  for (const load of parts) {
    await load();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
