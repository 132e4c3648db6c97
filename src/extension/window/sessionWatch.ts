import * as vscode from 'vscode';
import { eventsOfType } from '../../core/log/projection';
import { settingsOf } from '../../core/log/runSettings';
import type { Event } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';
import type { ProblemReports } from '../common/problemReports';
import type { ChangeView, EditQuestion } from '../editor/changeView';
import type { WindowProvenance } from '../editor/windowProvenance';
import type { Inspectors } from '../inspector/inspectors';
import type { Places } from '../panel/places';
import type { LiveSession } from '../sessions/liveSession';
import { nextTaskFacts } from '../sessions/nextTask';
import type { OpenSessions } from '../sessions/openSessions';
import { sessionFacts } from '../sessions/sessionFacts';
import { folderChanges } from '../sessions/sessionFolders';
import type { WindowListener } from '../sessions/windowListener';
import type { Teaching } from '../skills/teaching';
import type { WindowReview } from '../review/windowReview';
import type { Attention } from './attention';
import type { WindowStatus } from './windowStatus';

/** Events that change which actions wait for approval. */
const touchesApprovals: ReadonlySet<Event['type']> = new Set([
  'confirmation_requested',
  'confirmation_resolved',
  'observation',
  'paused',
  'question_asked',
]);
/** Events after which files may have changed. */
const touchesFiles: ReadonlySet<Event['type']> = new Set(['observation', 'finished', 'task_started']);
/** Events of every step, which do not change what the user can do. */
const ofEveryStep: ReadonlySet<Event['type']> = new Set(['agent_response', 'action_started', 'observation']);
/** Events that change the entry of a session in lists. */
const touchesList: ReadonlySet<Event['type']> = new Set(['task_started', 'settings_changed']);

/** Returns the actions that an event has decided or ended. */
function answeredBy(event: Event): readonly string[] {
  if (event.type === 'confirmation_resolved') return event.actionIds;
  return event.type === 'observation' ? [event.actionId] : [];
}

/** Returns whether the workspace was trusted, or its folders changed, since the session was opened. */
function isOutdated(session: LiveSession): boolean {
  const { hasAdded, hasRemoved } = folderChanges(session);
  return hasAdded || hasRemoved || (vscode.workspace.isTrusted && !session.parts.trusted);
}

interface SessionWatchParts {
  readonly sessions: OpenSessions;
  readonly places: Places;
  readonly status: WindowStatus;
  readonly inspectors: Inspectors;
  readonly review: WindowReview;
  readonly provenance: WindowProvenance;
  readonly changes: ChangeView;
  readonly problems: ProblemReports;
  readonly attention: Attention;
  readonly teaching: Pick<Teaching, 'mcp'>;
}

/** Updates the window when something happens in its sessions. */
export class SessionWatch implements WindowListener {
  /** `parts`: called on each event, because the sessions need this object before the parts exist. */
  constructor(private readonly parts: () => SessionWatchParts) {}

  onEvent(session: LiveSession): void {
    const { sessions, places, status, inspectors, review, attention, teaching } = this.parts();
    for (const { channel } of places.showing(session)) channel.changed();
    inspectors.appended(session.id, sessions.stored);
    const last = session.conversation.savedHistory.at(-1)!;
    const { type } = last;
    if (touchesApprovals.has(type)) status.refreshApprovals();
    if (last.type === 'confirmation_resolved' && last.approved && last.by === 'person') status.hasApproved();
    for (const actionId of answeredBy(last)) this.closeProposed({ sessionId: session.id, actionId });
    const isCurrent = session === places.current.shown.live;
    if (touchesFiles.has(type) && (isCurrent || places.isSeen(session.id))) review.changes.refreshSoon();
    if (isCurrent) attention.follow(session, last);
    attention.noticed(session, last);
    if (touchesList.has(type)) {
      status.refreshSessions();
      if (isCurrent) teaching.mcp.showDeferred(settingsOf(session.conversation.savedHistory)?.addedTools);
      for (const place of places.showing(session)) place.renamed();
    }
    if (ofEveryStep.has(type)) status.showStateSoon();
    else status.showState();
    if (!session.conversation.running) sessions.closeHiddenSoon();
  }

  onFollowed(session: LiveSession, { type }: Event): void {
    const { sessions, places, status, inspectors, review } = this.parts();
    for (const { channel } of places.showing(session)) channel.changed();
    inspectors.appended(session.id, sessions.stored);
    if (touchesFiles.has(type) && places.isSeen(session.id)) review.changes.refreshSoon();
    if (touchesList.has(type)) for (const place of places.showing(session)) place.renamed();
    status.showStateSoon();
  }

  /** The session can be continued here, and is taken over when the user does. */
  onReleased(session: LiveSession): void {
    const { sessions, places, status, problems } = this.parts();
    for (const { shown } of places.showing(session))
      shown.showReleased(session, sessionFacts(session, nextTaskFacts()));
    sessions.close(session.id).catch((problem: unknown) => problems.report(problem));
    status.refresh();
  }

  onDelta(session: LiveSession, delta: Delta): void {
    for (const { channel } of this.parts().places.showing(session)) channel.delta(delta);
  }

  onRunning(session: LiveSession): void {
    const { sessions, places, status, provenance, problems } = this.parts();
    const { running, history } = session.conversation;
    if (running) provenance.begin();
    else {
      if (eventsOfType(history, 'task_started').length > 0) sessions.remember(session);
      sessions.closeHiddenSoon();
    }
    for (const { channel } of places.showing(session)) channel.changed();
    status.refresh();
    for (const { composing } of places.all) composing.tellRecent().catch((problem: unknown) => problems.note(problem));
    // An idle session gets the tools of a workspace that was trusted, and the folders of one that changed.
    if (!running && isOutdated(session)) void this.renewOrReport(session);
  }

  onFailure(_session: LiveSession, thrown: unknown): void {
    this.parts().problems.note(thrown);
  }

  onProblem(thrown: unknown): void {
    this.parts().problems.note(thrown);
  }

  onListed(): void {
    this.parts().status.refreshSessions();
  }

  isShown(id: string): boolean {
    return this.parts().places.all.some(({ shown }) => shown.id === id);
  }

  /** Gives sessions the tools of a trusted workspace: idle ones immediately, others when they become idle. */
  async trustGranted(): Promise<void> {
    const { sessions, places } = this.parts();
    for (const session of sessions.all) if (!session.conversation.running) await this.renewOrReport(session);
    for (const { channel } of places.all) channel.changed();
  }

  /** Gives sessions the new folders of the workspace when they are idle. Runs that lose a folder are interrupted. */
  async foldersChanged(): Promise<void> {
    for (const session of this.parts().sessions.all) {
      const { conversation } = session;
      if (conversation.running && folderChanges(session).hasRemoved)
        await conversation.interrupt('A folder of this run was removed from the workspace.');
      else if (!conversation.running && isOutdated(session)) await this.renewOrReport(session);
    }
  }

  /** Closes the diff of an edit that has stopped waiting for approval. */
  private closeProposed(question: EditQuestion): void {
    const { changes, problems } = this.parts();
    changes.closeProposed(question).catch((problem: unknown) => problems.note(problem));
  }

  private renewOrReport(session: LiveSession): Promise<void> {
    return this.renew(session).catch((problem: unknown) => this.parts().problems.report(problem));
  }

  private async renew(session: LiveSession): Promise<void> {
    const { sessions, places } = this.parts();
    if (sessions.isAtWork(session.id)) return;
    const showing = places.showing(session);
    const closed = sessions.close(session.id);
    // At once, because what the user sends meanwhile is for the session that is opened again.
    await Promise.all([closed, ...showing.map(({ shown }) => shown.showStored(session.id))]);
  }
}
