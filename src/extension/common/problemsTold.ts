import * as vscode from 'vscode';
import type { Position, SkillProblem } from '../../core/ports/skill';

const SOURCE = 'Waymark';

/** The problems of some files. */
export type FileProblems = readonly (readonly [vscode.Uri, readonly SkillProblem[]])[];

/**
 * Tells the Problems panel under `name` what `read` finds, at first and after each of `changes` or when the folder becomes trusted; several
 * of one moment are one. Where a problem says what would mend it, that is a quick fix.
 */
export function problemsTold(
  name: string,
  changes: vscode.Event<void>,
  read: () => Promise<FileProblems>,
): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection(name);
  const known = new Map<string, readonly SkillProblem[]>();
  const tell = async (): Promise<void> => {
    const found = await read();
    collection.clear();
    known.clear();
    for (const [uri, problems] of found) {
      known.set(uri.toString(), problems);
      collection.set(uri, problems.map(diagnosticOf));
    }
  };
  const fixes: vscode.CodeActionProvider = {
    provideCodeActions: ({ uri }, _range, { diagnostics }) =>
      (known.get(uri.toString()) ?? []).flatMap((problem) => {
        const diagnostic = diagnostics.find(
          (each) =>
            each.source === SOURCE && each.code === problem.code && each.range.start.isEqual(rangeOf(problem).start),
        );
        return diagnostic && problem.fix ? [fixOf(problem.fix, uri, diagnostic)] : [];
      }),
  };
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void tell(), 200);
  };
  const quiet = new vscode.Disposable(() => clearTimeout(timer));
  later();
  return vscode.Disposable.from(
    quiet,
    collection,
    changes(later),
    vscode.workspace.onDidGrantWorkspaceTrust(later),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, fixes, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
}

function fixOf(
  fix: NonNullable<SkillProblem['fix']>,
  uri: vscode.Uri,
  diagnostic: vscode.Diagnostic,
): vscode.CodeAction {
  const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(uri, rangeOf(fix), fix.text);
  return action;
}

function diagnosticOf(problem: SkillProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    rangeOf(problem),
    problem.message,
    problem.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = SOURCE;
  diagnostic.code = problem.code;
  return diagnostic;
}

const positionOf = ({ line, column }: Position): vscode.Position => new vscode.Position(line - 1, column - 1);
const rangeOf = ({ from, to }: { readonly from: Position; readonly to: Position }): vscode.Range =>
  new vscode.Range(positionOf(from), positionOf(to));
