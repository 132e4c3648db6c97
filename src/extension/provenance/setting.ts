import * as vscode from 'vscode';

/** How much of who wrote a line is shown by itself; the commands show it in any case. */
export function showsProvenance(): 'off' | 'onHover' | 'on' {
  const value = vscode.workspace.getConfiguration('waymark').get('provenance');
  return value === 'off' || value === 'on' ? value : 'onHover';
}
