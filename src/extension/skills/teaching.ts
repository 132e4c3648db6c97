import type * as vscode from 'vscode';
import { FrontMatterHelp } from './frontMatterHelp';
import { SkillProblems } from './skillProblems';
import { SkillReview } from './skillReview';
import { skillsView } from './skillsView';
import type { WorkspaceSkills } from './workspaceSkills';

/** Everything by which a person sees and writes what teaches the agent. */
export class Teaching implements vscode.Disposable {
  readonly review: SkillReview;
  private readonly parts: vscode.Disposable[];

  constructor(readonly skills: WorkspaceSkills, model: () => string) {
    this.review = new SkillReview(skills);
    this.parts = [this.review, skillsView(skills, model), new SkillProblems(skills), new FrontMatterHelp()];
  }

  dispose(): void { for (const part of this.parts) part.dispose(); }
}
