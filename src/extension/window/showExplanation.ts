import * as vscode from 'vscode';
import { askText, pickOne } from '../common/quickInput';
import type { Explanation } from '../../core/security/explainCommand';
import { loadCommandAnalysis } from '../../core/security/commandAnalysis';
import { escapeInvisible } from '../../protocol/plain/invisible';
import type { Assessment } from '../../protocol/events/event';

const icons: Record<Assessment['level'], string> = {
  low: 'pass',
  medium: 'warning',
  high: 'error',
  unknown: 'question',
};

/**
 * Asks for a shell command and shows how it would be assessed: level, reasons, the deciding part, each effect and its
 * rule. Runs nothing.
 */
export async function showExplanation(commandLine?: string): Promise<unknown> {
  const command =
    commandLine ??
    (await askText({
      title: vscode.l10n.t('Explain Command'),
      prompt: vscode.l10n.t('The shell command to explain. It is not run.'),
    }));
  if (!command?.trim()) return undefined;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const explanation = await explained(command, folders);
  const {
    assessment: { level, reasons, culprit },
    consequence,
    effects,
  } = explanation;
  const heading = (label: string): vscode.QuickPickItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const rows: vscode.QuickPickItem[] = [
    { label: `$(${icons[level]}) ${riskTitle(level)}`, detail: consequence },
    ...(reasons.length > 0 ? [heading(vscode.l10n.t('Reasons')), ...reasons.map((label) => ({ label }))] : []),
    ...(culprit ? [heading(vscode.l10n.t('The deciding part')), { label: escapeHidden(culprit) }] : []),
    ...(effects.length > 0
      ? [
          heading(vscode.l10n.t('Effects')),
          ...effects.map(({ words, level: own, rule, reasons: why }) => ({
            label: `$(${icons[own]}) ${escapeHidden(words)}`,
            description: rule,
            ...(why.length > 0 && { detail: why.join(' ') }),
          })),
        ]
      : []),
  ];
  void pickOne(rows, {
    title: escapeHidden(command),
    placeHolder: vscode.l10n.t('Risk assessment'),
    matchOnDetail: true,
    matchOnDescription: true,
  });
  return explanation;
}

async function explained(command: string, folders: readonly string[]): Promise<Explanation> {
  const [root, ...otherFolders] = folders;
  await loadCommandAnalysis();
  if (root === undefined) return (await import('../../core/security/explainCommand')).explainCommand(command);
  const [{ explainWithScripts }, { workspaceScripts }, { workspaceFolders }] = await Promise.all([
    import('../../core/security/scripts/explainWithScripts'),
    import('../../adapters/scripts/workspaceScripts'),
    import('../../core/security/commandAnalyzer'),
  ]);
  return explainWithScripts(command, workspaceFolders({ root, otherFolders }), workspaceScripts(folders));
}

function riskTitle(level: Assessment['level']): string {
  switch (level) {
    case 'low':
      return vscode.l10n.t('Low risk');
    case 'medium':
      return vscode.l10n.t('Medium risk');
    default:
      return vscode.l10n.t('High risk');
  }
}

/** Puts text on one line, with invisible characters escaped and icon syntax disabled. */
const escapeHidden = (text: string): string =>
  escapeInvisible(text).replaceAll('\n', ' ↵ ').replaceAll('\t', '\\t').replaceAll('$(', '$\u2060(');
