import * as vscode from 'vscode';
import type { InspectorHost } from './inspectors';
import { inspectorActions } from './inspectorActions';
import type { InspectorChannel } from './inspectorChannel';
import { inspectorView } from './inspectorView';
import { pickTrajectory } from './pickTrajectory';
import { openFileRun } from './fileRun';

/** Asks for two runs and shows them side by side. `chosen`: runs that were already chosen. */
export async function compareTrajectories(host: InspectorHost, chosen: readonly vscode.Uri[] = []): Promise<void> {
  const left = chosen[0] ?? (await pickTrajectory(host, vscode.l10n.t('Compare Trajectories: First')));
  const right =
    left && (chosen[1] ?? (await pickTrajectory(host, vscode.l10n.t('Compare Trajectories: Second'), left)));
  if (!left || !right) return;
  const files = [left, right];
  const panel = vscode.window.createWebviewPanel(
    'waymark.compare',
    vscode.l10n.t('Compare Trajectories'),
    vscode.ViewColumn.Active,
  );
  const channel: InspectorChannel = inspectorView(panel, host.extension, {
    load: () => Promise.all(files.map((file) => openFileRun(file, host.sessions.stored))),
    onProblem: (problem) => host.problems.note(problem),
    actions: inspectorActions({
      history: (run) => channel.runs[run]?.history ?? [],
      completeHistory: (run) => channel.completeHistory(run),
      file: (run) => files[run]!,
      changes: host.changes,
      texts: host.texts,
      neighbour: () => Promise.resolve(),
      openSession: (id) => host.inspectors.showSession(id, host.sessions.stored),
      sessionOf: ({ fsPath }) => host.sessions.stored.idOf(fsPath),
    }),
  });
}
