import * as vscode from 'vscode';
import { openSettings } from '../common/openSettings';
import { findSandbox, notFoundOut } from '../../adapters/sandbox/findSandbox';
import type { SandboxOrNot } from '../../adapters/sandbox/sandbox';
import type { PanelFacts } from '../../protocol/panel/panel';
import { readSettings } from '../common/settings';

/** Shows whether commands of this window run in a sandbox. Starts nothing while the workspace is not trusted. */
export class SandboxState implements vscode.Disposable {
  private state: PanelFacts['sandbox'];

  private readonly listening: vscode.Disposable;

  /** `changed`: called after each update. */
  constructor(private readonly changed: () => void) {
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('waymark')) void this.refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refresh()),
    );
  }

  /** Empty until the state is known. */
  get facts(): Pick<PanelFacts, 'sandbox'> {
    return this.state ? { sandbox: this.state } : {};
  }

  /** Updates the state. */
  async refresh(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
    if (!vscode.workspace.isTrusted || folders.length === 0) return;
    const { sandbox: wanted, allowedDomains } = readSettings();
    const found: SandboxOrNot =
      wanted === 'off'
        ? { none: vscode.l10n.t('disabled'), next: vscode.l10n.t('Set waymark.sandbox to auto to use one.') }
        : await findSandbox(folders, { allowed: allowedDomains }).catch(notFoundOut);
    this.state =
      'sandbox' in found
        ? {
            on: true,
            words: [
              found.sandbox.domains.length > 0
                ? vscode.l10n.t(
                    'Commands run in a sandbox: they reach only {0} over the network and write only to the workspace. A command leaves it only if you choose “Run outside sandbox”.',
                    found.sandbox.domains.join(', '),
                  )
                : vscode.l10n.t(
                    'Commands run in a sandbox: they have no network and write only to the workspace. A command leaves it only if you choose “Run outside sandbox”.',
                  ),
              ...[found.unreachable, found.weaker].filter((words) => words !== undefined),
            ].join(' '),
          }
        : {
            on: false,
            words:
              wanted === 'on' || found.exhausted
                ? vscode.l10n.t('Commands cannot run, because there is no sandbox: {0}. {1}', found.none, found.next)
                : vscode.l10n.t(
                    'Commands run without a sandbox, with all rights of your account: {0}. {1}',
                    found.none,
                    found.next,
                  ),
          };
    this.changed();
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Shows the state with its reason and where to change it. */
  async show(): Promise<void> {
    await this.refresh();
    const [settings, docs] = [vscode.l10n.t('Open Settings'), vscode.l10n.t('Open Documentation')];
    const words = this.state?.words ?? vscode.l10n.t('Commands need an open, trusted folder.');
    const answer = await vscode.window.showInformationMessage(words, settings, docs);
    if (answer === settings) await openSettings('waymark.sandbox');
    if (answer === docs) await vscode.commands.executeCommand('waymark.openDocs', 'security/sandbox.md');
  }
}
