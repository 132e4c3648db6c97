import * as vscode from 'vscode';
import type { PanelFacts } from '../../protocol/panel/panel';
import { isResumable } from './statusBar';

/** What menus and keys of this window ask about; VS Code is told only what changed. */
export class ContextKeys {
  private readonly told = new Map<string, boolean>();

  /** `running` and `waiting` are about every session of the window, the rest about the one that is shown. */
  tell(facts: PanelFacts, { running, waiting }: { readonly running: boolean; readonly waiting: boolean }): void {
    this.set('waymark.running', running);
    this.set('waymark.approvalPending', waiting);
    this.set('waymark.stepping', facts.stepping);
    this.set('waymark.pausing', facts.pauseRequested);
    this.set('waymark.resumable', isResumable(facts));
    this.set('waymark.conversing', facts.context !== null && facts.writable);
  }

  private set(key: string, value: boolean): void {
    if (this.told.get(key) === value) return;
    this.told.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
