import * as vscode from 'vscode';

/** "src/a.ts:3:5 error ts(2322): …", as compilers write it; places are counted from 1. */
export function problemLine(shown: string, { range, severity, source, message, code }: vscode.Diagnostic): string {
  const named = typeof code === 'object' ? code.value : code;
  const who = `${source ?? ''}${named === undefined ? '' : `(${named})`}`;
  return `${shown}:${range.start.line + 1}:${range.start.character + 1} ${severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning'}${who && ` ${who}`}: ${message.replace(/\s+/g, (blank) => (blank.includes('\n') ? ' ' : blank))}`;
}
