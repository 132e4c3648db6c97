import * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel/panel';
import { maskedMessage } from '../common/problemReports';

/** Reveals a view. `preserveFocus`: do not focus it, because the user may be typing elsewhere. */
export type Reveal = (options?: { readonly preserveFocus: boolean }) => Thenable<unknown>;

export const revealSidebar: Reveal = (options) =>
  vscode.commands.executeCommand('waymark.conversation.focus', ...(options ? [options] : []));

/** Sends messages to one view of the panel, if it is open. */
export class PanelOutlet {
  private send: ((message: ToPanel) => void) | undefined;
  /** Messages for when the view is ready. */
  private waiting: ToPanel[] = [];
  private isListening = false;
  private refused = 0;

  constructor(readonly reveal: Reveal = revealSidebar) {}

  /** True if the view is open and its script is running. */
  get isSeen(): boolean {
    return this.send !== undefined && this.isListening;
  }

  /** Number of `giveBack` calls so far. */
  get refusals(): number {
    return this.refused;
  }

  /** Called when a view opens. It replaces an earlier one. */
  open(send: (message: ToPanel) => void): void {
    this.send = send;
  }

  /** Called when a view closes. Returns whether it was the current one. */
  close(send: (message: ToPanel) => void): boolean {
    if (this.send !== send) return false;
    this.send = undefined;
    this.isListening = false;
    return true;
  }

  readonly post = (message: ToPanel): void => this.send?.(message);

  /** Sends a message once the view is ready, so that user input is not lost while it loads. */
  postWhenReady(message: ToPanel): void {
    if (this.isListening) this.post(message);
    else this.waiting.push(message);
  }

  /** Called when the script of the view is running. */
  listening(): void {
    this.isListening = true;
    for (const message of this.waiting.splice(0)) this.post(message);
  }

  /** Called when the view is hidden. Its script stops until it is shown again. */
  hidden(): void {
    this.isListening = false;
  }

  /** Returns typed text that could not be used to the composer, with the reason. */
  giveBack(text: string, problem: unknown): void {
    this.refused++;
    this.postWhenReady({ type: 'compose', text, problem: maskedMessage(problem) });
  }
}
