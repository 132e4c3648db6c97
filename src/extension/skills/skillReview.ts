import * as vscode from 'vscode';
import type { Reviewable } from '../../adapters/skills/skillReviews';
import { shownToPeople } from '../../core/text/shownName';
import { VirtualDocuments } from '../common/virtualDocuments';
import type { WorkspaceSkills } from './workspaceSkills';

/** Shows changes in skill and instruction files before they are used again. */
export class SkillReview implements vscode.Disposable {
  private readonly documents = new VirtualDocuments('waymark-skill');
  private readonly saving: vscode.Disposable;

  constructor(private readonly skills: WorkspaceSkills) {
    this.saving = vscode.workspace.onDidSaveTextDocument((document) => void this.agreeToSaved(document));
  }

  /** Opens the change of one file in the diff editor. */
  async show(skill: Reviewable): Promise<void> {
    const file = this.skills.files?.fileOf(skill);
    const text = (hash: string, words: string): vscode.Uri =>
      this.documents.keep(vscode.Uri.file(file ?? `/${skill.path}`).path, hash, words);
    const left = text(`before ${skill.hash}`, this.skills.agreedText(skill) ?? '');
    await vscode.commands.executeCommand(
      'vscode.diff',
      left,
      file === undefined ? text(skill.hash, skill.source) : vscode.Uri.file(file),
      vscode.l10n.t('{0} (since it was last used)', shownToPeople(skill.path)),
      { preview: false },
    );
  }

  /**
   * Asks about changed files before a task. Returns true if the task may start. Files that are not approved are not
   * used.
   */
  async settle(): Promise<boolean> {
    const waiting = await this.skills.waiting();
    if (waiting.length === 0) return true;
    const [show, use, without] = [
      vscode.l10n.t('Show Changes'),
      vscode.l10n.t('Use Them'),
      vscode.l10n.t('Continue Without'),
    ];
    const names = waiting.map(({ path }) => shownToPeople(path)).join(', ');
    const words =
      waiting.length === 1
        ? vscode.l10n.t('{0} changed since the agent last used it.', names)
        : vscode.l10n.t('{0} skills or instructions changed since they were last used: {1}.', waiting.length, names);
    let picked = await vscode.window.showWarningMessage(words, { modal: true }, show, use, without);
    if (picked === show) {
      for (const skill of waiting) await this.show(skill);
      picked = await vscode.window.showWarningMessage(words, use, without);
    }
    if (picked === use) this.skills.agree(waiting);
    return picked === use || picked === without;
  }

  /** Shows the changes of all files that wait for review, or of the given one, and asks whether to use them. */
  async review(skill?: Reviewable): Promise<void> {
    const waiting = skill ? [skill] : await this.skills.waiting();
    if (waiting.length === 0)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('No skills or instructions have changed since they were last used.'),
      );
    for (const each of waiting) await this.show(each);
    const use = vscode.l10n.t('Use Them');
    if (
      (await vscode.window.showInformationMessage(
        vscode.l10n.t('Use {0} as it is now?', waiting.map(({ path }) => shownToPeople(path)).join(', ')),
        use,
      )) === use
    )
      this.skills.agree(waiting);
  }

  dispose(): void {
    this.saving.dispose();
    this.documents.dispose();
  }

  /**
   * Approves files saved in this window: the user typed the content, or approved the edit, since edits of these files
   * always ask.
   */
  private async agreeToSaved({ uri }: vscode.TextDocument): Promise<void> {
    const { files } = this.skills;
    if (uri.scheme !== 'file' || !files) return;
    this.skills.changed();
    const skill = (await this.skills.waiting()).find((each) => files.fileOf(each) === uri.fsPath);
    if (skill) this.skills.agree([skill]);
  }
}
