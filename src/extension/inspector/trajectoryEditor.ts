import type * as vscode from 'vscode';
import type { InspectorHost } from './inspectorHost';

/**
 * The inspector as an editor for logs and for the trajectories of other agents. Nothing of it
 * is loaded before the first one is opened.
 */
export class TrajectoryEditor implements vscode.CustomReadonlyEditorProvider {
  /** For files whose name says what they are, and for any that a person opens with it. */
  static readonly ids = ['waymark.trajectory', 'waymark.anyTrajectory'] as const;

  constructor(private readonly host: () => Promise<InspectorHost>) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const [{ inspectFile }, host] = await Promise.all([import('./inspectFile'), this.host()]);
    inspectFile(uri, panel, host);
  }
}
