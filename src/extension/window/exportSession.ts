import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';
import { registerSecrets } from '../../adapters/secrets/dotenvSecrets';
import { childHistories, openTrajectory, runName } from '../../adapters/sessions/openTrajectory';
import { exportedFilesInPieces, writeExport } from '../../adapters/sessions/writeExport';
import { runInSlices } from '../../core/text/slices';
import { notStoredIn } from '../../core/trajectory/exportParts';
import { writtenFormats } from '../../core/trajectory/formats/formats';
import { readProblemLine, type TrajectoryFormat } from '../../core/trajectory/format';
import { askForRun } from './askForRun';
import { pickTrajectory, type TrajectorySources } from '../inspector/pickTrajectory';

/** Descriptions of the export formats. */
const details: Readonly<Record<string, () => string>> = {
  html: () => vscode.l10n.t('A self-contained page to read, share or print.'),
  waymark: () => vscode.l10n.t('The log itself, for another Waymark.'),
  mini: () => vscode.l10n.t('For mini-swe-agent’s inspector and tools.'),
  sharegpt: () => vscode.l10n.t('One training line, in Hermes Agent’s format.'),
  openhands: () => vscode.l10n.t('A folder in the format of the OpenHands SDK.'),
  atif: () => vscode.l10n.t('Version 1.7, for Harbor and others that read it.'),
  openai: () => vscode.l10n.t('One line of chat messages, for fine-tuning.'),
};

/** Exports the log of a session to another format. */
export const exportSession = (window: TrajectorySources, id: string): Promise<void> =>
  exportRun(window, window.sessions.stored.logOf(id), vscode.l10n.t('Export Session'));

/** Exports a trajectory to another format: the given file, the open one, or one that the user picks. */
export async function exportTrajectory(window: TrajectorySources, named?: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t('Export Trajectory');
  const uri = named ?? openFile() ?? (await pickTrajectory(window, title));
  if (uri && uri.scheme !== 'file')
    throw new Error(vscode.l10n.t('{0} is not a file on this machine, so it cannot be exported.', uri.toString()));
  if (uri) await exportRun(window, uri.fsPath, title);
}

/** Returns the file of the active editor if it may be a trajectory. */
function openFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputCustom && input.viewType.startsWith('waymark.')) return input.uri;
  return input instanceof vscode.TabInputText && /\.jsonl?$/i.test(input.uri.path) ? input.uri : undefined;
}

/** Asks for a format and a destination, and writes the run there with secrets masked. */
async function exportRun({ sessions: { stored } }: TrajectorySources, file: string, title: string): Promise<void> {
  const opened = await openTrajectory(file, { doubt: stored.doubtAt(file) });
  const run = await askForRun(opened.runs ?? 1, title);
  if (run === undefined) return;
  const { events, problems } = run === 0 ? opened : await openTrajectory(file, { run });
  const choices = writtenFormats.map((format) => ({
    label: format.label,
    description: format.extension || vscode.l10n.t('folder'),
    detail: details[format.name]?.() ?? '',
    format,
  }));
  const report = choices.filter(({ format }) => format.name === 'html');
  const picked = await pickOne([...report, ...choices.filter((choice) => !report.includes(choice))], {
    title,
    placeHolder: vscode.l10n.t('Secrets are masked in every format.'),
    matchOnDetail: true,
  });
  if (!picked) return;
  await registerSecrets(
    events,
    (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : [])),
  );
  const version = String(
    (vscode.extensions.getExtension('waymark.waymark')?.packageJSON as { version?: unknown } | undefined)?.version ??
      '',
  );
  const context = {
    version,
    session: runName(file),
    problems: problems.map(readProblemLine),
    children: await childHistories(events, opened.place, stored),
  };
  // A long run takes seconds, for which other extensions must not wait.
  const files = await runInSlices(exportedFilesInPieces(picked.format, events, context));
  const target =
    files.length === 1
      ? await chosenFile(picked.format, files[0]!.path, title)
      : await chosenFolder(files[0]!.path.split('/')[0]!, title);
  if (!target) return;
  if (target.scheme === 'file')
    await writeExport(files, target.fsPath, { force: files.length === 1, source: opened.place }); // the dialog has already asked about overwriting
  else if (files.length === 1) await vscode.workspace.fs.writeFile(target, Buffer.from(files[0]!.text));
  else throw new Error(vscode.l10n.t('{0} is not a folder on this machine. Choose one that is.', target.toString()));
  await offerToOpen(target, picked.format, notStoredIn(picked.format, events));
}

const startFolder = (): vscode.Uri => vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());

function chosenFile(
  { label, extension }: TrajectoryFormat,
  name: string,
  title: string,
): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(startFolder(), name),
    filters: { [label]: [extension.split('.').at(-1)!] },
    title,
  });
}

/** Asks for a folder and returns the path of a new folder in it. */
async function chosenFolder(name: string, title: string): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    defaultUri: startFolder(),
    canSelectFolders: true,
    canSelectFiles: false,
    canSelectMany: false,
    openLabel: vscode.l10n.t('Export'),
    title,
  });
  return chosen?.[0] && vscode.Uri.joinPath(chosen[0], name);
}

/** `left`: what the format cannot represent. */
async function offerToOpen(target: vscode.Uri, { name }: TrajectoryFormat, left: readonly string[]): Promise<void> {
  const open = vscode.l10n.t('Open');
  const picked = await vscode.window.showInformationMessage(
    [vscode.l10n.t('Exported to {0}.', path.basename(target.path)), ...left].join(' '),
    open,
  );
  if (picked !== open) return;
  if (name === 'html') await vscode.env.openExternal(target);
  else await vscode.commands.executeCommand(name === 'openhands' ? 'revealFileInOS' : 'vscode.open', target);
}
