import * as vscode from 'vscode';
import { settingProblems } from '../common/settings';

/** Warns of settings that cannot be used as they are, each once: now, and when the settings change. */
export function warnOfSettings(): vscode.Disposable {
  const told = new Set<string>();
  const warn = (): void => {
    const problems = settingProblems().filter((problem) => !told.has(problem));
    for (const problem of problems) {
      told.add(problem);
      void offerSettings(problem);
    }
  };
  warn();
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('waymark')) warn();
  });
}

async function offerSettings(problem: string): Promise<void> {
  const open = vscode.l10n.t('Open Settings');
  const picked = await vscode.window.showWarningMessage(problem, open);
  if (picked === open) await vscode.commands.executeCommand('waymark.openSettings');
}
