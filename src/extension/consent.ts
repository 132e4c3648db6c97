import * as vscode from 'vscode';
import { askedHash } from '../core/agent/history';
import { ruleFor } from '../core/security/allowRules';
import { toolsets } from '../core/tools/toolsets';
import type { ToPanel } from '../protocol/panel';
import { askForScope, manageRules } from './allowRules';
import type { LiveSession } from './liveSession';
import type { OpenSessions } from './openSessions';
import type { WaitingAction } from './trees';

/** Names an action that waits, and with `hash` the very question about it that a person saw. */
export interface Waiting { readonly sessionId?: string | undefined; readonly actionId?: string | undefined; readonly hash?: string | undefined }

interface Window {
  readonly sessions: OpenSessions;
  readonly current: LiveSession | undefined;
  show(session: LiveSession): Promise<void>;
  /** False, after offering models, while none is chosen. */
  useChosenModel(session: LiveSession): Promise<boolean>;
}

/** What waits for a person in all sessions of the window, and what the person says to it. */
export class Consent {
  constructor(private readonly window: Window, private readonly workspaceState: vscode.Memento, private readonly post: (message: ToPanel) => void) {}

  waiting(): WaitingAction[] {
    return this.window.sessions.all.flatMap(session => session.waiting.map(action => ({ sessionId: session.id, action, hash: askedHash(action.id, session.conversation.history) ?? '' })));
  }

  /** Ids of actions are unique in their session only; without a session the one that is shown is meant. */
  find({ sessionId = this.window.current?.id, actionId }: Waiting): WaitingAction | undefined {
    return this.waiting().find(waiting => waiting.sessionId === sessionId && (actionId === undefined || waiting.action.id === actionId));
  }

  /**
   * Decides the action that is named; unnamed, the first that waits in the session that is shown. What waits out of sight is shown
   * instead, never decided unseen. False when nothing was decided.
   */
  async decide(which: Waiting, approved: boolean, comment?: string): Promise<boolean> {
    const found = this.find(which);
    const unseen = found === undefined && which.actionId === undefined ? this.waiting()[0] : undefined;
    if (unseen) await this.show({ sessionId: unseen.sessionId, actionId: unseen.action.id });
    const session = found && this.window.sessions.get(found.sessionId);
    if (!session || (approved && !(await this.window.useChosenModel(session)))) return false;
    const [hash, asked] = [which.hash ?? found.hash, askedHash(found.action.id, session.conversation.history)];
    if (asked !== undefined && hash !== asked) throw new Error(vscode.l10n.t('The question changed before the answer came, so nothing was decided. Look at it again.'));
    return asked !== undefined && session.conversation.decide(found.action.id, approved, comment, hash);
  }

  /** Brings the panel to the question. */
  async show(which: Waiting): Promise<void> {
    const found = this.find(which) ?? this.waiting()[0];
    const session = found && this.window.sessions.get(found.sessionId);
    if (!session) return;
    if (session !== this.window.current) await this.window.show(session);
    await vscode.commands.executeCommand('waymark.conversation.focus');
    this.post({ type: 'focus', what: 'approval', actionId: found.action.id });
  }

  async alwaysAllow(which: Waiting): Promise<void> {
    const found = this.find(which);
    const session = found && this.window.sessions.get(found.sessionId);
    if (!session) return;
    const tool = toolsets.default.find(({ name }) => name === found.action.tool);
    const rule = tool && ruleFor(found.action, tool, session.conversation.history);
    if (!rule) return void vscode.window.showInformationMessage(vscode.l10n.t('This kind of action cannot be allowed for ever. Run it once, or refuse it.'));
    if (!(await askForScope(rule, this.workspaceState))) return;
    session.conversation.append({ type: 'allow_rule_added', rule });
    await this.decide({ ...which, sessionId: session.id }, true);
  }

  manageRules(): Promise<void> { return manageRules(this.workspaceState); }
}
