import * as vscode from 'vscode';

/** Context keys for menus and key bindings. Only changes are sent to VS Code. */
export class ContextKeys {
  private readonly sent = new Map<string, unknown>();

  get(key: string): unknown {
    return this.sent.get(key);
  }

  /** `value`: compared by identity, so a new list or object is sent again. */
  set(key: string, value: unknown): void {
    if (this.sent.get(key) === value) return;
    this.sent.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
