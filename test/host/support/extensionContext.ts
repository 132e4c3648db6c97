import * as vscode from 'vscode';

function memento(): vscode.ExtensionContext['globalState'] {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: (key: string, fallback?: unknown) => (kept.has(key) ? kept.get(key) : fallback) as never,
    update: async (key, value) => void (value === undefined ? kept.delete(key) : kept.set(key, value)),
    setKeysForSync: () => undefined,
  };
}

/**
 * The context VS Code would pass to an extension, for a second window of Waymark in the same host that stores its files
 * in `storage`.
 */
export function extensionContext(storage: string): vscode.ExtensionContext {
  const extension = vscode.extensions.getExtension('waymark.waymark')!;
  const kept = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  const secrets: vscode.SecretStorage = {
    get: async (key) => kept.get(key),
    store: async (key, value) => void kept.set(key, value),
    delete: async (key) => void kept.delete(key),
    onDidChange: changed.event,
  };
  const context: Partial<vscode.ExtensionContext> = {
    subscriptions: [changed],
    extension,
    extensionUri: extension.extensionUri,
    globalStorageUri: vscode.Uri.file(storage),
    workspaceState: memento(),
    globalState: memento(),
    secrets,
  };
  return context as vscode.ExtensionContext;
}
