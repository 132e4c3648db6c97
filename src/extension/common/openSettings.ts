import * as vscode from 'vscode';

/**
 * Opens the settings editor at what `query` finds. Where the extension runs on another machine (SSH, WSL, a
 * container), most settings of Waymark are that machine's, and only the Remote tab lists them.
 */
export async function openSettings(query: string): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', query);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
}
