import * as vscode from 'vscode';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import { settingsOf } from '../../core/log/runSettings';
import type { Event } from '../../protocol/events/event';
import { readSetting } from '../common/settings';
import { uriNamed } from '../editor/editorUri';
import type { LiveSession } from '../sessions/liveSession';
import { allOccasions, stillApplies, occasionOf, type Occasion } from './occasions';

interface AttentionParts {
  /** Returns whether the user is looking at this session. */
  isSeen(session: LiveSession): boolean;
  /** Returns whether another session waits for this one. Its end is then not announced. */
  worksForAnother(session: LiveSession): boolean;
  show(session: LiveSession): Thenable<unknown>;
  onProblem(problem: unknown): void;
}

/**
 * Notifies a user who is looking elsewhere that a session needs them or has ended. Also opens files that the agent
 * edits, if the user wants to follow it. Neither takes the focus.
 */
export class Attention {
  /** Current announcements per session, to avoid repeating them. */
  private readonly announced = new Map<string, symbol>();

  constructor(private readonly parts: AttentionParts) {}

  /** Handles an event of a session. */
  noticed(session: LiveSession, event: Event): void {
    const { history } = session.conversation;
    // VS Code counts a dismissed notification as open, so the next waiting action needs a new one.
    for (const each of allOccasions)
      if (!stillApplies(history, each)) this.announced.delete(notificationKey(session, each));
    const occasion = occasionOf(history, event);
    if (occasion === undefined || !stillApplies(history, occasion)) return;
    if (occasion === 'end' && this.parts.worksForAnother(session)) return;
    this.notify(session, occasion).catch((problem: unknown) => this.parts.onProblem(problem));
  }

  private async notify(session: LiveSession, occasion: Occasion): Promise<void> {
    const key = notificationKey(session, occasion);
    const isWanted = readSetting(`notifications.${occasion}`);
    if (!isWanted || this.announced.has(key) || this.parts.isSeen(session)) return;
    const own = Symbol(key);
    this.announced.set(key, own);
    const show = vscode.l10n.t('Show');
    const title = showInvisibleInLine(settingsOf(session.conversation.history)?.title ?? '');
    try {
      const answer = await vscode.window.showInformationMessage(notificationText(occasion, title), show);
      if (answer === show) await this.parts.show(session);
    } finally {
      if (this.announced.get(key) === own) this.announced.delete(key);
    }
  }

  /** Shows the file that an action edited, without taking the focus. */
  follow(session: LiveSession, event: Event): void {
    if (event.type !== 'observation' || event.details?.kind !== 'edit' || !readSetting('followAgent')) return;
    const edited = event.details.changes.findLast(({ kind }) => kind !== 'deleted');
    const first = edited?.hunks[0];
    const line = Math.max(0, (first?.newStart ?? 1) - 1);
    if (!edited) return;
    const place = new vscode.Range(line, 0, line, 0);
    vscode.window
      .showTextDocument(uriNamed(edited.path, session.parts.surroundings.root), {
        preview: true,
        preserveFocus: true,
        selection: place,
      })
      .then(undefined, (problem: unknown) => this.parts.onProblem(problem));
  }
}

const notificationKey = ({ id }: LiveSession, occasion: Occasion): string => `${id} ${occasion}`;

function notificationText(occasion: Occasion, title: string): string {
  if (occasion === 'approval') return vscode.l10n.t('“{0}” waits for your approval.', title);
  if (occasion === 'question') return vscode.l10n.t('“{0}” waits for your answer.', title);
  return vscode.l10n.t('“{0}” has ended.', title);
}
