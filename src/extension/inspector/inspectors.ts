import * as vscode from 'vscode';
import { placeOf } from '../../adapters/log/eventLog';
import type { Sessions } from '../../adapters/sessions/sessions';
import type { InspectorChannel } from './inspectorChannel';

/** Files that are open in inspectors, and the steps to show once a pending one is ready. */
export class Inspectors {
  private readonly open = new Map<string, InspectorChannel>();
  private readonly wanted = new Map<string, number>();

  /** Opens a file in the inspector. `seq`: an event whose row is expanded and focused. */
  async show(uri: vscode.Uri, seq?: number): Promise<void> {
    const key = uri.toString();
    if (seq !== undefined) this.wanted.set(key, seq);
    await vscode.commands.executeCommand('vscode.openWith', uri, 'waymark.trajectory');
    this.tell(key);
  }

  /** Opens the log of a session in the inspector. */
  showSession(id: string, sessions: Sessions, seq?: number): Promise<void> {
    return this.show(vscode.Uri.file(placeOf(sessions.logOf(id))), seq);
  }

  /** Called when events were added to a session, which may be on display. */
  appended(id: string, sessions: Sessions): void {
    if (this.open.size > 0) this.open.get(vscode.Uri.file(sessions.logOf(id)).toString())?.appended();
  }

  add(uri: vscode.Uri, channel: InspectorChannel): vscode.Disposable {
    const key = uri.toString();
    this.open.set(key, channel);
    this.tell(key);
    return {
      dispose: () => {
        if (this.open.get(key) === channel) this.open.delete(key);
      },
    };
  }

  private tell(key: string): void {
    const seq = this.wanted.get(key);
    const channel = this.open.get(key);
    if (seq === undefined || !channel) return;
    this.wanted.delete(key);
    channel.show(seq);
  }
}
