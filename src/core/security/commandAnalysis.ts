/**
 * Modules that judge commands, in dependency order. Each must also be listed in `commandAnalysis` of esbuild.js, or the
 * command line and the window would look for additional files.
 */
const parts: readonly (() => Promise<unknown>)[] = [
  // Binding the first call creates the schema that checks all calls.
  async () => (await import('../tools/native/runCommand')).runCommand.bind({ command: 'true' }),
  () => import('../shell/verdict/judgeEffect'),
  () => import('../shell/verdict/programFloor'),
  () => import('../shell/posix/judgeScript'),
  () => import('../shell/programs/files/archives'),
  () => import('../shell/programs/files/families'),
  () => import('../shell/programs/languages/families'),
  () => import('../shell/programs/services/families'),
  () => import('../shell/programs/javascript/families'),
  () => import('../shell/programs/python/families'),
  () => import('unbash'),
  () => import('../shell/programs/families'),
  () => import('../shell/assessCommand'),
  () => import('./scripts/assessWithScripts'),
  () => import('../shell/onlyReads'),
];

let loading: Promise<void> | undefined;

/**
 * Loads the modules that judge commands, once. Yields to the event loop before each one, because an editor's extensions
 * share one thread and loading everything at once would block all of them.
 */
export function loadCommandAnalysis(): Promise<void> {
  return (loading ??= loadParts());
}

async function loadParts(): Promise<void> {
  for (const load of parts) {
    await new Promise((resolve) => setImmediate(resolve));
    // A module that cannot be loaded causes an error in the analyzer that needs it.
    await load().catch(() => undefined);
  }
}
