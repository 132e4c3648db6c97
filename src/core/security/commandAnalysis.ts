/**
 * What judges commands, those that others stand on first. Each is named under `gathered` in esbuild.js, too, or the
 * command line would look for one more file.
 */
const parts: readonly (() => Promise<unknown>)[] = [
  // The first check of a call makes what checks all of them.
  async () => (await import('../tools/native/runCommand')).runCommand.bind({ command: 'true' }),
  () => import('../shell/posix/walk'),
  () => import('../shell/programs/files/families'),
  () => import('../shell/programs/languages/families'),
  () => import('../shell/programs/services/families'),
  () => import('../shell/assessCommand'),
  () => import('./scripts/assessWithScripts'),
  () => import('../shell/onlyLooks'),
];

let loading: Promise<void> | undefined;

/**
 * Loads what judges commands, once, one part after the other with a turn for all else between: an editor's extensions
 * share one thread, and to load everything at once would hold all of them up.
 */
export function loadCommandAnalysis(): Promise<void> {
  return (loading ??= loadParts());
}

async function loadParts(): Promise<void> {
  for (const load of parts) {
    // What cannot be loaded fails in the analyzer that needs it.
    await load().catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
