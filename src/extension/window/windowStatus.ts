import * as vscode from 'vscode';
import { statusOf } from '../../core/log/history';
import { ContextKeys } from '../common/contextKeys';
import { ApprovalsView } from '../consent/approvalsView';
import type { Consent } from '../consent/consent';
import type { OpenSessions } from '../sessions/openSessions';
import { sessionsView } from '../sessions/sessionsView';
import type { PanelView } from '../panel/panelView';
import type { Places } from '../panel/places';
import { isResumable, StatusBar } from './statusBar';

export interface WindowStatusParts {
  readonly sessions: OpenSessions;
  readonly places: Pick<Places, 'current'>;
  readonly consent: Consent;
  readonly conversation: Pick<PanelView, 'showBadge'>;
}

/** Milliseconds for which the status bar may lag behind a run, whose events come many at a time. */
const mostLag = 60;

/** Steps of the walkthrough that are done, wherever they were done. */
const walkthroughKeys = ['waymark.modelChosen', 'waymark.taskBegun', 'waymark.approved'];
/** Milliseconds until VS Code has read a walkthrough whose editor is open. */
const mostReading = 1500;

/**
 * Shows beside the panel how the sessions of the window stand: lists, status bar, and the keys that menus ask about.
 */
export class WindowStatus implements vscode.Disposable {
  private readonly bar = new StatusBar();
  readonly approvals: ApprovalsView;
  private readonly sessionList: ReturnType<typeof sessionsView>;
  private readonly keys = new ContextKeys();
  private soon: NodeJS.Timeout | undefined;
  private ticking: NodeJS.Timeout | undefined;
  /** Steps that are done and that VS Code hears of once it has read the walkthrough; undefined while it reads none. */
  private unreportedSteps: Set<string> | undefined;
  /** Sessions whose question waits for the person, as the badge counts them. */
  private asking = 0;

  constructor(private readonly parts: WindowStatusParts) {
    const { sessions, consent } = parts;
    this.approvals = new ApprovalsView(() => consent.waiting());
    this.sessionList = sessionsView(
      () => sessions.list(),
      (id) => sessions.get(id)?.conversation.running ?? false,
    );
  }

  /** Everything anew, after something outside a session changed. */
  refresh(): void {
    this.approvals.refresh();
    this.sessionList.refresh();
    this.showState();
  }

  refreshApprovals(): void {
    this.approvals.refresh();
  }

  refreshSessions(): void {
    this.sessionList.refresh();
  }

  /** A person let an action run: a step of the walkthrough, wherever they said it. */
  hasApproved(): void {
    this.setKey('waymark.approved', true);
  }

  /** VS Code ticks only what it hears of after it has read the walkthrough, so what was done before is said anew. */
  async showWalkthrough(): Promise<void> {
    const done = walkthroughKeys.filter((key) => this.keys.get(key));
    for (const key of done) this.setKey(key, false);
    this.unreportedSteps = new Set([...(this.unreportedSteps ?? []), ...done]);
    try {
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'waymark.waymark#start', false);
    } finally {
      // VS Code reads it shortly after the editor opens, and sends no event for that.
      clearTimeout(this.ticking);
      this.ticking = setTimeout(() => this.tellSteps(), mostReading);
    }
  }

  /** The status bar and the keys, a moment after an event of a run. */
  showStateSoon(): void {
    this.soon ??= setTimeout(() => this.showState(), mostLag);
  }

  /** The status bar and the keys. */
  showState(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    const { sessions, places, consent } = this.parts;
    const place = places.current;
    const facts = place.facts();
    const waiting = consent.waiting().length;
    this.bar.show(facts, waiting, place.shown.live, sessions.all);
    // About every session of the window.
    this.setKey(
      'waymark.running',
      sessions.all.some(({ conversation }) => conversation.running),
    );
    this.setKey('waymark.approvalPending', waiting > 0);
    this.showAsking(
      sessions.all.filter(({ conversation }) => statusOf(conversation.history) === 'waiting_for_answer').length,
    );
    this.setKey('waymark.modelChosen', facts.model !== undefined);
    this.setKey('waymark.taskBegun', facts.status !== 'empty');
    // About the one before the person.
    this.setKey('waymark.stepping', facts.stepping);
    this.setKey('waymark.pausing', facts.pauseRequested);
    this.setKey('waymark.resumable', isResumable(facts));
    this.setKey('waymark.conversing', facts.context !== null && facts.writable);
  }

  dispose(): void {
    clearTimeout(this.soon);
    clearTimeout(this.ticking);
    for (const part of [this.bar, this.approvals, this.sessionList]) part.dispose();
  }

  /** VS Code has read the walkthrough. */
  private tellSteps(): void {
    const done = this.unreportedSteps ?? [];
    this.unreportedSteps = undefined;
    for (const key of done) this.setKey(key, true);
    this.showState();
  }

  /** Approvals have a badge of their own. */
  private showAsking(count: number): void {
    if (count === this.asking) return;
    this.asking = count;
    const tooltip =
      count === 1
        ? vscode.l10n.t('1 session waits for your answer')
        : vscode.l10n.t('{0} sessions wait for your answer', count);
    this.parts.conversation.showBadge(count > 0 ? { value: count, tooltip } : undefined);
  }

  /** VS Code is told of steps that are done once it has read the walkthrough. */
  private setKey(key: string, value: boolean): void {
    if (this.unreportedSteps && walkthroughKeys.includes(key)) {
      if (value) this.unreportedSteps.add(key);
      return;
    }
    this.keys.set(key, value);
  }
}
