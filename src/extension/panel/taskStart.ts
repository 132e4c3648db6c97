import * as vscode from 'vscode';
import { titleLine } from '../../protocol/plain/truncate';
import type { Model } from '../../core/ports/model';
import type { Skill } from '../../core/ports/skill';
import { workspaceRules } from '../consent/allowRules';
import type { MessageExtras, Composing } from '../context/composing';
import type { ModelService } from '../models/modelService';
import type { TaskChoices } from '../../core/session/openSession';
import type { LiveSession } from '../sessions/liveSession';
import type { NextMode, NextPlace } from '../sessions/nextTask';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import { openInWorktree, type WorktreeChoice } from '../sessions/worktreeSession';
import type { Teaching } from '../skills/teaching';
import type { PanelOutlet } from './panelOutlet';
import type { WaitingTask } from './waitingTask';

interface TaskStartParts {
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
  readonly models: ModelService;
  readonly teaching: Teaching;
  readonly composing: Composing;
  readonly next: NextMode;
  readonly place: NextPlace;
  readonly outlet: PanelOutlet;
  readonly workspaceState: vscode.Memento;
  /** The task that waits in this place until a model is chosen. */
  readonly waiting: WaitingTask;
  /**
   * Starts a task several times, to choose the best result. Resolves to false if the user cancelled or the composer shows
   * why nothing was started. Rejects with an `Error` with a message for people.
   */
  runBestOf(task: string, extras: MessageExtras): Promise<boolean>;
  /** Called when `waiting` changed. */
  changed(): void;
}

/** A task with its model and settings. */
interface PreparedTask {
  readonly text: string;
  readonly model: Model;
  readonly settings: TaskChoices;
}

/** How a task starts, if not as usual. */
interface TaskOptions {
  /** Used instead of the persona chosen for the next task. */
  readonly persona?: Skill | undefined;
  readonly extras?: MessageExtras;
  /** Set if the session works in a new worktree. */
  readonly worktree?: WorktreeChoice | undefined;
}

/** Several sessions that work on one task. */
export interface Candidates {
  /** Common name of their worktrees. */
  readonly group: string;
  readonly task: string;
  readonly sessions: readonly LiveSession[];
  /** Why other candidates could not start, in words. */
  readonly problems: readonly string[];
}

/** Starts tasks, each in its own session. Keeps a task until a model is chosen. */
export class TaskStart {
  constructor(private readonly parts: TaskStartParts) {}

  /** Where the next task works, as chosen in the panel. */
  get place(): NextPlace {
    return this.parts.place;
  }

  /** Like `prepareAndStart`, but in the place chosen in the panel: the workspace, a worktree, or several worktrees. */
  async startInChosenPlace(task: string, extras: MessageExtras = {}): Promise<void> {
    const { place, outlet } = this.parts;
    const { chosen } = place;
    if (chosen === 'best_of') {
      // A task that waits for a model must not return to the composer as well.
      if (!(await this.modelFor(task))) return;
      const { refusals } = outlet;
      if (!(await this.parts.runBestOf(task, extras))) {
        // The composer shows another reason already.
        if (outlet.refusals !== refusals) return;
        throw new Error(
          vscode.l10n.t(
            'The task was not started, because you closed a question about its candidates. Send it again to answer.',
          ),
        );
      }
    } else {
      const choice = chosen === 'workspace' ? undefined : { uncommitted: chosen === 'worktree_uncommitted' };
      if (!(await this.prepareAndStart(task, { extras, worktree: choice }))) return;
    }
    await place.choose('workspace');
  }

  /**
   * Starts a task. Without a model, keeps the task and offers the available models. Returns undefined if nothing was
   * started.
   */
  async prepareAndStart(task: string, options: TaskOptions = {}): Promise<LiveSession | undefined> {
    const { persona, extras = {}, worktree } = options;
    const prepared = await this.prepare(task, persona, extras);
    if (!prepared) return undefined;
    return worktree ? this.startInWorktree(prepared, worktree) : this.startPrepared(prepared);
  }

  /**
   * Starts a task `count` times, each in its own worktree, and shows the first session. Returns undefined if nothing
   * was started. Rejects with an `Error` with a message for people if none can start.
   */
  async startCandidates(
    task: string,
    count: number,
    choice: WorktreeChoice,
    extras: MessageExtras = {},
  ): Promise<Candidates | undefined> {
    const prepared = await this.prepare(task, undefined, extras);
    if (!prepared) return undefined;
    const group = `best-of-${crypto.randomUUID().slice(0, 8)}`;
    const sessions: LiveSession[] = [];
    const problems: string[] = [];
    for (let number = 1; number <= count; number++) {
      try {
        const isShown = sessions.length === 0;
        sessions.push(await this.startInWorktree(prepared, { ...choice, group }, { isShown }));
      } catch (error) {
        // What prevents the first one from starting prevents the others, too.
        if (sessions.length === 0) throw error;
        problems.push((error as Error).message);
      }
    }
    return { group, task: prepared.text, sessions, problems };
  }

  /** Asks for and looks up everything that a task needs. Returns undefined if the task should not start. */
  private async prepare(
    task: string,
    chosenPersona: Skill | undefined,
    extras: MessageExtras,
  ): Promise<PreparedTask | undefined> {
    const { models, teaching, composing, next, outlet } = this.parts;
    await outlet.reveal();
    const model = await this.modelFor(task);
    if (!model) return undefined;
    if (!(await teaching.settle())) {
      const undecided = vscode.l10n.t('The task was not started: review the changed skills and instructions first.');
      outlet.giveBack(task, new Error(undecided));
      return undefined;
    }
    const composed = await composing.compose(task, extras);
    if (!composed) return undefined;
    const { text, ...extra } = composed;
    const persona = chosenPersona ?? (await teaching.takePersona(models.name));
    const wanted = persona?.persona?.model;
    const settings = { ...(await next.settings()), ...extra, ...(persona && { persona }) };
    return { text, settings, model: wanted === undefined ? model : await models.byName(wanted) };
  }

  /**
   * Returns the chosen model. Without one, keeps the task until a model is chosen, offers the available ones, and
   * returns undefined.
   */
  private async modelFor(task: string): Promise<Model | undefined> {
    const { models } = this.parts;
    const model = await models.choice.chosenModel();
    if (model) return model;
    const { waiting, outlet } = this.parts;
    const earlier = waiting.task;
    await waiting.keep(task);
    if (earlier !== undefined && earlier !== task) outlet.postWhenReady({ type: 'compose', text: earlier });
    this.parts.changed();
    await models.offer();
    return undefined;
  }

  /** Like `startPrepared`, but in a new worktree, which is removed if the task cannot start. */
  private async startInWorktree(
    prepared: PreparedTask,
    choice: WorktreeChoice,
    { isShown = true }: { readonly isShown?: boolean } = {},
  ): Promise<LiveSession> {
    const { sessions, shown } = this.parts;
    const { session, worktree, notes, drop } = await openInWorktree(sessions, prepared.text, choice);
    try {
      if (isShown) await shown.show(session);
      await this.startIn(session, { ...prepared, settings: { ...prepared.settings, worktree } });
    } catch (error) {
      if (isShown) await shown.show(undefined);
      await drop();
      throw error;
    }
    for (const text of notes) session.conversation.append({ type: 'notice', level: 'info', text });
    return session;
  }

  /**
   * Starts a task immediately and shows its session. `root`: the workspace folder to work in, by default the first.
   * Throws like `LiveSession.start`; then nothing of the session remains.
   */
  async startPrepared(prepared: PreparedTask, root?: string): Promise<LiveSession> {
    const { sessions, shown } = this.parts;
    const session = sessions.openSession(undefined, { ...(root !== undefined && { root }) });
    try {
      await shown.show(session);
      await this.startIn(session, prepared);
    } catch (error) {
      if (shown.live === session) await shown.show(undefined);
      await sessions.delete(session.id);
      throw error;
    }
    return session;
  }

  private async startIn(session: LiveSession, { text, model, settings }: PreparedTask): Promise<void> {
    const { workspaceState } = this.parts;
    for (const rule of workspaceRules(workspaceState)) session.conversation.append({ type: 'allow_rule_added', rule });
    await session.start(text, model, settings);
  }

  /** Like `prepareAndStart`. If the task cannot start, its text goes back to the composer and this rejects. */
  async startOrGiveBack(task: string, options: TaskOptions = {}): Promise<LiveSession | undefined> {
    try {
      return await this.prepareAndStart(task, options);
    } catch (error) {
      this.giveBack(task, error);
      throw error;
    }
  }

  /** Returns a task that was not started to the composer, with the reason. */
  giveBack(task: string, why: unknown): void {
    this.parts.outlet.giveBack(task, why);
  }

  /** First words of the task that waits for a model; undefined if none waits. */
  get waiting(): string | undefined {
    const { task } = this.parts.waiting;
    return task === undefined ? undefined : titleLine(task);
  }

  /** Cancels the task that waits for a model. Its text returns to the composer. */
  async cancelWaiting(): Promise<void> {
    const task = await this.parts.waiting.takeBack();
    this.parts.changed();
    if (task !== undefined) this.parts.outlet.postWhenReady({ type: 'compose', text: task });
  }

  /**
   * Starts the task that waits here for a model, if one is chosen. If it cannot start, it goes back to the composer and
   * this rejects with the reason.
   */
  async startWaiting(): Promise<void> {
    const { waiting, models } = this.parts;
    if (!models.current) return;
    await waiting.handOver(async (task) => {
      this.parts.changed();
      try {
        await this.startInChosenPlace(task);
      } catch (error) {
        this.giveBack(task, error);
        throw error;
      }
    });
  }
}
