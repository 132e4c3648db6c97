import * as vscode from 'vscode';

/** Registrations that live at this moment, by the function of VS Code that made them. */
export type Living = Readonly<Record<string, number>>;

/** Counts what is registered with VS Code and not disposed of, from now on. What is counted is done all the same. */
export function countRegistrations(): { living(): Living; stop(): void } {
  const counts = new Map<string, number>();
  const restore: (() => void)[] = [];
  const spaces = { workspace: vscode.workspace, window: vscode.window, languages: vscode.languages, lm: vscode.lm };
  for (const [space, functions] of Object.entries(spaces) as [string, Record<string, unknown>][])
    for (const name of Object.keys(functions)) {
      const real = functions[name];
      if (typeof real !== 'function' || !/^(on(Did|Will)|register|create(FileSystemWatcher|TreeView|Text))/.test(name))
        continue;
      const key = `${space}.${name}`;
      const counted = (...given: unknown[]): unknown => {
        const made = (real as (...all: unknown[]) => { dispose(): unknown }).apply(functions, given);
        counts.set(key, (counts.get(key) ?? 0) + 1);
        const dispose = made.dispose.bind(made);
        let isLiving = true;
        made.dispose = () => {
          if (isLiving) counts.set(key, counts.get(key)! - 1);
          isLiving = false;
          return dispose();
        };
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
