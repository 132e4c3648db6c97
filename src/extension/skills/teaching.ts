import type * as vscode from 'vscode';
import { HookProblems } from '../hooks/hookProblems';
import type { WindowHooks } from '../hooks/windowHooks';
import { FrontMatterHelp } from './frontMatterHelp';
import { SkillProblems } from './skillProblems';
import { SkillReview } from './skillReview';
import { skillsView } from './skillsView';
import type { WorkspaceSkills } from './workspaceSkills';

/** Everything by which a person sees and writes what teaches the agent. */
export class Teaching implements vscode.Disposable {
  readonly review: SkillReview;
  private readonly parts: vscode.Disposable[];

  constructor(readonly skills: WorkspaceSkills, readonly hooks: WindowHooks, model: () => string) {
    this.review = new SkillReview(skills);
    this.parts = [this.review, skillsView(skills, model), new SkillProblems(skills), new HookProblems(hooks, skills.onDidChange), new FrontMatterHelp()];
  }

  /** Before a task: true where it is decided what the agent goes by and what runs beside it. */
  async settle(): Promise<boolean> { return await this.review.settle() && await this.hooks.settle(); }

  dispose(): void { for (const part of this.parts) part.dispose(); }
}
