import * as vscode from 'vscode';

/**
 * Opens the settings editor with `query` as its search. If the extension runs on a remote machine (SSH, WSL, a
 * container), most of Waymark's settings belong to that machine and are only listed on the Remote tab.
 */
export async function openSettings(query: string): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', query);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
}
