import * as vscode from 'vscode';
import type { Model } from '../../core/ports/model';
import type { Skill } from '../../core/ports/skill';
import { workspaceRules } from '../consent/allowRules';
import type { Beside, Composing } from '../context/composing';
import type { ModelService } from '../models/modelService';
import type { TaskChoices } from '../../core/session/openSession';
import type { LiveSession } from '../sessions/liveSession';
import type { NextMode } from '../sessions/nextMode';
import type { OpenSessions, WorktreeChoice } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import type { Teaching } from '../skills/teaching';
import type { PanelOutlet } from './panelOutlet';

/** A task that waits until a model is chosen; it outlives a reload. */
const WAITING = 'waymark.unstartedTask';

export interface TaskStartParts {
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
  readonly models: ModelService;
  readonly teaching: Teaching;
  readonly composing: Composing;
  readonly next: NextMode;
  readonly outlet: PanelOutlet;
  readonly workspaceState: vscode.Memento;
}

/** Starts tasks, each in a session of its own, and keeps one that waits until a model is chosen. */
export class TaskStart {
  constructor(private readonly parts: TaskStartParts) {}

  /** Without a model the task is kept, and the panel offers what can be chosen. Undefined where nothing was started. */
  async start(
    task: string,
    given?: Skill,
    beside: Beside = {},
    inWorktree?: WorktreeChoice,
  ): Promise<LiveSession | undefined> {
    const { models, teaching, composing, next, outlet } = this.parts;
    await vscode.commands.executeCommand('waymark.conversation.focus');
    const model = await models.choice.chosen();
    if (!model) {
      await this.keep(task);
      await models.offer();
      return undefined;
    }
    if (!(await teaching.settle())) {
      const undecided = vscode.l10n.t(
        'The task was not started: it is not decided whether the agent goes by the files that changed.',
      );
      outlet.giveBack(task, new Error(undecided));
      return undefined;
    }
    const composed = await composing.composed(task, beside);
    if (!composed) return undefined;
    const { text, ...extra } = composed;
    const persona = given ?? (await teaching.takePersona(models.name));
    const wanted = persona?.persona?.model;
    const settings = { ...(await next.settings()), ...extra, ...(persona && { persona }) };
    const chosen = wanted === undefined ? model : await models.byName(wanted);
    return inWorktree ? this.beginInWorktree(text, chosen, settings, inWorktree) : this.begin(text, chosen, settings);
  }

  /** The same in a worktree that is made for it; nothing is left of that where the task cannot begin. */
  private async beginInWorktree(
    task: string,
    model: Model,
    settings: TaskChoices,
    choice: WorktreeChoice,
  ): Promise<LiveSession> {
    const { sessions, shown } = this.parts;
    const { session, worktree, notes, drop } = await sessions.openInWorktree(task, choice);
    try {
      await shown.show(session);
      await this.startIn(session, task, model, { ...settings, worktree });
    } catch (error) {
      await shown.show(undefined);
      await drop();
      throw error;
    }
    for (const text of notes) session.conversation.append({ type: 'notice', level: 'info', text });
    return session;
  }

  /**
   * Starts a task at once and shows its session. `root`: the workspace folder that it works in, where that is not the
   * first. Throws as `LiveSession.start` does.
   */
  async begin(task: string, model: Model, settings: TaskChoices, root?: string): Promise<LiveSession> {
    const { sessions, shown } = this.parts;
    const session = sessions.openSession(undefined, { ...(root !== undefined && { root }) });
    await shown.show(session);
    await this.startIn(session, task, model, settings);
    return session;
  }

  private async startIn(session: LiveSession, task: string, model: Model, settings: TaskChoices): Promise<void> {
    const { workspaceState } = this.parts;
    for (const rule of workspaceRules(workspaceState)) session.conversation.append({ type: 'allow_rule_added', rule });
    await session.start(task, model, settings);
  }

  /** Whether a task waits for a model. */
  get isWaiting(): boolean {
    return this.waiting !== undefined;
  }

  /** Starts the task that waited for a model, where one is chosen now. */
  async startWaiting(): Promise<void> {
    const task = this.waiting;
    if (task === undefined || !this.parts.models.current) return;
    await this.start(task);
    await this.keep(undefined);
  }

  /** Hands over the task that waited when the window was closed: it is never started behind a person's back. */
  async takeForgotten(take: (task: string) => Promise<void>): Promise<void> {
    const task = this.waiting;
    if (task === undefined) return;
    await take(task);
    await this.keep(undefined);
  }

  private get waiting(): string | undefined {
    return this.parts.workspaceState.get<string>(WAITING);
  }

  private keep(task: string | undefined): Thenable<void> {
    return this.parts.workspaceState.update(WAITING, task);
  }
}
