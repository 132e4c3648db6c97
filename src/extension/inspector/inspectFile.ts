import * as vscode from 'vscode';
import type { Application } from '../application';
import { inspectorActions } from './inspectorActions';
import type { InspectorChannel } from './inspectorChannel';
import { inspectorView } from './inspectorView';
import { neighbourOf } from './neighbours';
import { openRun } from './openRun';

/** Shows one file in a webview panel. */
export function inspectFile(uri: vscode.Uri, panel: vscode.WebviewPanel, extension: vscode.Uri, application: Application): void {
  const channel: InspectorChannel = inspectorView(panel, extension, {
    load: async () => [await openRun(uri)],
    onProblem: problem => application.note(problem),
    actions: inspectorActions({
      history: run => channel.runs[run]?.history ?? [],
      file: () => uri,
      changes: application.changes,
      texts: application.texts,
      async neighbour(by) {
        const next = await neighbourOf(uri, by, application.sessions.stored);
        await vscode.commands.executeCommand('vscode.openWith', next, 'waymark.trajectory', panel.viewColumn);
        panel.dispose();
      },
      openSession: id => application.inspectors.show(vscode.Uri.file(application.sessions.stored.logOf(id))),
    }),
  });
  const added = application.inspectors.add(uri, channel);
  panel.onDidDispose(() => added.dispose());
}
