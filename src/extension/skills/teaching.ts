import * as vscode from 'vscode';
import { personaNamed } from '../../core/skills/personaNamed';
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

/** Returns the quick pick row of a persona. */
export function personaRow({ name, path, description }: Skill): vscode.QuickPickItem {
  return { label: shownToPeople(name), description: shownToPeople(path), detail: description };
}

/** Returns the problems in skill and instruction files. */
async function skillProblems({ files }: WorkspaceSkills): Promise<FileProblems> {
  return ((await files?.listAll()) ?? []).flatMap(({ skill }) => {
    const file = files?.fileOf(skill);
    return file === undefined || skill.problems.length === 0 ? [] : [[vscode.Uri.file(file), skill.problems] as const];
  });
}

/** Returns the problems in hooks files. */
const hookProblems = async (hooks: WindowHooks): Promise<FileProblems> =>
  (await hooks.files()).map(({ absolute, problems }) => [vscode.Uri.file(absolute), problems] as const);

/** Views and reviews of skills, hooks and MCP servers. */
export class Teaching implements vscode.Disposable {
  readonly review: SkillReview;
  readonly skills: WorkspaceSkills;
  readonly hooks: WindowHooks;
  readonly mcp: WorkspaceMcp;
  readonly servers: McpActions;
  /** Name of the persona chosen for the next task. */
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
      publishProblems('waymark-mcp', this.mcp.onDidChange, () => mcpProblems(this.mcp), onProblem),
    ];
  }

  /**
   * Asks before a task which changed skills and hooks may be used and which servers may start. Returns true if the task
   * may start. A server that the user does not approve is left out.
   */
  async settle(): Promise<boolean> {
    if (!((await this.review.settle()) && (await this.hooks.settle()))) return false;
    await this.servers.consent.settle();
    return true;
  }

  /** Returns the personas that can be used with a model. */
  async personas(model: string): Promise<Skill[]> {
    return ((await this.skills.files?.listUsed(model)) ?? []).filter(({ kind }) => kind === 'persona');
  }

  /**
   * Takes the persona chosen for the next task and clears the choice. Throws an `Error` with a message for people if it
   * does not exist anymore.
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
