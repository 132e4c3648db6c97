import * as vscode from 'vscode';

/** A built-in slash command, as opposed to commands of skills and servers. */
interface SlashCommand {
  readonly name: 'new' | 'plan' | 'undo' | 'review' | 'compact' | 'model' | 'mode' | 'export' | 'help';
  readonly detail: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** ID of the VS Code command that runs it; absent if the panel handles it. */
  readonly command?: string;
}

/** ★ In the order in which they are suggested. */
export const slashCommands = (): readonly SlashCommand[] => [
  { name: 'new', icon: 'add', detail: vscode.l10n.t('Start a new session') },
  { name: 'plan', icon: 'checklist', detail: vscode.l10n.t('Switch to plan mode') },
  { name: 'undo', icon: 'discard', command: 'waymark.undoAllChanges', detail: vscode.l10n.t('Undo all changes') },
  { name: 'review', icon: 'diff', command: 'waymark.reviewChanges', detail: vscode.l10n.t('Review changes') },
  { name: 'compact', icon: 'fold', command: 'waymark.condense', detail: vscode.l10n.t('Condense the conversation') },
  { name: 'model', icon: 'settings', command: 'waymark.chooseModel', detail: vscode.l10n.t('Choose a model') },
  {
    name: 'mode',
    icon: 'shield',
    command: 'waymark.chooseMode',
    detail: vscode.l10n.t('Choose what needs approval'),
  },
  { name: 'export', icon: 'export', command: 'waymark.exportSession', detail: vscode.l10n.t('Export this session') },
  { name: 'help', icon: 'question', detail: vscode.l10n.t('Show keyboard shortcuts') },
];
