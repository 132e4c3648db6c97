import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { placeOf } from '../../adapters/log/eventLog';
import type { Sessions } from '../../adapters/sessions/sessions';

/** What trajectories are called. */
const names =
  /\.(?:waymark\.jsonl|traj\.json|atif\.json|sharegpt\.jsonl)$|^(?:trajectory_samples|failed_trajectories)\.jsonl$/;

/**
 * The trajectories that a person can step through from one of them: the sessions of this workspace, or those of the
 * same kind in its folder and the folders beside it.
 */
export async function trajectoriesAround(uri: vscode.Uri, sessions: Sessions): Promise<vscode.Uri[]> {
  const logs = sessions.list().map(({ id }) => placeOf(sessions.logOf(id)));
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
    : below(path.dirname(uri.fsPath));
  return [...new Set([...found, uri.fsPath])].sort().map((file) => vscode.Uri.file(file));
}

/** The next or previous one. Throws an `Error` in words at either end. */
export async function neighbourOf(uri: vscode.Uri, by: 1 | -1, sessions: Sessions): Promise<vscode.Uri> {
  const all = await trajectoriesAround(uri, sessions);
  const next = all[all.findIndex(({ fsPath }) => fsPath === uri.fsPath) + by];
  if (!next)
    throw new Error(
      by === 1 ? vscode.l10n.t('This is the last trajectory.') : vscode.l10n.t('This is the first trajectory.'),
    );
  return next;
}

function below(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map(({ name }) => path.join(folder, name));
}
