import type * as vscode from 'vscode';
import type { InspectorHost } from './inspectors';

/** Custom editor for logs and for the trajectories of other agents. Its code is loaded when the first one is opened. */
export class TrajectoryEditor implements vscode.CustomReadonlyEditorProvider {
  /** View types: for files with a known name, and for any file that the user opens with it. */
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
