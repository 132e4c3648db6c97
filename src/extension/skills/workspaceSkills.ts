import * as vscode from 'vscode';
import type { SkillSource } from '../../../api/waymark';
import { SkillFiles } from '../../adapters/skills/skillFiles';
import type { Skill } from '../../core/ports/skill';
import { SkillReviews, type Reviewable } from '../../adapters/skills/skillReviews';
import type { Contributed } from '../contributed/contributions';
import { watchedSkills } from '../../core/skills/locations';

/**
 * The skills of the folders of this window, shared by its sessions. Found when first
 * asked for, and again after a change on disk.
 */
export class WorkspaceSkills implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  /** Something about them may be another by now. */
  readonly onDidChange = this.changes.event;
  private readonly reviews: SkillReviews;
  private known: { readonly key: string; readonly files: SkillFiles } | undefined;
  private readonly listening: readonly vscode.Disposable[];
  private watcher: vscode.FileSystemWatcher | undefined;

  /** `folder`: absolute, where is kept what people have looked at. `given`: what other extensions teach. */
  constructor(
    folder: string,
    private readonly given: Contributed<SkillSource>,
    private readonly onProblem: (words: string) => void,
  ) {
    this.reviews = new SkillReviews(folder);
    this.listening = [
      given.onDidChange(() => this.changed()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.lookOutside();
      }),
    ];
  }

  /** Undefined while the folder is not trusted: nothing of it is read then. */
  get files(): SkillFiles | undefined {
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath);
    if (!vscode.workspace.isTrusted || folders.length === 0) return undefined;
    const key = folders.join('\0');
    if (this.known?.key !== key)
      this.known = {
        key,
        files: new SkillFiles({ folders, editorRoot: vscode.env.appRoot }, this.reviews, () => this.contributed()),
      };
    this.watch();
    return this.known.files;
  }

  /** Whether it changed since its last use, so that it waits for a review. */
  hasChanged(skill: Reviewable): boolean {
    return this.known?.files.trustOf(skill) === 'changed';
  }

  /** What it was when somebody last agreed to it; undefined where that is not kept. */
  agreedText(skill: Reviewable): string | undefined {
    return this.known?.files.agreedText(skill);
  }

  /** Skills and pages of them that wait for a review, after rechecking files that no watcher of the workspace sees. */
  async waiting(): Promise<Reviewable[]> {
    await this.lookOutside();
    const { files } = this;
    return files
      ? [
          ...(await files.all()).map(({ skill }) => skill).filter((skill) => this.hasChanged(skill)),
          ...(await files.changedPages()),
        ]
      : [];
  }

  /** Somebody looked at them. */
  agree(skills: readonly Reviewable[]): void {
    this.known?.files.agree(skills);
    this.changes.fire();
  }

  changed(): void {
    this.known?.files.changed();
    this.changes.fire();
  }

  dispose(): void {
    for (const part of [this.watcher, this.changes, ...this.listening]) part?.dispose();
  }

  /** Skills of the home folder and of folders above may be another, come or go at any time. */
  private async lookOutside(): Promise<void> {
    if (await this.known?.files.lookOutside()) this.changes.fire();
  }

  private async contributed(): Promise<Skill[]> {
    if (this.given.all.length === 0) return [];
    return (await import('../contributed/contributedSkills')).contributedSkills(this.given, this.onProblem);
  }

  private watch(): void {
    if (this.watcher) return;
    this.watcher = vscode.workspace.createFileSystemWatcher(watchedSkills);
    for (const event of [this.watcher.onDidChange, this.watcher.onDidCreate, this.watcher.onDidDelete])
      event(() => this.changed());
  }
}
