import * as vscode from 'vscode';
import { placeOf } from '../../adapters/log/eventLog';
import type { Sessions } from '../../adapters/sessions/sessions';
import type { InspectorChannel } from './inspectorChannel';

/** The files that are open in inspectors, and the steps that are to be shown in some that are not there yet. */
export class Inspectors {
  private readonly open = new Map<string, InspectorChannel>();
  private readonly wanted = new Map<string, number>();

  /** Opens a file in the inspector; `seq` is an event whose row is opened and gets the focus. */
  async show(uri: vscode.Uri, seq?: number): Promise<void> {
    const key = uri.toString();
    if (seq !== undefined) this.wanted.set(key, seq);
    await vscode.commands.executeCommand('vscode.openWith', uri, 'waymark.trajectory');
    this.tell(key);
  }

  /** The log of a session. */
  showSession(id: string, sessions: Sessions, seq?: number): Promise<void> {
    return this.show(vscode.Uri.file(placeOf(sessions.logOf(id))), seq);
  }

  /** Something happened in a session that may be shown. */
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
