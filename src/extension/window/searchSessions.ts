import * as vscode from 'vscode';
import { dateAndTime } from '../common/dateAndTime';
import { findFurther } from '../common/findFurther';
import { pickOne } from '../common/quickInput';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import { sessionFactWords, sessionStateWords } from '../sessions/sessionWords';
import type { WindowParts } from './windowParts';

interface SessionItem extends vscode.QuickPickItem {
  readonly id: string;
}

/** Lets the user search sessions by title, state, day or what was said in them, and shows the picked one. */
export async function searchSessions({ sessions, places: { sidebar } }: WindowParts): Promise<void> {
  const items: SessionItem[] = sessions.list().map((session) => ({
    label: showInvisibleInLine(session.title),
    description: dateAndTime(session.updatedAt),
    detail: [
      sessionStateWords(session, sessions.get(session.id)?.conversation.running ?? false),
      ...sessionFactWords(session),
    ].join(' · '),
    id: session.id,
  }));
  const none: SessionItem = { id: '', label: vscode.l10n.t('No session matches'), alwaysShow: true };
  const picked = await pickOne(
    items,
    {
      title: vscode.l10n.t('Search Sessions'),
      placeHolder: vscode.l10n.t('Search by title, state, date or what was said'),
      matchOnDescription: true,
      matchOnDetail: true,
    },
    {
      none,
      begin: (pick) =>
        findFurther(pick, items, {
          isEnough: (text) => text.length >= (/\p{Script=Han}|\p{Script=Hangul}/u.test(text) ? 2 : 3),
          none,
          isSame: (one, other) => one.id === other.id,
          async *find(text, search) {
            const { sessionsThatSay } = await import('../../adapters/sessions/pastSessions');
            for await (const { id, passage } of sessionsThatSay(text, sessions.stored, search)) {
              const item = items.find((one) => one.id === id);
              // The title is in view already.
              const says = passage === item?.label ? undefined : showInvisibleInLine(passage);
              if (item) yield { ...item, ...(says !== undefined && { detail: says }), alwaysShow: true };
            }
          },
        }),
    },
  );
  if (!picked) return;
  await sidebar.shown.showStored(picked.id);
  await sidebar.outlet.reveal();
}
