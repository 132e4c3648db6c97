import * as vscode from 'vscode';
import type { Application } from './application';

/** Brings a person to a step, in the inspector. `seq` is the event that holds its actions. Throws an `Error` in words for the person where the session is gone. */
export async function showStep({ sessions, inspectors }: Application, session: string, seq: number): Promise<void> {
  if (!sessions.get(session) && !sessions.list().some(({ id }) => id === session))
    throw new Error(vscode.l10n.t('The session of this step is not here any more. It may have been deleted.'));
  await inspectors.show(vscode.Uri.file(sessions.stored.logOf(session)), seq);
}
