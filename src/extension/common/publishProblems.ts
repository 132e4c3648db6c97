import * as vscode from 'vscode';
import type { Position, SkillProblem } from '../../core/ports/skill';

const SOURCE = 'Waymark';
/** Debounce delay for changes, in ms. */
const settleMs = 200;

/** A problem at a place in a file. One without a `code` cannot have a fix. */
type FileProblem = Omit<SkillProblem, 'code'> & Partial<Pick<SkillProblem, 'code'>>;

/** Problems by file. */
export type FileProblems = readonly (readonly [vscode.Uri, readonly FileProblem[]])[];

/**
 * Publishes what `read` finds in the Problems panel, in a collection called `name`: at the start, after each of
 * `changes`, and when the workspace becomes trusted. Changes in quick succession are debounced. Problems with a known
 * fix get a quick fix. `onProblem` is called with the error if `read` fails.
 */
export function publishProblems(
  name: string,
  changes: vscode.Event<void>,
  read: () => FileProblems | Promise<FileProblems>,
  onProblem: (thrown: unknown) => void,
): vscode.Disposable {
  const published = new PublishedProblems(name, read, onProblem);
  published.soon();
  return vscode.Disposable.from(
    published,
    changes(() => published.soon()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => published.soon()),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, published, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
}

class PublishedProblems implements vscode.CodeActionProvider, vscode.Disposable {
  private readonly collection: vscode.DiagnosticCollection;
  private readonly published = new Map<string, readonly FileProblem[]>();
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(
    name: string,
    private readonly read: () => FileProblems | Promise<FileProblems>,
    private readonly onProblem: (thrown: unknown) => void,
  ) {
    this.collection = vscode.languages.createDiagnosticCollection(name);
  }

  soon(): void {
    clearTimeout(this.timer);
    if (!this.isDisposed) this.timer = setTimeout(() => this.publish().catch(this.onProblem), settleMs);
  }

  provideCodeActions(
    { uri }: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return (this.published.get(uri.toString()) ?? []).flatMap((problem) => {
      const start = rangeOf(problem).start;
      const diagnostic = diagnostics.find(
        (each) => each.source === SOURCE && each.code === problem.code && each.range.start.isEqual(start),
      );
      return diagnostic && problem.fix ? [fixOf(problem.fix, uri, diagnostic)] : [];
    });
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.collection.dispose();
  }

  private async publish(): Promise<void> {
    const found = await this.read();
    // The window may have been closed meanwhile, and the collection disposed.
    if (this.isDisposed) return;
    this.collection.clear();
    this.published.clear();
    for (const [uri, problems] of found) {
      this.published.set(uri.toString(), problems);
      this.collection.set(uri, problems.map(diagnosticOf));
    }
  }
}

function fixOf(
  fix: NonNullable<FileProblem['fix']>,
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

function diagnosticOf(problem: FileProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    rangeOf(problem),
    problem.message,
    problem.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = SOURCE;
  if (problem.code !== undefined) diagnostic.code = problem.code;
  return diagnostic;
}

/** Returns a position as VS Code counts: from 0. */
const positionOf = ({ line, column }: Position): vscode.Position => new vscode.Position(line - 1, column - 1);
const rangeOf = ({ from, to }: { readonly from: Position; readonly to: Position }): vscode.Range =>
  new vscode.Range(positionOf(from), positionOf(to));
