import * as vscode from 'vscode';
import type { Application } from '../application';
import { inspectorActions } from './inspectorActions';
import type { InspectorChannel } from './inspectorChannel';
import { inspectorView } from './inspectorView';
import { neighbourOf } from './neighbours';
import { openRun } from './openRun';

/** Shows one file in a webview panel. */
export function inspectFile(uri: vscode.Uri, panel: vscode.WebviewPanel, extension: vscode.Uri, application: Application): void {
  // Some files hold several runs; which of them is shown.
  let at = 0;
  let runs = 1;
  const channel: InspectorChannel = inspectorView(panel, extension, {
    async load() {
      const run = await openRun(uri, at);
      runs = run.runs;
      return [run];
    },
    onProblem: problem => application.note(problem),
    actions: inspectorActions({
      history: run => channel.runs[run]?.history ?? [],
      file: () => uri,
      changes: application.changes,
      texts: application.texts,
      async neighbour(by) {
        if (at + by >= 0 && at + by < runs) {
          at += by;
          return channel.load();
        }
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
