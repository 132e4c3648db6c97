import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';
import type { ModelReport } from '../../core/model/checkModel';
import { remedies, type ModelProblem } from '../../core/ports/model';
import type { ModelChoice } from './modelChoice';

const icons = { yes: 'pass', no: 'error', unknown: 'question' } as const;

/**
 * Asks the chosen model for one short reply and shows what its endpoint supports, or why it failed and how to fix that.
 */
export async function checkChosenModel(choice: ModelChoice, { images = false } = {}): Promise<void> {
  const settings = await choice.chosenSettings();
  if (!settings) return void vscode.commands.executeCommand('waymark.chooseModel');
  const report = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Checking {0}…', settings.name ?? ''),
      cancellable: true,
    },
    async (_progress, cancelled) => {
      const stopped = new AbortController();
      cancelled.onCancellationRequested(() => stopped.abort(new Error('stopped')));
      // A fallback model would hide what the model itself does not support.
      const [{ checkModel }, model] = await Promise.all([
        import('../../core/model/checkModel'),
        choice.chosenModel({ alone: true }),
      ]);
      return checkModel(model!, stopped.signal, { images }).catch((error: unknown) => {
        if (!stopped.signal.aborted) throw error;
        return undefined;
      });
    },
  );
  if (report) await show(report, choice, images);
}

async function show(
  { model, provider, findings, problem }: ModelReport,
  choice: ModelChoice,
  images: boolean,
): Promise<void> {
  if (problem) return showProblem(problem);
  const rows = findings.map(({ item, state, words }) => ({
    label: `$(${icons[state]}) ${item[0]!.toUpperCase()}${item.slice(1)}`,
    description: stateLabel(state),
    detail: words,
    item,
  }));
  const untried = {
    label: `$(device-camera) ${vscode.l10n.t('Pictures')}`,
    description: vscode.l10n.t('not tried'),
    detail: vscode.l10n.t('Select this row to test images with one more small request.'),
    item: 'untried',
  };
  if (!images) rows.splice(1 + rows.findIndex(({ item }) => item === 'reasoning'), 0, untried as (typeof rows)[number]);
  const picked = await pickOne(rows, {
    title: `${model} · ${provider}`,
    placeHolder: vscode.l10n.t('Model features'),
    matchOnDetail: true,
  });
  if (picked === untried) await checkChosenModel(choice, { images: true });
}

async function showProblem({ kind, message }: ModelProblem): Promise<void> {
  const remedy =
    remedies[kind] === 'set_api_key'
      ? { title: vscode.l10n.t('Set API Key'), command: 'waymark.setApiKey' }
      : { title: vscode.l10n.t('Choose Model'), command: 'waymark.chooseModel' };
  const picked = await vscode.window.showErrorMessage(message, remedy);
  if (picked) await vscode.commands.executeCommand(picked.command);
}

function stateLabel(state: keyof typeof icons): string {
  if (state === 'yes') return vscode.l10n.t('yes');
  return state === 'no' ? vscode.l10n.t('no') : vscode.l10n.t('unknown');
}
