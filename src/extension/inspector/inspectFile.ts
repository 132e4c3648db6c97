import path from 'node:path';
import * as vscode from 'vscode';
import { settingsOf } from '../../core/log/runSettings';
import { tabTitle } from '../common/tabTitle';
import type { InspectorHost } from './inspectors';
import { inspectorActions } from './inspectorActions';
import type { InspectorChannel } from './inspectorChannel';
import { inspectorView } from './inspectorView';
import { liveRun, openFileRun, type FileRun } from './fileRun';
import fs from 'node:fs';
import { existingLogPath } from '../../adapters/log/eventLog';
import type { Sessions } from '../../adapters/sessions/sessions';

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
        : await openFileRun(uri, sessions.stored, at);
      const title = id === undefined ? undefined : settingsOf(shown.history)?.title;
      if (title) panel.title = tabTitle(title);
      if (shown.runs === 1) void place().catch((problem) => host.problems.note(problem));
      return [shown];
    },
    // A session that was closed and opened again has another history.
    isLive: () => shown?.history === live()?.conversation.savedHistory,
    onProblem: (problem) => host.problems.note(problem),
    actions: inspectorActions({
      history: (run) => channel.runs[run]?.history ?? [],
      completeHistory: (run) => channel.completeHistory(run),
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
    channel.sendPosition(all.findIndex(({ fsPath }) => fsPath === uri.fsPath) + 1, all.length);
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

/** File names of trajectories. */
const trajectoryName =
  /\.(?:waymark\.jsonl|traj\.json|atif\.json|sharegpt\.jsonl)$|^(?:trajectory_samples|failed_trajectories)\.jsonl$/;

/**
 * Returns the trajectories that the user can step through from a file: the sessions of this workspace, or else the
 * trajectories of the same workspace folder. Outside a workspace folder, those of its own folder.
 */
async function trajectoriesAround(uri: vscode.Uri, sessions: Sessions): Promise<vscode.Uri[]> {
  const logs = sessions.list().map(({ id }) => existingLogPath(sessions.logOf(id)));
  if (logs.includes(uri.fsPath)) return logs.map((file) => vscode.Uri.file(file));
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const found = folder
    ? (
        await vscode.workspace.findFiles(
          new vscode.RelativePattern(
            folder,
            '**/{*.waymark.jsonl,*.traj.json,*.atif.json,*.sharegpt.jsonl,trajectory_samples.jsonl,failed_trajectories.jsonl}',
          ),
        )
      ).map(({ fsPath }) => fsPath)
    : trajectoriesIn(path.dirname(uri.fsPath));
  return [...new Set([...found, uri.fsPath])].sort().map((file) => vscode.Uri.file(file));
}

/** Returns the next or previous trajectory. Throws an `Error` with a message for people at either end. */
async function neighbourOf(uri: vscode.Uri, by: 1 | -1, sessions: Sessions): Promise<vscode.Uri> {
  const all = await trajectoriesAround(uri, sessions);
  const next = all[all.findIndex(({ fsPath }) => fsPath === uri.fsPath) + by];
  if (!next)
    throw new Error(
      by === 1 ? vscode.l10n.t('This is the last trajectory.') : vscode.l10n.t('This is the first trajectory.'),
    );
  return next;
}

function trajectoriesIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && trajectoryName.test(entry.name))
    .map(({ name }) => path.join(folder, name));
}
