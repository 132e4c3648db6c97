import * as vscode from 'vscode';
import type { SkillSource } from '../../../api/waymark';
import { SkillFiles } from '../../adapters/skills/skillFiles';
import type { Skill } from '../../core/ports/skill';
import { SkillReviews, type Reviewable } from '../../adapters/skills/skillReviews';
import type { Contributed } from '../contributed/contributions';
import { watchedSkills } from '../../core/skills/locations';

/** The skills of this window's folders, shared by its sessions. Loaded on first use and after changes on disk. */
export class WorkspaceSkills implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  /** Fires when skills may have changed. */
  readonly onDidChange = this.changes.event;
  private readonly reviews: SkillReviews;
  private cached: { readonly key: string; readonly files: SkillFiles } | undefined;
  private readonly listening: readonly vscode.Disposable[];
  private watcher: vscode.FileSystemWatcher | undefined;

  /** `folder`: absolute path of the folder for reviewed content. `contributedSkills`: skill sources of other extensions. */
  constructor(
    folder: string,
    private readonly contributedSkills: Contributed<SkillSource>,
    private readonly onProblem: (words: string) => void,
  ) {
    this.reviews = new SkillReviews(folder);
    this.listening = [
      contributedSkills.onDidChange(() => this.changed()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.changed()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.lookOutside();
      }),
    ];
  }

  /** Undefined while the workspace is not trusted; nothing is read then. */
  get files(): SkillFiles | undefined {
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath);
    if (!vscode.workspace.isTrusted || folders.length === 0) return undefined;
    const key = folders.join('\0');
    if (this.cached?.key !== key)
      this.cached = {
        key,
        files: new SkillFiles({ folders, editorRoot: vscode.env.appRoot }, this.reviews, () => this.loadContributed()),
      };
    this.watch();
    return this.cached.files;
  }

  /** Returns whether a skill has changed since its last use and waits for review. */
  hasChanged(skill: Reviewable): boolean {
    return this.cached?.files.trustOf(skill) === 'changed';
  }

  /** Returns the last approved text, or undefined if it is not stored. */
  agreedText(skill: Reviewable): string | undefined {
    return this.cached?.files.agreedText(skill);
  }

  /** Returns the skills and skill pages that wait for review, after rechecking files that no watcher covers. */
  async waiting(): Promise<Reviewable[]> {
    await this.lookOutside();
    const { files } = this;
    return files
      ? [
          ...(await files.listAll()).map(({ skill }) => skill).filter((skill) => this.hasChanged(skill)),
          ...(await files.changedPages()),
        ]
      : [];
  }

  /** Approves the current content of skills. */
  agree(skills: readonly Reviewable[]): void {
    this.cached?.files.agree(skills);
    this.changes.fire();
  }

  changed(): void {
    this.cached?.files.changed();
    this.changes.fire();
  }

  dispose(): void {
    for (const part of [this.watcher, this.changes, ...this.listening]) part?.dispose();
  }

  /** Rechecks the skills of the home folder and of parent folders, which no watcher covers. */
  private async lookOutside(): Promise<void> {
    if (await this.cached?.files.lookOutside()) this.changes.fire();
  }

  private async loadContributed(): Promise<Skill[]> {
    if (this.contributedSkills.all.length === 0) return [];
    return (await import('../contributed/contributedSkills')).contributedSkills(this.contributedSkills, this.onProblem);
  }

  private watch(): void {
    if (this.watcher) return;
    this.watcher = vscode.workspace.createFileSystemWatcher(watchedSkills);
    for (const event of [this.watcher.onDidChange, this.watcher.onDidCreate, this.watcher.onDidDelete])
      event(() => this.changed());
  }
}
