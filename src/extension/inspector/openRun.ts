import path from 'node:path';
import * as vscode from 'vscode';
import { openTrajectory } from '../../adapters/openTrajectory';
import { runFacts } from '../../core/trajectory/runFacts';
import type { Run } from './inspectorChannel';

/** Reads a trajectory for the inspector; `at`: which one of several in the file. Throws an `Error` in words for the person when it cannot be read at all. */
export async function openRun(uri: vscode.Uri, at = 0): Promise<Run & { readonly runs: number }> {
  if (uri.scheme !== 'file') throw new Error(vscode.l10n.t('{0} is not a file on this machine, so it cannot be inspected.', uri.toString()));
  const { events, problems, format, runs = 1 } = await openTrajectory(uri.fsPath, at);
  return {
    history: events, runs,
    facts: { ...runFacts(events), name: path.basename(uri.fsPath), path: vscode.workspace.asRelativePath(uri), format: format.label, problems: problems.map(({ where, words }) => (words.includes(where) ? words : `${where}: ${words}`)), ...(runs > 1 && { place: { position: at + 1, count: runs } }) },
  };
}
