import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';

/**
 * Asks which of several runs in a file is meant, and returns its index. Does not ask if there is only one. Returns
 * undefined if the user cancelled.
 */
export async function askForRun(runs: number, title: string): Promise<number | undefined> {
  if (runs === 1) return 0;
  const items = Array.from({ length: runs }, (_, run) => ({
    label: vscode.l10n.t('Run {0} of {1}', run + 1, runs),
    run,
  }));
  return (await pickOne(items, { title, placeHolder: vscode.l10n.t('The file contains several runs.') }))?.run;
}
