import * as vscode from 'vscode';
import { personaNamed } from '../../core/session/narrowByPersona';
import type { Skill } from '../../core/ports/skill';
import { shownToPeople } from '../../core/text/shownName';
import type { ToolSources } from '../../core/tools/toolSources';
import { publishProblems, type FileProblems } from '../common/publishProblems';
import type { WindowHooks } from '../hooks/windowHooks';
import { McpActions } from '../mcp/mcpActions';
import { McpConsent } from '../mcp/mcpConsent';
import { WorkspaceMcp, mcpProblems } from '../mcp/workspaceMcp';
import { mcpView } from '../mcp/mcpView';
import { FrontMatterHelp } from './frontMatterHelp';
import { SkillReview } from './skillReview';
import { skillsView } from './skillsView';
import type { WorkspaceSkills } from './workspaceSkills';

/** A persona in a list that people pick from. */
export function personaRow({ name, path, description }: Skill): vscode.QuickPickItem {
  return { label: shownToPeople(name), description: shownToPeople(path), detail: description };
}

/** What is wrong with the files that teach the agent. */
async function skillProblems({ files }: WorkspaceSkills): Promise<FileProblems> {
  return ((await files?.all()) ?? []).flatMap(({ skill }) => {
    const file = files?.fileOf(skill);
    return file === undefined || skill.problems.length === 0 ? [] : [[vscode.Uri.file(file), skill.problems] as const];
  });
}

/** What is wrong with the files of hooks. */
const hookProblems = async (hooks: WindowHooks): Promise<FileProblems> =>
  (await hooks.files()).map(({ absolute, problems }) => [vscode.Uri.file(absolute), problems] as const);

/**
 * Everything through which a person sees and edits what teaches the agent, what runs with it, and which tools it gets.
 */
export class Teaching implements vscode.Disposable {
  readonly review: SkillReview;
  readonly skills: WorkspaceSkills;
  readonly hooks: WindowHooks;
  readonly mcp: WorkspaceMcp;
  readonly servers: McpActions;
  /** The name of the persona that was chosen for the next task. */
  nextPersona: string | undefined;
  private readonly parts: vscode.Disposable[];

  constructor(
    { skills, hooks, added }: { skills: WorkspaceSkills; hooks: WindowHooks; added: ToolSources },
    { globalStorageUri, secrets }: vscode.ExtensionContext,
    model: () => string,
    onProblem: (thrown: unknown) => void,
  ) {
    this.skills = skills;
    this.hooks = hooks;
    this.review = new SkillReview(skills);
    this.mcp = new WorkspaceMcp(vscode.Uri.joinPath(globalStorageUri, 'mcp'), secrets);
    added.add(this.mcp);
    const consent = new McpConsent(this.mcp);
    this.servers = new McpActions(this.mcp, consent);
    this.parts = [
      this.review,
      skillsView(skills, model),
      publishProblems('waymark-skills', skills.onDidChange, () => skillProblems(skills), onProblem),
      publishProblems('waymark-hooks', skills.onDidChange, () => hookProblems(hooks), onProblem),
      new FrontMatterHelp(),
      this.mcp,
      consent,
      mcpView(this.mcp),
      mcpProblems(this.mcp),
    ];
  }

  /**
   * Before a task: true once it is decided what the agent follows and what runs with it. A person who does not agree to
   * a server continues without it.
   */
  async settle(): Promise<boolean> {
    if (!((await this.review.settle()) && (await this.hooks.settle()))) return false;
    await this.servers.consent.settle();
    return true;
  }

  /** Those that can be used with a model of that name. */
  async personas(model: string): Promise<Skill[]> {
    return ((await this.skills.files?.used(model)) ?? []).filter(({ kind }) => kind === 'persona');
  }

  /**
   * The persona that was chosen for the next task, which that task uses up. Throws an `Error`
   * in words where it is not there any more.
   */
  async takePersona(model: string): Promise<Skill | undefined> {
    const name = this.nextPersona;
    this.nextPersona = undefined;
    return name === undefined ? undefined : personaNamed(name, this.skills.files, model);
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }
}
