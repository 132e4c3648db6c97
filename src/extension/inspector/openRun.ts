import path from 'node:path';
import * as vscode from 'vscode';
import { readEventLog } from '../../adapters/eventLog';
import { runFacts } from '../../core/trajectory/runFacts';
import type { Run } from './inspectorChannel';

/** Reads a trajectory for the inspector. Throws an `Error` in words for the person when it cannot be read at all. */
export async function openRun(uri: vscode.Uri): Promise<Run> {
  if (uri.scheme !== 'file') throw new Error(vscode.l10n.t('{0} is not a file on this machine, so it cannot be inspected.', uri.toString()));
  const { events, problem } = readEventLog(uri.fsPath);
  return { history: events, facts: { ...runFacts(events), name: path.basename(uri.fsPath), path: vscode.workspace.asRelativePath(uri), format: 'Waymark log', problems: problem === undefined ? [] : [problem] } };
}
