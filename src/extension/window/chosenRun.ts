import * as vscode from 'vscode';

/**
 * Which of several runs in one file, from 0; asked only where there are several. Undefined when the person leaves it.
 */
export async function chosenRun(runs: number, title: string): Promise<number | undefined> {
  if (runs === 1) return 0;
  const items = Array.from({ length: runs }, (_, run) => ({
    label: vscode.l10n.t('Run {0} of {1}', run + 1, runs),
    run,
  }));
  return (
    await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('The file contains several runs.') })
  )?.run;
}
