import path from 'node:path';
import * as vscode from 'vscode';
import { settingsOf } from '../../core/log/runSettings';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import type { InspectorHost } from './inspectorHost';
import { inspectorActions } from './inspectorActions';
import type { InspectorChannel } from './inspectorChannel';
import { inspectorView } from './inspectorView';
import { neighbourOf, trajectoriesAround } from './neighbours';
import { liveRun, openRun, type FileRun } from './openRun';

/** Maximum length of a session title in a tab, in characters. */
const maxTitleLength = 40;

/** Shows a trajectory file in a webview panel and keeps it up to date. */
export function inspectFile(uri: vscode.Uri, panel: vscode.WebviewPanel, host: InspectorHost): void {
  const { sessions } = host;
  const id = sessions.stored.idOf(uri.fsPath);
  // Index of the run on display; some files contain several.
  let at = 0;
  let shown: FileRun | undefined;
  const live = () => (id === undefined ? undefined : sessions.get(id));
  const channel: InspectorChannel = inspectorView(panel, host.extension, {
    async load() {
      const session = live();
      shown = session
        ? liveRun(uri, session.conversation.savedHistory, session.problem)
        : await openRun(uri, sessions.stored, at);
      const title = id === undefined ? undefined : settingsOf(shown.history)?.title;
      if (title) panel.title = showInvisibleInLine(title).slice(0, maxTitleLength);
      if (shown.runs === 1) void place().catch((problem) => host.problems.note(problem));
      return [shown];
    },
    // A session that was closed and opened again has another history.
    isLive: () => shown?.history === live()?.conversation.savedHistory,
    onProblem: (problem) => host.problems.note(problem),
    actions: inspectorActions({
      history: (run) => channel.runs[run]?.history ?? [],
      file: () => uri,
      changes: host.changes,
      texts: host.texts,
      async neighbour(by) {
        if (shown && at + by >= 0 && at + by < shown.runs) {
          at += by;
          return channel.load();
        }
        const next = await neighbourOf(uri, by, sessions.stored);
        await vscode.commands.executeCommand('vscode.openWith', next, 'waymark.trajectory', panel.viewColumn);
        panel.dispose();
      },
      openSession: (child) => host.inspectors.showSession(child, sessions.stored),
      sessionOf: ({ fsPath }) => sessions.stored.idOf(fsPath),
    }),
  });
  const place = async (): Promise<void> => {
    const all = await trajectoriesAround(uri, sessions.stored);
    channel.place(all.findIndex(({ fsPath }) => fsPath === uri.fsPath) + 1, all.length);
  };
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(vscode.Uri.file(path.dirname(uri.fsPath)), path.basename(uri.fsPath)),
    true,
    false,
    true,
  );
  const parts = [
    channel,
    watcher,
    watcher.onDidChange(() => {
      if (!live()) channel.grown();
    }),
    host.inspectors.add(uri, channel),
  ];
  panel.onDidDispose(() => parts.forEach((part) => void part.dispose()));
}
