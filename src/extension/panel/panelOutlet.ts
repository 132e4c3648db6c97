import type { ToPanel } from '../../protocol/panel/panel';
import { messageOf } from '../common/problemReports';

/** Where messages to the panel go: to the view that is open, or to nobody. */
export class PanelOutlet {
  private send: ((message: ToPanel) => void) | undefined;

  /** A view is there; one that was there before hears nothing from now on. */
  open(send: (message: ToPanel) => void): void {
    this.send = send;
  }

  /** That view is gone. Says whether it was the one that messages went to. */
  close(send: (message: ToPanel) => void): boolean {
    if (this.send !== send) return false;
    this.send = undefined;
    return true;
  }

  readonly post = (message: ToPanel): void => this.send?.(message);

  /** What a person typed and could not be used goes back to the composer, with the reason. */
  giveBack(text: string, problem: unknown): void {
    this.post({ type: 'compose', text, problem: messageOf(problem) });
  }
}
