import path from 'node:path';
import * as vscode from 'vscode';

/** Number of registrations that are not disposed of, by the VS Code function that created them. */
type Living = Readonly<Record<string, number>>;

/** Path of the code of the window that VS Code started. The code of the tests is elsewhere. */
const built = `${path.sep}dist${path.sep}`;

/** Starts counting registrations with VS Code that are not disposed of. The real functions are still called. */
export function countRegistrations(): { living(): Living; stop(): void } {
  const counts = new Map<string, number>();
  const restore: (() => void)[] = [];
  const { window, workspace, languages, lm, comments, commands, extensions } = vscode;
  // VS Code's API object is frozen.
  const ofGroups = Object.entries(Object.getOwnPropertyDescriptors(window.tabGroups));
  const tabGroups: object = Object.defineProperties(
    {},
    Object.fromEntries(ofGroups.map(([name, one]) => [name, { ...one, configurable: true }])),
  );
  const ofWindow = Object.getOwnPropertyDescriptor(window, 'tabGroups')!;
  Object.defineProperty(window, 'tabGroups', { value: tabGroups, configurable: true });
  restore.push(() => Object.defineProperty(window, 'tabGroups', ofWindow));
  const spaces = { workspace, window, tabGroups, languages, lm, comments, commands, extensions };
  for (const [space, functions] of Object.entries(spaces) as [string, Record<string, unknown>][])
    for (const name of Object.keys(functions)) {
      const real = functions[name];
      // An editor tab ends when it is closed, not by its creator.
      if (typeof real !== 'function' || !/^(on(Did|Will)|register|create(?!WebviewPanel))/.test(name)) continue;
      const key = `${space}.${name}`;
      const counted = (...given: unknown[]): unknown => {
        const made = (real as (...all: unknown[]) => { dispose(): unknown }).apply(functions, given);
        // The window that VS Code started may register something at any time.
        if (new Error().stack?.includes(built)) return made;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        let isLiving = true;
        const dispose = (): unknown => {
          if (isLiving) counts.set(key, counts.get(key)! - 1);
          isLiving = false;
          return realDispose();
        };
        const realDispose = made.dispose.bind(made);
        // Some objects of VS Code are frozen.
        if (Object.isFrozen(made)) return Object.create(made, { dispose: { value: dispose } }) as unknown;
        made.dispose = dispose;
        return made;
      };
      Object.defineProperty(functions, name, { value: counted, configurable: true, writable: true });
      restore.push(() => Object.defineProperty(functions, name, { value: real, configurable: true, writable: true }));
    }
  return {
    living: () => Object.fromEntries([...counts].filter(([, count]) => count !== 0).sort()),
    stop: () => restore.forEach((undo) => undo()),
  };
}
