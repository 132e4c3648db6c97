import * as vscode from 'vscode';
import type { Application } from '../window/application';
import { inspectorActions } from './inspectorActions';
import type { InspectorChannel } from './inspectorChannel';
import { inspectorView } from './inspectorView';
import { pickTrajectory } from './inspectTrajectory';
import { openRun } from './openRun';

/** Asks for two runs and shows them beside each other. `given`: those of whom it need not ask. */
export async function compareTrajectories(application: Application, given: readonly vscode.Uri[] = []): Promise<void> {
  const left = given[0] ?? (await pickTrajectory(application, vscode.l10n.t('Compare Trajectories: the First')));
  const right =
    left && (given[1] ?? (await pickTrajectory(application, vscode.l10n.t('Compare Trajectories: the Second'), left)));
  if (!left || !right) return;
  const files = [left, right];
  const panel = vscode.window.createWebviewPanel(
    'waymark.compare',
    vscode.l10n.t('Compare Trajectories'),
    vscode.ViewColumn.Active,
  );
  const channel: InspectorChannel = inspectorView(panel, application.extension, {
    load: () => Promise.all(files.map((file) => openRun(file, application.sessions.stored))),
    onProblem: (problem) => application.note(problem),
    actions: inspectorActions({
      history: (run) => channel.runs[run]?.history ?? [],
      file: (run) => files[run]!,
      changes: application.changes,
      texts: application.texts,
      neighbour: () => Promise.resolve(),
      openSession: (id) => application.inspectors.showSession(id, application.sessions.stored),
      sessionOf: ({ fsPath }) => application.sessions.stored.idOf(fsPath),
    }),
  });
}
