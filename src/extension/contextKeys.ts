import * as vscode from 'vscode';

/** What menus and keys of this window ask about; VS Code is told only what changed. */
export class ContextKeys {
  private readonly told = new Map<string, boolean>();

  set(key: string, value: boolean): void {
    if (this.told.get(key) === value) return;
    this.told.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
