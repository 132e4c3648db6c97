import * as vscode from 'vscode';
import { HookConsent } from '../../adapters/hooks/hookConsent';
import { hooksChange, type HookFile } from '../../adapters/hooks/hookFiles';
import { SessionHooks } from '../../adapters/hooks/sessionHooks';
import { shownInFolders } from '../../adapters/storage/diskPaths';
import { shownToPeople } from '../../core/text/shownName';
import type { Settings } from '../common/settings';
import { VirtualDocuments } from '../common/virtualDocuments';

/** Hooks of the workspace folder. The user reviews them before they first run and whenever they change. */
export class WindowHooks implements vscode.Disposable {
  private readonly consent: HookConsent;
  /** Hashes of the hooks that the user chose to do without in this window. */
  private readonly declined = new Set<string>();
  private readonly documents = new VirtualDocuments('waymark-hooks');
  private asking: Promise<boolean> | undefined;

  /** `folder`: absolute path of the folder where approvals are stored. */
  constructor(folder: string) {
    this.consent = new HookConsent(folder);
  }

  /** Returns the hooks for a session. None run while the workspace is not trusted. */
  hooksForSession(
    session: string,
    root: string,
    { sandbox, environment }: Pick<Settings, 'sandbox' | 'environment'>,
  ): SessionHooks {
    return new SessionHooks({
      root,
      session,
      sandbox,
      passEnvironment: environment,
      files: async () => (vscode.workspace.isTrusted ? this.consent.files(root) : []),
      isAgreed: (file) => vscode.workspace.isTrusted && this.consent.has(file),
      isChanged: (file) => vscode.workspace.isTrusted && this.consent.isOutdated(file) && !this.declined.has(file.hash),
      onChanged: () => void this.settle({ modal: false }),
    });
  }

  /** Copies approvals of hooks from a folder to a worktree of it, as long as the hooks are the same there. */
  agreeAsIn(folder: string, worktree: string): Promise<void> {
    return this.consent.agreeAsIn(folder, worktree);
  }

  /** Returns every hooks file, or none if the workspace is not trusted. */
  async files(): Promise<HookFile[]> {
    const folders = vscode.workspace.isTrusted
      ? (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []))
      : [];
    const found = await Promise.all(
      folders.map(async (folder) =>
        (await this.consent.files(folder)).map((file) =>
          file.path === file.absolute ? file : { ...file, path: shownInFolders(file.path, folder, folders) },
        ),
      ),
    );
    return [...new Map(found.flat().map((file) => [file.absolute, file])).values()];
  }

  /**
   * Asks about changed hooks before a task. Returns true if the task may start. Hooks that are not approved do not run.
   */
  settle({ modal = true }: { readonly modal?: boolean } = {}): Promise<boolean> {
    return (this.asking ??= this.ask(modal).finally(() => {
      this.asking = undefined;
    }));
  }

  /** Asks about all current hooks, including those already decided. */
  async review(): Promise<void> {
    const files = (await this.files()).filter((file) => file.hooks.length > 0 || this.consent.isOutdated(file));
    if (files.length === 0)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('No hooks found in .agent/hooks.json or .openhands/hooks.json.'),
      );
    for (const file of files) await this.show(file);
    const run = vscode.l10n.t('Run Hooks');
    const without = vscode.l10n.t('Run None');
    const picked = await vscode.window.showInformationMessage(
      vscode.l10n.t('Run the hooks in {0}?', files.map(({ path }) => shownToPeople(path)).join(', ')),
      run,
      without,
    );
    if (picked === run) this.agree(files);
    else if (picked === without) this.forget(files);
  }

  dispose(): void {
    this.documents.dispose();
  }

  private async ask(modal: boolean): Promise<boolean> {
    const waiting = this.consent.waiting(await this.files()).filter(({ hash }) => !this.declined.has(hash));
    if (waiting.length === 0) return true;
    const lost = waiting.filter((file) => file.lost !== undefined);
    if (lost.length > 0 && !(await this.goesWithout(lost, modal))) return false;
    return (
      lost.length === waiting.length ||
      this.askAbout(
        waiting.filter((file) => file.lost === undefined),
        modal,
      )
    );
  }

  /** Returns true if the user continues without approved hooks that can no longer run. */
  private async goesWithout(files: readonly HookFile[], modal: boolean): Promise<boolean> {
    const without = vscode.l10n.t('Continue Without');
    const words = vscode.l10n.t('Approved hooks cannot run.');
    const detail = files.map(hooksChange).join('\n');
    const picked = await vscode.window.showWarningMessage(
      modal ? words : `${words} ${detail} ${vscode.l10n.t('Answer, then resume the run.')}`,
      { modal, detail },
      without,
    );
    if (picked === without) this.consent.withdraw(files);
    return picked === without;
  }

  private async askAbout(waiting: readonly HookFile[], modal: boolean): Promise<boolean> {
    const [show, run, without] = [
      vscode.l10n.t('Show Them'),
      vscode.l10n.t('Run Hooks'),
      vscode.l10n.t('Continue Without'),
    ];
    const names = waiting.map(({ path }) => shownToPeople(path)).join(', ');
    const changed = waiting.some((file) => this.consent.isOutdated(file));
    const words = changed
      ? vscode.l10n.t('The hooks of {0}, or scripts that they run, changed since you approved them.', names)
      : vscode.l10n.t('{0} defines programs that run on agent events.', names);
    const detail = waiting.flatMap(({ hooks }) => hooks.map(({ on, command }) => `${on}: ${command}`)).join('\n');
    let picked = await vscode.window.showWarningMessage(
      modal ? words : `${words} ${vscode.l10n.t('Answer, then resume the run.')}`,
      { modal, detail },
      show,
      run,
      without,
    );
    if (picked === show) {
      for (const file of waiting) await this.show(file);
      picked = await vscode.window.showWarningMessage(words, run, without);
    }
    if (picked === run) this.agree(waiting);
    if (picked === without) for (const { hash } of waiting) this.declined.add(hash);
    return picked === run || picked === without;
  }

  private agree(files: readonly HookFile[]): void {
    this.consent.agree(files);
    for (const { hash } of files) this.declined.delete(hash);
  }

  private forget(files: readonly HookFile[]): void {
    this.consent.withdraw(files);
    for (const { hash } of files) this.declined.add(hash);
  }

  /** Shows a diff of the approved hooks file and its scripts against their current content. */
  private async show(file: HookFile): Promise<void> {
    const { path } = vscode.Uri.file(`${file.absolute}.txt`);
    const before = this.documents.keep(path, `before ${file.hash}`, this.consent.textOf(file) ?? '');
    const now = this.documents.keep(path, `now ${file.hash}`, file.source);
    await vscode.commands.executeCommand(
      'vscode.diff',
      before,
      now,
      vscode.l10n.t('{0} and what it runs', shownToPeople(file.path)),
      { preview: false },
    );
  }
}
