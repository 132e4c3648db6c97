import * as vscode from 'vscode';
import type { FurtherAnswer } from '../../core/session/conversation';
import { openQuestionHash, openQuestionPlace } from '../../core/log/openActions';
import { shellNameOf } from '../../core/agent/acting/permission';
import type { OfferedRules } from '../../core/security/offeredRules';
import type { EditPreview } from '../../core/tools/files/editPreview';
import type { RuleScope, ToPanel, UndoOutlook } from '../../protocol/panel/panel';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import { keepRule, manageRules } from './allowRules';
import type { ChangeView } from '../editor/changeView';
import { uriNamed } from '../editor/editorUri';
import { EditWatch } from '../editor/editWatch';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import type { WaitingAction } from './approvalsView';

/** Identifies a waiting action; `hash` also identifies the question about it that the user saw. */
export interface Waiting {
  readonly sessionId?: string | undefined;
  readonly actionId?: string | undefined;
  readonly hash?: string | undefined;
}

interface ConsentParts {
  readonly sessions: OpenSessions;
  readonly places: QuestionPlaces;
  readonly changes: ChangeView;
}

/** Where the user sees questions. */
interface QuestionPlaces {
  /** The place that the user used last. */
  readonly current: { readonly shown: Pick<ShownSession, 'id' | 'openedSession'> };
  /** Returns whether the user can see the session. */
  isSeen(session: string): boolean;
  /** Sends a message to every view that shows the session. */
  postTo(session: string, message: ToPanel): void;
  /** Shows the session if it is not shown yet, and returns its place. */
  bring(session: string): Promise<{ readonly outlet: QuestionView }>;
}

/** A view that shows the question. */
interface QuestionView {
  /** The message is sent once the view is ready to receive it. */
  postWhenReady(message: ToPanel): void;
  reveal(): Thenable<unknown>;
}

interface Decision extends FurtherAnswer {
  readonly approved: boolean;
  readonly comment: string | undefined;
}

/** Questions that wait for the user in all sessions of the window, and the user's answers. */
export class Consent implements vscode.Disposable {
  /** The files of the edits whose preview is on display. */
  private readonly watched = new EditWatch();

  constructor(
    private readonly parts: ConsentParts,
    private readonly workspaceState: vscode.Memento,
  ) {}

  waiting(): WaitingAction[] {
    return this.parts.sessions.all.flatMap(({ id: sessionId, waiting, conversation: { history } }) =>
      waiting.map((action) => ({
        sessionId,
        hash: openQuestionHash(action.id, history) ?? '',
        action,
        place: openQuestionPlace(action.id, history),
      })),
    );
  }

  /**
   * Returns the waiting action. Action IDs are only unique within a session; without a session ID, the session on
   * display is used.
   */
  find({ sessionId = this.shown.id, actionId }: Waiting): WaitingAction | undefined {
    return this.waiting().find(
      (waiting) => waiting.sessionId === sessionId && (actionId === undefined || waiting.action.id === actionId),
    );
  }

  /** Like `find`, but first loads a session that is only being viewed. */
  private async findInOpened(which: Waiting): Promise<WaitingAction | undefined> {
    if (which.sessionId === undefined) await this.shown.openedSession();
    return this.find(which);
  }

  private get shown(): QuestionPlaces['current']['shown'] {
    return this.parts.places.current.shown;
  }

  /**
   * Approves the named action; without an ID, the first one that waits in the session on display. An unnamed action that
   * the user cannot see is shown instead of approved. Returns false if nothing was decided.
   */
  approve(which: Waiting, comment?: string, more: FurtherAnswer = {}): Promise<boolean> {
    return this.decide(which, { ...more, approved: true, comment });
  }

  /** Refuses an action, which is found as in `approve`. Returns false if nothing was decided. */
  refuse(which: Waiting, comment?: string): Promise<boolean> {
    return this.decide(which, { approved: false, comment });
  }

  private async decide(which: Waiting, decision: Decision): Promise<boolean> {
    const { approved, comment, ...more } = decision;
    const found = await this.findInOpened(which);
    if (which.actionId === undefined && !(found && this.parts.places.isSeen(found.sessionId))) {
      await this.show(which);
      return false;
    }
    const session = found && this.parts.sessions.get(found.sessionId);
    if (!session || (approved && !(await this.parts.sessions.useChosenModel(session)))) return false;
    const [hash, asked] = [which.hash ?? found.hash, openQuestionHash(found.action.id, session.conversation.history)];
    if (asked !== undefined && hash !== asked)
      throw new Error(
        vscode.l10n.t('The question changed before your answer arrived, so nothing was decided. Review it again.'),
      );
    this.watched.forget(watchKey(found));
    if (asked === undefined) return false;
    return approved
      ? session.conversation.approve(found.action.id, { comment, hash, ...more })
      : session.conversation.refuse(found.action.id, { comment, hash });
  }

  /**
   * Asks for the second confirmation: explains what running outside the sandbox means, and runs the command there if
   * the user agrees.
   */
  async approveOutside(which: Waiting): Promise<boolean> {
    const found = await this.findInOpened(which);
    if (found?.place?.outside === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No pending command can leave the sandbox.'));
      return false;
    }
    const { sessionId, action, hash, place } = found;
    const [show, run] = [vscode.l10n.t('Show Command'), vscode.l10n.t('Run Outside Sandbox')];
    const detail = [
      showInvisibleInLine(action.summary),
      ...action.risk.reasons.slice(0, 1).map(showInvisibleInLine),
      place.outsideWords ?? '',
    ].join('\n\n');
    // The first button has the keyboard focus, so pressing Enter approves nothing.
    const picked = await vscode.window.showWarningMessage(
      vscode.l10n.t('Run this command outside the sandbox?'),
      { modal: true, detail },
      show,
      run,
    );
    if (picked === show) await this.show({ sessionId, actionId: action.id });
    return picked === run && this.approve({ sessionId, actionId: action.id, hash }, undefined, { outside: true });
  }

  dispose(): void {
    this.watched.dispose();
  }

  /** Brings the panel to the question. */
  async show(which: Waiting): Promise<void> {
    const found = (await this.findInOpened(which)) ?? this.waiting()[0];
    const session = found && this.parts.sessions.get(found.sessionId);
    if (!session) return;
    const { outlet } = await this.parts.places.bring(session.id);
    await outlet.reveal();
    outlet.postWhenReady({ type: 'focus', what: 'approval', actionId: found.action.id });
  }

  /** Sends the panel the parts of an approval card that are not in the log. */
  async preview(which: Waiting): Promise<void> {
    const found = await this.findInOpened(which);
    if (!found) return;
    const { action, hash } = found;
    const tool = this.parts.sessions.get(found.sessionId)?.tools.toolNamed(action.tool);
    const { ruleRefusal } = await import('../../core/security/offeredRules');
    const canAllow = tool !== undefined && ruleRefusal(action, tool) === undefined;
    const edit = await this.editPreview(found);
    const change = edit && ('changes' in edit ? { changes: [...edit.changes] } : { refused: edit.refused });
    const undo = await this.undoOutlook(found);
    this.parts.places.postTo(found.sessionId, {
      type: 'preview',
      actionId: action.id,
      hash,
      canAllow,
      ...change,
      ...(undo && { undo }),
    });
    this.followFiles(found);
  }

  /** Returns what can be undone after an action of Waymark's own tools, or undefined if its session is not open. */
  private async undoOutlook({ sessionId, action }: WaitingAction): Promise<UndoOutlook | undefined> {
    const tool = this.parts.sessions.get(sessionId)?.tools.toolNamed(action.tool);
    const environment = this.parts.sessions.environmentOf(sessionId);
    if (!tool || !environment || action.from !== undefined) return undefined;
    const paths = tool.effect === 'writes' ? tool.bind(action.input).touches.writes : undefined;
    const { expectedLastingEffects } = await import('../../core/changes/lastingEffects');
    return {
      isCopied: environment.checkpoints?.canUndo(paths) ?? false,
      lasting: expectedLastingEffects(action),
    };
  }

  /** While an edit waits, updates its preview when its files change. An earlier approval is then void. */
  private followFiles(waiting: WaitingAction): void {
    const { sessionId, action } = waiting;
    const session = this.parts.sessions.get(sessionId);
    const environment = this.parts.sessions.environmentOf(sessionId);
    const tool = session?.tools.toolNamed(action.tool);
    if (!environment || !tool || tool.effect !== 'writes' || tool.from !== undefined) return;
    const paths = tool.bind(action.input).touches.writes ?? [];
    const files = paths.flatMap((path) => {
      // An edit outside the workspace is refused anyway.
      try {
        return [uriNamed(path, environment.root)];
      } catch {
        return [];
      }
    });
    this.watched.follow(watchKey(waiting), files, async () => {
      const found = this.find({ sessionId, actionId: action.id });
      if (!found) return this.watched.forget(watchKey(waiting));
      const edit = await this.editPreview(found);
      for (const change of edit && 'written' in edit ? edit.written : [])
        this.parts.changes.renewProposed({ sessionId, actionId: action.id }, change, environment.root);
      await this.preview({ sessionId, actionId: action.id });
    });
  }

  /**
   * Returns the current content of a file and its content after the waiting edit, or undefined if no such edit waits.
   */
  async proposedChange(
    which: Waiting,
    path: string,
  ): Promise<{ readonly before: string | null; readonly after: string | null } | undefined> {
    const found = this.find(which);
    const edit = found && (await this.editPreview(found));
    return edit && 'written' in edit ? edit.written.find((change) => change.path === path) : undefined;
  }

  private async editPreview({ sessionId, action }: WaitingAction): Promise<EditPreview | undefined> {
    return this.parts.sessions.get(sessionId)?.editPreview(action);
  }

  /** Sends the panel the allow rules that can be added for a waiting action. */
  async offerRules(which: Waiting): Promise<void> {
    const found = await this.findInOpened(which);
    if (!found) return;
    const { offers, refusal } = await this.ruleOffers(found);
    this.parts.places.postTo(found.sessionId, {
      type: 'rule_offers',
      actionId: found.action.id,
      hash: found.hash,
      offers: offers.map(({ rule: _, ...offer }) => offer),
      ...(refusal && { refusal }),
    });
  }

  /**
   * Runs a waiting action and adds the allow rule that the user picked. Throws if the question has changed since the
   * user saw it.
   */
  async alwaysAllow(which: Waiting, scope: RuleScope, keep: 'session' | 'workspace'): Promise<void> {
    const found = await this.findInOpened(which);
    const session = found && this.parts.sessions.get(found.sessionId);
    const offer =
      found && found.hash === which.hash
        ? (await this.ruleOffers(found)).offers.find((one) => one.scope === scope)
        : undefined;
    if (!session || !offer)
      throw new Error(
        vscode.l10n.t('The question changed before your answer arrived, so nothing was decided. Review it again.'),
      );
    if (!(await this.approve({ ...which, sessionId: session.id }))) return;
    session.conversation.append({ type: 'allow_rule_added', rule: offer.rule });
    if (keep === 'workspace') await keepRule(offer.rule, this.workspaceState);
  }

  private async ruleOffers({ sessionId, action }: WaitingAction): Promise<OfferedRules> {
    const session = this.parts.sessions.get(sessionId);
    const environment = this.parts.sessions.environmentOf(sessionId);
    const tool = session?.tools.toolNamed(action.tool);
    if (!session || !environment || !tool) return { offers: [], refusal: 'unfit' };
    const { history } = session.conversation;
    const [{ offeredRules }, { analyzers, assessWith }] = await Promise.all([
      import('../../core/security/offeredRules'),
      import('../../core/security/analyzers'),
    ]);
    return offeredRules(action, { tool, history, shell: shellNameOf(environment) }, (input) =>
      assessWith(analyzers, { tool, call: tool.bind(input), environment, history }),
    );
  }

  manageRules(): Promise<void> {
    return manageRules(
      this.workspaceState,
      this.parts.sessions.all.filter(({ writable }) => writable).map(({ conversation }) => conversation),
    );
  }
}

const watchKey = ({ sessionId, action }: WaitingAction): string => `${sessionId} ${action.id}`;
