import * as vscode from 'vscode';
import type { ModelReport } from '../core/model/checkModel';
import type { ModelChoice } from './modelChoice';

const icons = { yes: 'pass', no: 'error', unknown: 'question' } as const;

/** Asks the chosen model for one small reply and shows what its endpoint supports. Offers to show it a picture, and what helps where it does not answer. */
export async function checkChosenModel(choice: ModelChoice, images = false): Promise<void> {
  const settings = await choice.chosenSettings();
  if (!settings) return void vscode.commands.executeCommand('waymark.chooseModel');
  const report = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Checking {0}…', settings.name ?? ''), cancellable: true },
    async (_progress, cancelled) => {
      const stopped = new AbortController();
      cancelled.onCancellationRequested(() => stopped.abort(new Error('stopped')));
      // What stands in for the model would hide what it cannot do itself.
      const [{ checkModel }, model] = await Promise.all([import('../core/model/checkModel'), choice.chosen({ alone: true })]);
      return checkModel(model!, stopped.signal, { images }).catch((error: unknown) => { if (!stopped.signal.aborted) throw error; return undefined; });
    },
  );
  if (report) await show(report, choice, images);
}

async function show({ model, provider, findings, problem }: ModelReport, choice: ModelChoice, images: boolean): Promise<void> {
  const pictures = vscode.l10n.t('Show It a Picture');
  const other = vscode.l10n.t('Choose Another Model');
  const items: vscode.QuickPickItem[] = findings.map(({ item, state, words }) => ({ label: `$(${icons[state]}) ${item}`, description: state, detail: words }));
  const rest = [...(problem || images ? [] : [{ label: `$(device-camera) ${pictures}`, description: vscode.l10n.t('one more small call') }]), ...(problem ? [{ label: `$(settings) ${other}` }] : [])];
  const picked = await vscode.window.showQuickPick([...items, ...(rest.length > 0 ? [{ label: '', kind: vscode.QuickPickItemKind.Separator }] : []), ...rest], { title: `${model} · ${provider}`, placeHolder: vscode.l10n.t('What this model supports'), matchOnDetail: true });
  if (picked?.label.endsWith(pictures)) await checkChosenModel(choice, true);
  if (picked?.label.endsWith(other)) await vscode.commands.executeCommand('waymark.chooseModel');
}
