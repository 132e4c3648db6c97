import * as vscode from 'vscode';

/** Adds the agent to the quick fixes of a problem. It starts an ordinary task. */
export const registerProblemActions = (): vscode.Disposable =>
  vscode.languages.registerCodeActionsProvider(
    { scheme: 'file' },
    { provideCodeActions },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );

function provideCodeActions(
  { uri }: vscode.TextDocument,
  _range: vscode.Range,
  { diagnostics }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  const [first] = diagnostics;
  if (!first || !vscode.workspace.isTrusted) return [];
  const line = first.range.start.line + 1;
  const offered = [
    { title: vscode.l10n.t('Fix with Waymark'), command: 'waymark.fixProblems' },
    { title: vscode.l10n.t('Explain with Waymark'), command: 'waymark.explainProblem' },
  ];
  return offered.map(({ title, command }) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { title, command, arguments: [uri, line] };
    action.diagnostics = [...diagnostics];
    return action;
  });
}
