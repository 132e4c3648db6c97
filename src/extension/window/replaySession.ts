import path from 'node:path';
import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';
import { openTrajectory } from '../../adapters/sessions/openTrajectory';
import { replayPlace } from '../../adapters/sessions/replayPlace';
import { surroundingsOf } from '../../adapters/sessions/surroundings';
import { existingLogPath } from '../../adapters/log/eventLog';
import { secrets } from '../../core/secrets/secrets';
import { replayRun } from '../../core/trajectory/replay/replay';
import {
  replayCounts,
  replayLines,
  type ReplayCounts,
  type ReplayStart,
} from '../../core/trajectory/replay/replayLines';
import type { Action, Assessment } from '../../protocol/events/event';
import type { WindowParts } from './windowParts';
import { askForRun } from './askForRun';
import { pickTrajectory, type TrajectorySources } from '../inspector/pickTrajectory';
import { readSettings } from '../common/settings';
import { commandOf } from '../../core/log/eventFacts';
import { truncate } from '../../protocol/plain/truncate';

/** What to replay, and the folder to copy for it; missing parts are asked for. */
interface ReplayChoice {
  readonly uri?: vscode.Uri;
  readonly session?: string;
  readonly folder?: string;
}

/**
 * Repeats the actions of a run in a copy of a folder and shows what turned out differently. Returns undefined if the
 * user cancelled.
 */
export async function replaySession(
  window: TrajectorySources & Pick<WindowParts, 'texts'>,
  choice: ReplayChoice,
): Promise<ReplayCounts | undefined> {
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('A replay runs commands from the log. Trust this folder first.'));
  const uri =
    choice.uri ??
    (choice.session === undefined
      ? await pickTrajectory(window, vscode.l10n.t('Replay Session'))
      : vscode.Uri.file(existingLogPath(window.sessions.stored.logOf(choice.session))));
  if (!uri) return undefined;
  const doubt = window.sessions.stored.doubtAt(uri.fsPath);
  const opened = await openTrajectory(uri.fsPath, { doubt });
  const run = await askForRun(opened.runs ?? 1, vscode.l10n.t('Replay Session'));
  const folder = run === undefined ? undefined : (choice.folder ?? (await pickFolder()));
  if (run === undefined || folder === undefined) return undefined;
  const {
    events,
    problems,
    vouched,
    place: file,
  } = run === 0 ? opened : await openTrajectory(uri.fsPath, { run, doubt });
  const notes = problems.map(({ where, words }) => `${where}: ${words}`);
  const settings = readSettings();
  let start: ReplayStart | undefined;
  const actions = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Replaying in a copy of {0}', path.basename(folder)),
      cancellable: true,
    },
    async (_progress, cancelled) => {
      const stop = new AbortController();
      const listening = cancelled.onCancellationRequested(() => stop.abort());
      const place = await replayPlace(folder, events, {
        sandbox: settings.sandbox,
        onNotice: (text) => notes.push(text),
      });
      notes.push(...place.notes);
      start = place.start;
      try {
        return await replayRun(events, {
          environment: place.environment,
          vouched,
          source: folder,
          surroundings: surroundingsOf({ root: place.environment.root }),
          signal: stop.signal,
          child: place.childrenOf(file),
          consent: askToRunAgain,
          ...(settings.asking && { asking: settings.asking }),
        });
      } finally {
        listening.dispose();
        await place.dispose();
      }
    },
  );
  await window.texts.show(
    `replay of ${path.basename(path.dirname(uri.fsPath))}.txt`,
    `${[...notes, ...replayLines(actions, start)].map((line) => secrets.mask(line)).join('\n')}\n`,
  );
  return replayCounts(actions);
}

/** Asks for approval. Approvals in the recording do not count. */
async function askToRunAgain(action: Action, risk: Assessment): Promise<boolean> {
  const run = vscode.l10n.t('Run It Again');
  const input = commandOf(action) ?? JSON.stringify(action.input, null, 2);
  const detail = [truncate(input, 2000), '', ...risk.reasons].join('\n');
  return (
    (await vscode.window.showWarningMessage(
      vscode.l10n.t('{0}: run it again in the replay?', action.summary),
      { modal: true, detail: secrets.mask(detail) },
      run,
    )) === run
  );
}

async function pickFolder(): Promise<string | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const other = { label: vscode.l10n.t('Another folder…'), iconPath: new vscode.ThemeIcon('folder-opened') };
  const items: (vscode.QuickPickItem & { folder?: string })[] = [
    ...folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath, folder: uri.fsPath })),
    other,
  ];
  const picked = await pickOne(items, {
    title: vscode.l10n.t('Replay in a Copy of'),
    placeHolder: vscode.l10n.t(
      'The replay works in a copy of the folder. If Git knows the state at the start of the run, the copy is reset to it.',
    ),
  });
  if (!picked || picked.folder !== undefined) return picked?.folder;
  return (await vscode.window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false }))?.[0]?.fsPath;
}
