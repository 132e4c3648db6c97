import * as vscode from 'vscode';
import { shownInLine } from '../../core/mcp/approval';
import { settingsOf } from '../../core/log/history';
import type { Event } from '../../protocol/events/event';
import { readSetting } from '../common/settings';
import { uriNamed } from '../editor/editorUri';
import type { LiveSession } from '../sessions/liveSession';

type Occasion = 'approval' | 'question' | 'end';

/** After which events a person is needed, or may want to know. */
const occasions: Partial<Record<Event['type'], Occasion>> = {
  confirmation_requested: 'approval',
  question_asked: 'question',
  finished: 'end',
};

export interface AttentionParts {
  /** Whether the person has this session before their eyes. */
  isSeen(session: LiveSession): boolean;
  show(session: LiveSession): Thenable<unknown>;
  onProblem(problem: unknown): void;
}

/**
 * Tells a person who looks elsewhere that a session needs them, or ended; and opens the files that the agent edits,
 * where they want to follow it. Neither takes the focus.
 */
export class Attention {
  /** Notifications that are open, so that each session has one of a kind. */
  private readonly open = new Set<string>();

  constructor(private readonly parts: AttentionParts) {}

  /** An event of a session came. */
  noticed(session: LiveSession, event: Event): void {
    const occasion = occasions[event.type];
    if (occasion) this.tell(session, occasion).catch((problem: unknown) => this.parts.onProblem(problem));
  }

  private async tell(session: LiveSession, occasion: Occasion): Promise<void> {
    const key = `${session.id} ${occasion}`;
    const isWanted = readSetting(`notifications.${occasion}`);
    if (!isWanted || this.open.has(key) || this.parts.isSeen(session)) return;
    this.open.add(key);
    const show = vscode.l10n.t('Show');
    const title = shownInLine(settingsOf(session.conversation.history)?.title ?? '');
    try {
      const answer = await vscode.window.showInformationMessage(wordsOf(occasion, title), show);
      if (answer === show) await this.parts.show(session);
    } finally {
      this.open.delete(key);
    }
  }

  /** Shows the file that an action edited, beside whatever has the focus. */
  follow(session: LiveSession, event: Event): void {
    if (event.type !== 'observation' || event.details?.kind !== 'edit' || !readSetting('followAgent')) return;
    const edited = event.details.changes.findLast(({ kind }) => kind !== 'deleted');
    const first = edited?.hunks[0];
    const line = Math.max(0, (first?.newStart ?? 1) - 1);
    if (!edited) return;
    const place = new vscode.Range(line, 0, line, 0);
    vscode.window
      .showTextDocument(uriNamed(edited.path, session.surroundings.root), {
        preview: true,
        preserveFocus: true,
        selection: place,
      })
      .then(undefined, (problem: unknown) => this.parts.onProblem(problem));
  }
}

function wordsOf(occasion: Occasion, title: string): string {
  if (occasion === 'approval') return vscode.l10n.t('"{0}" waits for your approval.', title);
  if (occasion === 'question') return vscode.l10n.t('"{0}" waits for your answer.', title);
  return vscode.l10n.t('"{0}" has ended.', title);
}
