import * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel/panel';
import { messageOf } from '../common/problemReports';

/** Brings a view before the person, with the focus unless they may be typing elsewhere. */
export type Reveal = (options?: { readonly preserveFocus: boolean }) => Thenable<unknown>;

export const revealSidebar: Reveal = (options) =>
  vscode.commands.executeCommand('waymark.conversation.focus', ...(options ? [options] : []));

/** Where messages to one view of the panel go: to the view that is open, or to nobody. */
export class PanelOutlet {
  private send: ((message: ToPanel) => void) | undefined;
  /** What waits for a view that listens. */
  private waiting: ToPanel[] = [];
  private isListening = false;
  private refused = 0;

  constructor(readonly reveal: Reveal = revealSidebar) {}

  /** Whether the view is there and its script runs. */
  get isSeen(): boolean {
    return this.send !== undefined && this.isListening;
  }

  /** How often something came back. */
  get refusals(): number {
    return this.refused;
  }

  /** A view is there; one that was there before hears nothing from now on. */
  open(send: (message: ToPanel) => void): void {
    this.send = send;
  }

  /** That view is gone. Returns whether it was the one that received messages. */
  close(send: (message: ToPanel) => void): boolean {
    if (this.send !== send) return false;
    this.send = undefined;
    this.isListening = false;
    return true;
  }

  readonly post = (message: ToPanel): void => this.send?.(message);

  /** What a person put into the message must not be lost while the view is still being loaded. */
  postWhenReady(message: ToPanel): void {
    if (this.isListening) this.post(message);
    else this.waiting.push(message);
  }

  /** The script of the view runs. */
  listening(): void {
    this.isListening = true;
    for (const message of this.waiting.splice(0)) this.post(message);
  }

  /** The view cannot be seen; its script is gone until it is shown again. */
  hidden(): void {
    this.isListening = false;
  }

  /** What a person typed and could not be used goes back to the composer, with the reason. */
  giveBack(text: string, problem: unknown): void {
    this.refused++;
    this.postWhenReady({ type: 'compose', text, problem: messageOf(problem) });
  }
}
