import path from 'node:path';
import * as vscode from 'vscode';
import { settingsOf } from '../../core/log/runSettings';
import type { History } from '../../core/log/projection';
import { requestAt } from '../../core/trajectory/requestAt';
import { stepDetails } from '../../core/trajectory/stepDetails';
import { FileProblem } from '../../core/ports/files';
import type { ChangeView } from '../editor/changeView';
import { uriNamed } from '../editor/editorUri';
import { openLink } from '../common/openLink';
import type { InspectorActions } from './inspectorChannel';

/** What the actions need to know about their view. */
interface Inspected {
  history(run: number): History;
  /** Returns the events with everything that the file contains. */
  completeHistory(run: number): Promise<History>;
  file(run: number): vscode.Uri;
  neighbour(by: 1 | -1): Promise<void>;
  openSession(id: string): Promise<void>;
  /** Returns the session whose log this file is, or undefined for any other file. */
  sessionOf(file: vscode.Uri): string | undefined;
  readonly changes: ChangeView;
  readonly texts: { show(name: string, text: string): Promise<void> };
}

/** Inspector actions outside its own view. */
export function inspectorActions({
  history,
  completeHistory,
  file,
  neighbour,
  openSession,
  sessionOf,
  changes,
  texts,
}: Inspected): InspectorActions {
  const folderOf = (run: number): string => settingsOf(history(run))?.cwd ?? '';
  return {
    neighbour: ({ by }) => neighbour(by),
    open_text: async ({ run, seq }) => {
      if (seq === undefined) {
        await vscode.commands.executeCommand('vscode.openWith', file(run), 'default');
        return;
      }
      const text = stepText(await completeHistory(run), seq);
      await texts.show(`step ${seq} of ${path.basename(file(run).path)}.json`, text);
    },
    open_file: async ({ run, path: name, line = 1 }) => {
      const position = new vscode.Position(line - 1, 0);
      await vscode.window.showTextDocument(insideWorkspace(folderOf(run), name), {
        preview: true,
        selection: new vscode.Range(position, position),
      });
    },
    open_diff: async ({ run, actionId, path: name }) => {
      insideWorkspace(folderOf(run), name);
      await changes.show(history(run), actionId, name, folderOf(run));
    },
    open_link: ({ url }) => openLink(url),
    open_session: ({ id }) => openSession(id),
    fork: async ({ run, seq }) => {
      const session = sessionOf(file(run));
      if (session === undefined)
        throw new Error(
          vscode.l10n.t('Only sessions of this window can be forked here. For another log, run “waymark run --fork”.'),
        );
      await vscode.commands.executeCommand('waymark.fork', session, { seq });
    },
    restore: async ({ run, seq }) => {
      const session = sessionOf(file(run));
      if (session === undefined)
        throw new Error(
          vscode.l10n.t(
            'Files can be restored only for sessions of this window. For another log, run “waymark undo LOG --to-step N”.',
          ),
        );
      await vscode.commands.executeCommand('waymark.restoreFiles', { session, seq });
    },
    copy: async ({ text }) => vscode.env.clipboard.writeText(text),
  };
}

/** Returns a whole action with its result as JSON. */
function stepText(history: History, seq: number): string {
  const { events } = stepDetails(history, seq) ?? { events: [] };
  const request = requestAt(history, seq);
  return JSON.stringify(
    {
      ...(request && {
        request: {
          messages: request.messages,
          tools: request.tools,
          ...(request.unknown.length > 0 && { toolsNotKnownHere: request.unknown }),
        },
      }),
      events,
    },
    null,
    2,
  );
}

/** A log may come from anywhere, so its file names only open files in the workspace folders. */
function insideWorkspace(folder: string, name: string): vscode.Uri {
  const file = fileNamed(name, folder || vscode.workspace.workspaceFolders?.[0]?.uri.fsPath || '/');
  if (!file || !vscode.workspace.getWorkspaceFolder(file))
    throw new Error(vscode.l10n.t('{0} is not in an open folder, so it was not opened.', name));
  return file;
}

/** Returns the file that a log names, or undefined if its session may not reach it. */
function fileNamed(name: string, root: string): vscode.Uri | undefined {
  try {
    return uriNamed(name, root);
  } catch (thrown) {
    if (thrown instanceof FileProblem) return undefined;
    throw thrown;
  }
}
