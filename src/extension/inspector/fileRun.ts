import path from 'node:path';
import * as vscode from 'vscode';
import { openTrajectory } from '../../adapters/sessions/openTrajectory';
import type { Sessions } from '../../adapters/sessions/sessions';
import { readProblemLine } from '../../core/trajectory/format';
import { runFacts } from '../../core/trajectory/runFacts';
import type { History } from '../../core/log/projection';
import type { RunFacts } from '../../protocol/inspector/inspector';
import type { Run } from './inspectorChannel';

/** A run of a file, and the number of runs in the file. */
export interface FileRun extends Run {
  readonly runs: number;
}

/**
 * Reads a trajectory for the inspector. `index`: which run of the file. Throws an `Error` with a message for people
 * if the file cannot be read at all.
 */
export async function openFileRun(uri: vscode.Uri, stored: Sessions, index = 0): Promise<FileRun> {
  if (uri.scheme !== 'file')
    throw new Error(vscode.l10n.t('{0} is not a file on this machine, so it cannot be inspected.', uri.toString()));
  const place = placeOfRun(uri.fsPath);
  const options = { run: index, doubt: stored.doubtAt(uri.fsPath) };
  const { events, problems, format, runs = 1 } = await openTrajectory(place, { ...options, forDisplay: true });
  let complete: Promise<History> | undefined;
  return runOf(uri, events, {
    ...(format.name !== 'waymark' && {
      complete: () => (complete ??= openTrajectory(place, options).then((opened) => opened.events)),
    }),
    format: format.label,
    problems: problems.map(readProblemLine),
    runs,
    ...(stored.idOf(uri.fsPath) !== undefined && { session: true as const }),
    ...(runs > 1 && { place: { position: index + 1, count: runs } }),
  });
}

/** A conversation of OpenHands is a folder; any of its files can stand for it. */
function placeOfRun(file: string): string {
  const folder = path.dirname(file);
  if (path.basename(file) === 'base_state.json') return folder;
  return path.basename(folder) === 'events' && /^event-\d+-.+\.json$/.test(path.basename(file))
    ? path.dirname(folder)
    : file;
}

/** Returns the run of a session that is open in this window, which grows while it is shown. */
export const liveRun = (uri: vscode.Uri, history: History, problem: string | undefined): FileRun =>
  runOf(uri, history, {
    format: 'Waymark log',
    problems: problem === undefined ? [] : [problem],
    runs: 1,
    session: true,
  });

function runOf(
  uri: vscode.Uri,
  history: History,
  {
    runs,
    complete,
    ...known
  }: Pick<RunFacts, 'format' | 'problems' | 'place' | 'session'> & Pick<FileRun, 'runs' | 'complete'>,
): FileRun {
  const name = path.basename(uri.fsPath);
  return {
    history,
    ...(complete && { complete }),
    runs,
    facts: () => ({ ...runFacts(history), name, path: vscode.workspace.asRelativePath(uri), ...known }),
  };
}
