import * as vscode from 'vscode';

/** Returns "src/a.ts:3:5 error ts(2322): …", as compilers write it. Lines and columns start at 1. */
export function problemLine(shown: string, { range, severity, source, message, code }: vscode.Diagnostic): string {
  const named = typeof code === 'object' ? code.value : code;
  const who = `${source ?? ''}${named === undefined ? '' : `(${named})`}`;
  const place = `${shown}:${range.start.line + 1}:${range.start.character + 1}`;
  const kind = severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning';
  const words = message.replace(/\s+/g, (blank) => (blank.includes('\n') ? ' ' : blank));
  return `${place} ${kind}${who && ` ${who}`}: ${words}`;
}
