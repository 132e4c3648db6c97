import * as vscode from 'vscode';
import { statusOf } from '../../core/log/status';
import { ContextKeys } from '../common/contextKeys';
import { ApprovalsView } from '../consent/approvalsView';
import type { Consent } from '../consent/consent';
import type { OpenSessions } from '../sessions/openSessions';
import type { PinnedSessions } from '../sessions/pinnedSessions';
import { sessionsView } from '../sessions/sessionsView';
import type { PanelView } from '../panel/panelView';
import type { Places } from '../panel/places';
import { isResumable, StatusBar } from './statusBar';

/** What the status of the window is computed from and shown in. */
export interface WindowStatusParts {
  readonly sessions: OpenSessions;
  readonly places: Pick<Places, 'current' | 'sidebar'>;
  readonly consent: Consent;
  readonly conversation: Pick<PanelView, 'showBadge'>;
  readonly pins: PinnedSessions;
}

/** Maximum delay of the status bar during a run, whose events come in bursts, in ms. */
const maxLagMs = 60;

/** Context keys of completed walkthrough steps. */
const walkthroughKeys = ['waymark.modelChosen', 'waymark.taskBegun', 'waymark.approved'];
/** How long VS Code takes to load a walkthrough after opening its editor, in ms. */
const maxReadMs = 1500;

/** Shows the state of the window's sessions beside the panel: lists, status bar and context keys. */
export class WindowStatus implements vscode.Disposable {
  private readonly bar = new StatusBar();
  readonly approvals: ApprovalsView;
  private readonly sessionList: ReturnType<typeof sessionsView>;
  private readonly keys = new ContextKeys();
  private soon: NodeJS.Timeout | undefined;
  private ticking: NodeJS.Timeout | undefined;
  /** Completed steps to report once VS Code has loaded the walkthrough; undefined if it is not loading one. */
  private unreportedSteps: Set<string> | undefined;
  /** Number of sessions with an open question, as shown in the badge. */
  private asking = 0;

  constructor(private readonly parts: WindowStatusParts) {
    const { sessions, consent, pins } = parts;
    this.approvals = new ApprovalsView(() => consent.waiting());
    this.sessionList = sessionsView({
      rows: () => sessions.list(),
      isRunning: (id) => sessions.get(id)?.conversation.running ?? false,
      pinned: () => pins.ids,
    });
  }

  /** Updates everything, after a change outside a session. */
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

  /** Completes a walkthrough step: the user approved an action. */
  hasApproved(): void {
    this.setKey('waymark.approved', true);
  }

  /** Opens the walkthrough. VS Code only notices completions after loading it, so earlier ones are reported again. */
  async showWalkthrough(): Promise<void> {
    const done = walkthroughKeys.filter((key) => this.keys.get(key));
    for (const key of done) this.setKey(key, false);
    this.unreportedSteps = new Set([...(this.unreportedSteps ?? []), ...done]);
    try {
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'waymark.waymark#start', false);
    } finally {
      // VS Code loads it shortly after the editor opens, without an event.
      clearTimeout(this.ticking);
      this.ticking = setTimeout(() => this.tellSteps(), maxReadMs);
    }
  }

  /** Updates the status bar and context keys with a short delay, during a run. */
  showStateSoon(): void {
    this.soon ??= setTimeout(() => this.showState(), maxLagMs);
  }

  /** Updates the status bar and context keys. */
  showState(): void {
    clearTimeout(this.soon);
    this.soon = undefined;
    const { sessions, places, consent } = this.parts;
    const place = places.current;
    const facts = place.facts();
    const waiting = consent.waiting();
    const here = waiting.filter(({ sessionId }) => this.isWithin(sessionId, place.shown.id)).length;
    this.bar.show(facts, { here, elsewhere: waiting.length - here }, place.shown.live, sessions.all);
    // State of all sessions of the window.
    this.setKey(
      'waymark.running',
      sessions.all.some(({ conversation }) => conversation.running),
    );
    this.setKey('waymark.sidebarRunning', places.sidebar.shown.live?.conversation.running ?? false);
    this.setKey('waymark.approvalPending', waiting.length > 0);
    this.showAsking(
      sessions.all.filter(({ conversation }) => statusOf(conversation.history) === 'waiting_for_answer').length,
    );
    this.setKey('waymark.modelChosen', facts.model !== undefined);
    this.setKey('waymark.taskBegun', facts.status !== 'empty');
    // State of the session on display.
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

  /** True if a session is this one or one of its subagents. */
  private isWithin(id: string | undefined, shown: string | undefined): boolean {
    if (id === undefined || id === shown) return id !== undefined;
    const history = this.parts.sessions.get(id)?.conversation.history ?? [];
    return this.isWithin(history.find((event) => event.type === 'task_started')?.parent?.session, shown);
  }

  /** Reports completed steps after VS Code has loaded the walkthrough. */
  private tellSteps(): void {
    const done = this.unreportedSteps ?? [];
    this.unreportedSteps = undefined;
    for (const key of done) this.setKey(key, true);
    this.showState();
  }

  /** Shows the number of open questions. Approvals have their own badge. */
  private showAsking(count: number): void {
    if (count === this.asking) return;
    this.asking = count;
    const tooltip =
      count === 1
        ? vscode.l10n.t('1 session waits for your answer')
        : vscode.l10n.t('{0} sessions wait for your answer', count);
    this.parts.conversation.showBadge(count > 0 ? { value: count, tooltip } : undefined);
  }

  /** Sets a context key. Completed steps are held back until VS Code has loaded the walkthrough. */
  private setKey(key: string, value: boolean): void {
    if (this.unreportedSteps && walkthroughKeys.includes(key)) {
      if (value) this.unreportedSteps.add(key);
      return;
    }
    this.keys.set(key, value);
  }
}
