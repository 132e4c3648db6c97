import * as vscode from 'vscode';
import { dateAndTime } from '../common/dateAndTime';
import { pickOne } from '../common/quickInput';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import { sessionFacts, sessionStateWords } from '../sessions/sessionWords';
import type { WindowParts } from './windowParts';

/** Lets the user search sessions by title, state, day or folder, and shows the picked one. */
export async function searchSessions({ sessions, places: { sidebar } }: WindowParts): Promise<void> {
  const items = sessions.list().map((session) => ({
    label: showInvisibleInLine(session.title),
    description: dateAndTime(session.updatedAt),
    detail: [
      sessionStateWords(session, sessions.get(session.id)?.conversation.running ?? false),
      ...sessionFacts(session),
    ].join(' · '),
    id: session.id,
  }));
  const picked = await pickOne(items, {
    title: vscode.l10n.t('Search Sessions'),
    placeHolder: vscode.l10n.t('Search by title, state or date'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return;
  await sidebar.shown.showStored(picked.id);
  await sidebar.outlet.reveal();
}
