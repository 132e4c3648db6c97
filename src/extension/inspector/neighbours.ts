import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { placeOf } from '../../adapters/log/eventLog';
import type { Sessions } from '../../adapters/sessions/sessions';

/** File names of trajectories. */
const trajectoryName =
  /\.(?:waymark\.jsonl|traj\.json|atif\.json|sharegpt\.jsonl)$|^(?:trajectory_samples|failed_trajectories)\.jsonl$/;

/**
 * Returns the trajectories that the user can step through from a file: the sessions of this workspace, or else the
 * trajectories of the same workspace folder. Outside a workspace folder, those of its own folder.
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

/** Returns the next or previous trajectory. Throws an `Error` with a message for people at either end. */
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
    .filter((entry) => entry.isFile() && trajectoryName.test(entry.name))
    .map(({ name }) => path.join(folder, name));
}
