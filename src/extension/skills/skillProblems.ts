import * as vscode from 'vscode';
import type { Position, SkillProblem } from '../../core/skills/skill';
import type { WorkspaceSkills } from './workspaceSkills';

const SOURCE = 'Waymark';

/** What is wrong with the files that teach the agent, in the Problems panel, with a quick fix where one is obvious. */
export class SkillProblems implements vscode.CodeActionProvider, vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('waymark-skills');
  private readonly known = new Map<string, readonly SkillProblem[]>();
  private readonly registrations: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly skills: WorkspaceSkills) {
    this.registrations = [
      this.collection, skills.onDidChange(() => this.later()), vscode.workspace.onDidGrantWorkspaceTrust(() => this.later()),
      vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, this, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    ];
    this.later();
  }

  provideCodeActions({ uri }: vscode.TextDocument, _range: vscode.Range, { diagnostics }: vscode.CodeActionContext): vscode.CodeAction[] {
    const problems = this.known.get(uri.toString()) ?? [];
    return problems.flatMap(problem => {
      const diagnostic = diagnostics.find(each => each.source === SOURCE && each.code === problem.code && each.range.start.isEqual(rangeOf(problem).start));
      if (!diagnostic || !problem.fix) return [];
      const action = new vscode.CodeAction(problem.fix.title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.isPreferred = true;
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(uri, rangeOf(problem.fix), problem.fix.text);
      return [action];
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const registration of this.registrations) registration.dispose();
  }

  /** Several changes of one moment are one. */
  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.tell(), 200);
  }

  private async tell(): Promise<void> {
    const { files } = this.skills;
    const all = await files?.all() ?? [];
    this.collection.clear();
    this.known.clear();
    for (const { skill } of all) {
      const file = files?.fileOf(skill);
      if (file === undefined || skill.problems.length === 0) continue;
      const uri = vscode.Uri.file(file);
      this.known.set(uri.toString(), skill.problems);
      this.collection.set(uri, skill.problems.map(diagnosticOf));
    }
  }
}

/** A problem as the editor shows it. */
export function diagnosticOf(problem: SkillProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(rangeOf(problem), problem.message, problem.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning);
  diagnostic.source = SOURCE;
  diagnostic.code = problem.code;
  return diagnostic;
}

const positionOf = ({ line, column }: Position): vscode.Position => new vscode.Position(line - 1, column - 1);
const rangeOf = ({ from, to }: { readonly from: Position; readonly to: Position }): vscode.Range => new vscode.Range(positionOf(from), positionOf(to));
