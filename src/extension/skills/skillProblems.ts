import * as vscode from 'vscode';
import type { Position, SkillProblem } from '../../core/skills/skill';
import { problemsTold } from '../problemsTold';
import type { WorkspaceSkills } from './workspaceSkills';

const SOURCE = 'Waymark';

/** What is wrong with the files that teach the agent, in the Problems panel, with a quick fix where one is obvious. */
export class SkillProblems implements vscode.CodeActionProvider, vscode.Disposable {
  private readonly known = new Map<string, readonly SkillProblem[]>();
  private readonly registrations: vscode.Disposable[];

  constructor(private readonly skills: WorkspaceSkills) {
    this.registrations = [
      problemsTold('waymark-skills', skills.onDidChange, collection => this.tell(collection)),
      vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, this, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    ];
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
    for (const registration of this.registrations) registration.dispose();
  }

  private async tell(collection: vscode.DiagnosticCollection): Promise<void> {
    const { files } = this.skills;
    const all = await files?.all() ?? [];
    collection.clear();
    this.known.clear();
    for (const { skill } of all) {
      const file = files?.fileOf(skill);
      if (file === undefined || skill.problems.length === 0) continue;
      const uri = vscode.Uri.file(file);
      this.known.set(uri.toString(), skill.problems);
      collection.set(uri, skill.problems.map(diagnosticOf));
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
