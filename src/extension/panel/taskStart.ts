import * as vscode from 'vscode';
import type { Model } from '../../core/ports/model';
import type { Skill } from '../../core/ports/skill';
import { workspaceRules } from '../consent/allowRules';
import type { Beside, Composing } from '../context/composing';
import type { ModelService } from '../models/modelService';
import type { TaskChoices } from '../../core/session/openSession';
import type { LiveSession } from '../sessions/liveSession';
import type { NextMode } from '../sessions/nextMode';
import type { NextPlace } from '../sessions/nextPlace';
import type { OpenSessions, WorktreeChoice } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import type { Teaching } from '../skills/teaching';
import type { PanelOutlet } from './panelOutlet';
import type { WaitingTask } from './waitingTask';

export interface TaskStartParts {
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
  readonly models: ModelService;
  readonly teaching: Teaching;
  readonly composing: Composing;
  readonly next: NextMode;
  readonly place: NextPlace;
  readonly outlet: PanelOutlet;
  readonly workspaceState: vscode.Memento;
  /** What waits in this place until a model is chosen. */
  readonly waiting: WaitingTask;
}

/** A task with all that was chosen for it. */
interface PreparedTask {
  readonly text: string;
  readonly model: Model;
  readonly settings: TaskChoices;
}

/** Several sessions that work on one task. */
export interface Candidates {
  /** The name that their worktrees share. */
  readonly group: string;
  readonly task: string;
  readonly sessions: readonly LiveSession[];
  /** Why others could not begin, in words. */
  readonly problems: readonly string[];
}

/** Starts tasks, each in a session of its own, and keeps one that waits until a model is chosen. */
export class TaskStart {
  constructor(private readonly parts: TaskStartParts) {}

  /** Where the next task works, as the person chose in the panel. */
  get place(): NextPlace {
    return this.parts.place;
  }

  /** The same as `start`, where the person chose in the panel that the task works. */
  async startWhereChosen(task: string, beside: Beside = {}): Promise<void> {
    const { place } = this.parts;
    const { wish } = place;
    if (wish === 'best_of') {
      // A task that waits for a model must not come back to the composer, too.
      if (!(await this.modelFor(task))) return;
      if ((await vscode.commands.executeCommand('waymark.runBestOf', { task, beside })) === undefined)
        throw new Error(vscode.l10n.t('The task was not started.'));
    } else {
      const choice = wish === 'workspace' ? undefined : { uncommitted: wish === 'worktree_uncommitted' };
      if (!(await this.start(task, undefined, beside, choice))) return;
    }
    await place.choose('workspace');
  }

  /** Without a model the task is kept, and the panel offers what can be chosen. Undefined where nothing was started. */
  async start(
    task: string,
    given?: Skill,
    beside: Beside = {},
    inWorktree?: WorktreeChoice,
  ): Promise<LiveSession | undefined> {
    const prepared = await this.prepared(task, given, beside);
    if (!prepared) return undefined;
    const { text, model, settings } = prepared;
    return inWorktree ? this.beginInWorktree(text, model, settings, inWorktree) : this.begin(text, model, settings);
  }

  /**
   * Starts the task `count` times, each in a worktree of its own, and shows the first of the sessions. Undefined where
   * nothing was started; rejects with an `Error` in words where none can begin.
   */
  async startSeveral(
    task: string,
    count: number,
    choice: WorktreeChoice,
    beside: Beside = {},
  ): Promise<Candidates | undefined> {
    const prepared = await this.prepared(task, undefined, beside);
    if (!prepared) return undefined;
    const { text, model, settings } = prepared;
    const group = `best-of-${crypto.randomUUID().slice(0, 8)}`;
    const sessions: LiveSession[] = [];
    const problems: string[] = [];
    for (let number = 1; number <= count; number++) {
      const shows = sessions.length === 0;
      try {
        sessions.push(await this.beginInWorktree(text, model, settings, { ...choice, group }, shows));
      } catch (error) {
        // What keeps the first one from its beginning keeps the others, too.
        if (sessions.length === 0) throw error;
        problems.push((error as Error).message);
      }
    }
    return { group, task: text, sessions, problems };
  }

  /** All that is asked and looked up before a task begins; undefined where it does not begin. */
  private async prepared(task: string, given: Skill | undefined, beside: Beside): Promise<PreparedTask | undefined> {
    const { models, teaching, composing, next, outlet } = this.parts;
    await outlet.reveal();
    const model = await this.modelFor(task);
    if (!model) return undefined;
    if (!(await teaching.settle())) {
      const undecided = vscode.l10n.t('The task was not started: review the changed skills and instructions first.');
      outlet.giveBack(task, new Error(undecided));
      return undefined;
    }
    const composed = await composing.composed(task, beside);
    if (!composed) return undefined;
    const { text, ...extra } = composed;
    const persona = given ?? (await teaching.takePersona(models.name));
    const wanted = persona?.persona?.model;
    const settings = { ...(await next.settings()), ...extra, ...(persona && { persona }) };
    return { text, settings, model: wanted === undefined ? model : await models.byName(wanted) };
  }

  /** The chosen model; without one the task is kept until there is one, and the panel offers what can be chosen. */
  private async modelFor(task: string): Promise<Model | undefined> {
    const { models } = this.parts;
    const model = await models.choice.chosen();
    if (model) return model;
    await this.parts.waiting.keep(task);
    await models.offer();
    return undefined;
  }

  /** The same in a worktree that is made for it; nothing is left of that where the task cannot begin. */
  private async beginInWorktree(
    task: string,
    model: Model,
    settings: TaskChoices,
    choice: WorktreeChoice,
    shows = true,
  ): Promise<LiveSession> {
    const { sessions, shown } = this.parts;
    const { session, worktree, notes, drop } = await sessions.openInWorktree(task, choice);
    try {
      if (shows) await shown.show(session);
      await this.startIn(session, task, model, { ...settings, worktree });
    } catch (error) {
      if (shows) await shown.show(undefined);
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

  /** A task that was not started comes back to the composer, with the reason. */
  giveBack(task: string, why: unknown): void {
    this.parts.outlet.giveBack(task, why);
  }

  /** Whether a task waits for a model. */
  get isWaiting(): boolean {
    return this.parts.waiting.task !== undefined;
  }

  /**
   * Starts the task that waited here for a model, where one is chosen now. One that cannot begin comes back to the
   * composer; rejects with the reason then.
   */
  async startWaiting(): Promise<void> {
    const { waiting, models } = this.parts;
    if (!models.current) return;
    await waiting.handOver(async (task) => {
      try {
        await this.startWhereChosen(task);
      } catch (error) {
        this.giveBack(task, error);
        throw error;
      }
    });
  }
}
