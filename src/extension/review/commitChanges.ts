import * as vscode from 'vscode';
import type { KeptFile } from '../../adapters/git/commitKept';
import { cleanMessage, commitMessageRequest } from '../../core/changes/commitMessage';
import { settingsOf } from '../../core/log/runSettings';
import { secrets } from '../../core/secrets/secrets';
import type { LiveSession } from '../sessions/liveSession';
import type { CommentWindow } from './reviewComments';
import type { SessionReview } from './sessionReview';
import { errorMessage } from '../../core/text/errorMessage';

type CommitWindow = CommentWindow & { readonly review: { readonly changes: SessionReview } };

/**
 * Commits the kept changes and nothing else, with a message written by the user or the model. Returns false if the user
 * cancelled or there is nothing to commit.
 */
export async function commitKeptChanges(window: CommitWindow): Promise<boolean> {
  const { changes } = window.review;
  const { files, noteCommitted } = await changes.actions.keptToCommit();
  if (files.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No kept changes to commit. Keep some first.'));
    return false;
  }
  const names = files.map(({ path }) => changes.displayPath(path));
  const message = await askMessage(names, () => generateMessage(window, files));
  if (message === undefined) return false;
  const { commitKept } = await import('../../adapters/git/commitKept');
  const commits = await commitKept(files, message);
  noteCommitted(commits);
  void vscode.window.showInformationMessage(vscode.l10n.t('Committed {0}: {1}', commits.join(', '), names.join(', ')));
  return true;
}

/**
 * Writes a message for the kept changes into the Source Control input box, or to the clipboard if there is none.
 * Returns false if nothing was kept or no message was generated.
 */
export async function generateCommitMessage(window: CommitWindow): Promise<boolean> {
  const { files } = await window.review.changes.actions.keptToCommit();
  if (files.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No kept changes to commit. Keep some first.'));
    return false;
  }
  const message = await generateMessage(window, files);
  const box = message === undefined ? undefined : await sourceControlBox(files[0]!.path);
  if (message === undefined) return false;
  if (box) box.value = message;
  else await vscode.env.clipboard.writeText(message);
  const where = box
    ? vscode.l10n.t('Commit message added to the Source Control view.')
    : vscode.l10n.t('Commit message copied to the clipboard.');
  void vscode.window.showInformationMessage(where);
  return true;
}

/** The part of the Git extension's API that Waymark uses. */
interface GitExtension {
  getAPI(version: 1): { getRepository(uri: vscode.Uri): { readonly inputBox: { value: string } } | null };
}

async function sourceControlBox(file: string): Promise<{ value: string } | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  try {
    const api = (await extension?.activate())?.getAPI(1);
    return api?.getRepository(vscode.Uri.file(file))?.inputBox;
  } catch {
    return undefined; // Git is disabled in the settings
  }
}

/** Asks the chosen model for a message. Returns undefined if no model is chosen or its reply is empty. */
async function generateMessage(window: CommitWindow, files: readonly KeptFile[]): Promise<string | undefined> {
  const session = await window.shown.openedSession();
  if (!session || !(await window.sessions.useChosenModel(session))) return undefined;
  const title = vscode.l10n.t('Writing a commit message');
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_progress, token) => {
      const stopping = new AbortController();
      const listening = token.onCancellationRequested(() => stopping.abort());
      return askForMessage(session, files, window.review.changes.displayPath, stopping.signal).finally(() =>
        listening.dispose(),
      );
    },
  );
}

async function askForMessage(
  session: LiveSession,
  files: readonly KeptFile[],
  shown: (path: string) => string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const task = settingsOf(session.conversation.history)?.title ?? '';
  const committed = files.map(({ path, steps }) => ({
    path: shown(path),
    before: steps[0]!.before,
    after: steps.at(-1)!.after,
  }));
  const messages = await commitMessageRequest(task, committed, (text) => secrets.mask(text));
  const reply = await session.model.complete({ messages, tools: [] }, signal);
  return cleanMessage(reply.text) || undefined;
}

/** Shows the input box for the message, with a button that generates one. Returns undefined if the user cancelled. */
function askMessage(
  names: readonly string[],
  generate: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  const button: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('sparkle'),
    tooltip: vscode.l10n.t('Generate Commit Message'),
  };
  box.title = vscode.l10n.t('Commit Kept Changes');
  box.prompt = vscode.l10n.t('Commits only the changes you kept: {0}', names.join(', '));
  box.placeholder = vscode.l10n.t('Message');
  box.ignoreFocusOut = true;
  box.buttons = [button];
  return new Promise((resolve) => {
    const write = async (): Promise<void> => {
      box.busy = true;
      try {
        box.value = (await generate()) ?? box.value;
        box.validationMessage = undefined;
      } catch (error) {
        box.validationMessage = errorMessage(error);
      } finally {
        box.busy = false;
      }
    };
    const end = (message: string | undefined): void => {
      resolve(message);
      for (const part of listening) part.dispose();
      box.dispose();
    };
    const listening = [
      box.onDidTriggerButton(() => void write()),
      box.onDidAccept(() => {
        if (box.value.trim() === '') box.validationMessage = vscode.l10n.t('A commit needs a message.');
        else end(box.value);
      }),
      box.onDidHide(() => end(undefined)),
    ];
    box.show();
  });
}
