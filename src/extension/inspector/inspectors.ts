import * as vscode from 'vscode';
import { existingLogPath } from '../../adapters/log/eventLog';
import type { Sessions } from '../../adapters/sessions/sessions';
import type { InspectorChannel } from './inspectorChannel';
import { VirtualDocuments } from '../common/virtualDocuments';
import type { ProblemReports } from '../common/problemReports';
import type { ChangeView } from '../editor/changeView';
import type { TrajectorySources } from './pickTrajectory';

/** Files that are open in inspectors, and the steps to show once a pending one is ready. */
export class Inspectors {
  private readonly open = new Map<string, InspectorChannel>();
  private readonly wanted = new Map<string, number>();

  /** Opens a file in the inspector. `seq`: an event whose row is expanded and focused. */
  async show(uri: vscode.Uri, seq?: number): Promise<void> {
    const key = uri.toString();
    if (seq !== undefined) this.wanted.set(key, seq);
    await vscode.commands.executeCommand('vscode.openWith', uri, 'waymark.trajectory');
    this.showWanted(key);
  }

  /** Opens the log of a session in the inspector. */
  showSession(id: string, sessions: Sessions, seq?: number): Promise<void> {
    return this.show(vscode.Uri.file(existingLogPath(sessions.logOf(id))), seq);
  }

  /** Called when events were added to a session, which may be on display. */
  appended(id: string, sessions: Sessions): void {
    if (this.open.size > 0) this.open.get(vscode.Uri.file(sessions.logOf(id)).toString())?.appended();
  }

  add(uri: vscode.Uri, channel: InspectorChannel): vscode.Disposable {
    const key = uri.toString();
    this.open.set(key, channel);
    this.showWanted(key);
    return {
      dispose: () => {
        if (this.open.get(key) === channel) this.open.delete(key);
      },
    };
  }

  private showWanted(key: string): void {
    const seq = this.wanted.get(key);
    const channel = this.open.get(key);
    if (seq === undefined || !channel) return;
    this.wanted.delete(key);
    channel.show(seq);
  }
}

/** Opens steps as read-only text in editors. */
export class StepTexts implements vscode.Disposable {
  private readonly documents = new VirtualDocuments('waymark-step');
  /** Makes the URI of each opened step unique. */
  private showings = 0;

  async show(name: string, text: string): Promise<void> {
    this.showings++;
    const uri = this.documents.keep(`/${name}`, String(this.showings), text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.documents.dispose();
  }
}

/** What inspectors need from their window. */
export interface InspectorHost extends TrajectorySources {
  readonly changes: ChangeView;
  readonly texts: StepTexts;
  readonly inspectors: Inspectors;
  readonly problems: ProblemReports;
  /** Install folder of the extension. */
  readonly extension: vscode.Uri;
}
