import { type Prices, isCountable, reportsCost, uncountableCostWords } from '../../core/model/prices';
import type * as vscode from 'vscode';
import { openSession, type OpenedSession, type SessionParts, type TaskChoices } from '../../core/session/openSession';
import type { Agent } from '../../core/agent/agent';
import type { Children } from '../../core/ports/children';
import type { Hooks } from '../../core/agent/agentParts';
import type { Conversation } from '../../core/session/conversation';
import type { ConversationListener } from '../../core/session/publication';
import { Failed } from '../../core/agent/interrupt';
import { settingsOf, type RunSettings } from '../../core/log/runSettings';
import { undecidedActions } from '../../core/log/openActions';
import type { Surroundings } from '../../core/agent/prompt';
import type { EventStore } from '../../core/ports/eventStore';
import type { Model } from '../../core/ports/model';
import type { AgentEnvironment } from '../../core/ports/addedTools';
import { InFlight } from './inFlight';
import type { SessionToolParts } from '../../core/session/sessionTools';
import { trustFolders } from '../../adapters/sessions/trustedFolders';
import { worktreeAround } from '../../adapters/sessions/worktrees';
import type { HeldEdits } from '../../adapters/checkpoints/heldEdits/heldEdits';
import type { LogPosition, OpenedLog } from '../../adapters/log/eventLog';
import type { Action, Event, ModelInfo, Worktree } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';

/** Told what happens in the open sessions of the window. */
export interface SessionListener {
  onEvent(session: LiveSession, event: Event): void;
  onDelta(session: LiveSession, delta: Delta): void;
  onRunning(session: LiveSession, running: boolean): void;
  /** Called when the log cannot be written. `problem` is undefined when it can be written again. */
  onUnkept(session: LiveSession, problem: string | undefined): void;
  onFailure(session: LiveSession, thrown: unknown): void;
}

interface LiveSessionParts extends SessionToolParts {
  readonly id: string;
  readonly log: OpenedLog;
  readonly environment: AgentEnvironment & { readonly heldEdits?: HeldEdits; dispose(): Promise<void> };
  readonly surroundings: Surroundings;
  readonly profileOf: SessionParts['profileOf'];
  readonly samplingOf: NonNullable<SessionParts['samplingOf']>;
  readonly listener: SessionListener;
  readonly children?: Children;
  readonly hooks?: Hooks;
  /** What the user should know before the first task, such as about the folder. */
  readonly caution?: string;
  /** Set for a sub-agent session. */
  readonly work?: SessionWork;
}

/** How a sub-agent session is connected to its parent. */
export interface SessionWork {
  /** ID of the outermost session. */
  readonly family: string;
  /** The action of that session which all sub-agents below it work for. */
  readonly workFor: string;
  readonly conversationListener: ConversationListener;
  wrapAgent(agent: Pick<Agent, 'step'>): Pick<Agent, 'step'>;
}

/** The settings that decide whether a cost limit can be enforced. */
interface CostFacts {
  readonly prices?: Prices;
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly ignoreUnknownCost?: boolean;
}

/** An open session of this window: its conversation, its shell and its log. */
export class LiveSession implements vscode.Disposable {
  readonly id: string;
  readonly conversation: Conversation;
  /** Why it is read-only, in words for the user; undefined if it is writable. */
  readonly problem: string | undefined;
  /** Deltas of the reply and commands in progress. */
  readonly inFlight = new InFlight();
  /** Parses candidate replies as it parses normal ones. */
  readonly agent: OpenedSession['agent'];
  readonly tools: OpenedSession['tools'];
  readonly editPreview: OpenedSession['editPreview'];
  private readonly opened: OpenedSession;
  private chosen: Model | undefined;
  private whyUnkept: string | undefined;
  /** True if it has run since it was opened. */
  private worked = false;

  constructor(readonly parts: LiveSessionParts) {
    const {
      id,
      log,
      environment,
      surroundings,
      trusted,
      customToolsets,
      profileOf,
      samplingOf,
      listener,
      children,
      hooks,
      work,
    } = parts;
    this.id = id;
    this.problem = log.problem;
    this.opened = openSession({
      model: this.model,
      environment,
      surroundings,
      trusted,
      customToolsets,
      profileOf,
      samplingOf,
      attended: true,
      ...(children && { children }),
      ...(hooks && { hooks }),
      ...(work && { wrapAgent: (agent) => work.wrapAgent(agent) }),
      events: log.events,
      store: log.store ?? unwritable(log.problem!),
      listener: this.listeningTo(listener, work),
    });
    this.agent = this.opened.agent;
    this.conversation = this.opened.conversation;
    this.tools = this.opened.tools;
    this.editPreview = this.opened.editPreview;
  }

  private listeningTo(listener: SessionListener, work: SessionWork | undefined): ConversationListener {
    return {
      onEvent: (event) => {
        this.inFlight.logged(event);
        listener.onEvent(this, event);
        work?.conversationListener.onEvent?.(event);
      },
      onDelta: (delta) => this.publish(delta),
      onUnkept: (problem) => {
        this.whyUnkept = problem;
        listener.onUnkept(this, problem);
      },
      onRunning: (running) => {
        this.worked = true;
        listener.onRunning(this, running);
        work?.conversationListener.onRunning?.(running);
      },
      onFailure: (thrown) => listener.onFailure(this, thrown),
    };
  }

  /** Delegates to the model that is chosen at the time of the call. */
  get model(): Model {
    const current = (): Model => {
      if (!this.chosen) throw new Error('No model is chosen.');
      return this.chosen;
    };
    return {
      get info() {
        return current().info;
      },
      complete: (request, signal) => current().complete(request, signal),
      connect: () => current().connect?.(),
    };
  }

  /** The chosen model; undefined if none was chosen since the session was opened. */
  get chosenModel(): ModelInfo | undefined {
    return this.chosen?.info;
  }

  /** Undefined if the session is read-only. */
  get logFile(): string | undefined {
    return this.parts.log.store?.file;
  }
  get writable(): boolean {
    return this.problem === undefined;
  }
  /** True if another window or program writes its log. */
  get isElsewhere(): boolean {
    return this.parts.log.elsewhere !== undefined;
  }
  /** How far its log is saved; undefined if the session is read-only. */
  get savedPosition(): LogPosition | undefined {
    return this.parts.log.store?.position;
  }

  /** Why its log cannot be saved, in words for the user; undefined if everything is on disk. */
  get saveProblem(): string | undefined {
    return this.whyUnkept;
  }

  /** Resolves when everything is on disk. Rejects with a message for people if it cannot be saved. */
  async durable(): Promise<void> {
    await this.parts.log.store?.durable();
  }

  /** In a read-only log: number of events that are exactly as written. */
  get intactCount(): number | undefined {
    return this.parts.log.intactCount;
  }

  get waiting(): Action[] {
    return this.writable ? undecidedActions(this.conversation.savedHistory) : [];
  }

  /**
   * Starts the task. Throws an `Error` with a message for people if the profile or toolsets are unknown, or its
   * templates cannot be used.
   */
  async start(task: string, model: Model, choices: TaskChoices & CostFacts): Promise<void> {
    this.chosen = model;
    // Runs without a window may work in the folder as well from this point on. A worktree inherits the trust of its
    // original folder.
    const { root } = this.parts.environment;
    if (this.parts.trusted) trustFolders([worktreeAround(root)?.of ?? root]);
    await this.opened.begin(task, model, choices);
    this.tellUncountable(model, choices);
    const { caution } = this.parts;
    if (caution !== undefined) this.conversation.append({ type: 'notice', level: 'warning', text: caution });
    this.conversation.wake();
  }

  /** Warns before anything is spent if the user's cost limit cannot be enforced. */
  private tellUncountable({ info }: Model, choices: TaskChoices & CostFacts): void {
    const { limits, prices, provider, baseUrl, ignoreUnknownCost } = choices;
    const limit = limits.cost ?? 0;
    if (limit === 0 || ignoreUnknownCost || isCountable(info, prices, reportsCost(provider, baseUrl))) return;
    const text = `${uncountableCostWords(info.name, limit)} Set its price in waymark.model.prices; limits of steps and seconds count in any case.`;
    this.conversation.append({ type: 'notice', level: 'warning', text });
  }

  /** The origin of its worktree; undefined if it works in the workspace. */
  get worktree(): Worktree | undefined {
    return this.conversation.history.find((event) => event.type === 'task_started')?.worktree;
  }

  /** Undefined until a task is started. */
  get settings(): RunSettings | undefined {
    return settingsOf(this.conversation.history);
  }

  /** Uses another model from the next call on. A change is recorded in the log. */
  useModel(model: Model): void {
    this.chosen = model;
    const known = settingsOf(this.conversation.history)?.model;
    if (known && (known.name !== model.info.name || known.provider !== model.info.provider)) {
      this.conversation.append({ type: 'settings_changed', model: model.info });
      // A retry waited for the other model's server.
      this.conversation.retryNow();
    }
  }

  /** Publishes a delta to listeners. */
  publish(delta: Delta): void {
    this.inFlight.add(delta);
    this.parts.listener.onDelta(this, delta);
  }

  /** See `SessionWork.family`. */
  get family(): string {
    return this.parts.work?.family ?? this.id;
  }

  /** See `SessionWork.workFor`. */
  get workFor(): string | undefined {
    return this.parts.work?.workFor;
  }

  /** Immediately stops everything that is running or waiting. */
  async stop(reason?: string): Promise<void> {
    if (this.writable) await this.conversation.stop(reason);
  }

  /** Resolves when the file changes of all ended actions are known. */
  async changesKnown(): Promise<void> {
    const { checkpoints } = this.parts.environment;
    await (this.conversation.running ? checkpoints?.ended() : checkpoints?.settled());
  }

  /** Edits that change no file until the user applies them. Undefined if this session cannot hold edits back. */
  get heldEdits(): HeldEdits | undefined {
    return this.parts.environment.heldEdits;
  }

  /** Stops what is running, ends the shell and closes the log. Questions to the user remain open. */
  async close(): Promise<void> {
    try {
      if (this.conversation.running) await this.conversation.interrupt('The window was closed.');
      if (this.worked) await this.opened.runEndHooks(3);
      await this.parts.environment.dispose();
    } finally {
      await this.parts.log.store?.close();
    }
  }

  dispose(): void {
    void this.close();
  }
}

/** The store of a log that cannot be written. `why`: in words for the user. */
function unwritable(why: string): EventStore {
  return {
    append: () => undefined,
    durable: () =>
      Promise.reject(new Failed({ what: 'This session is read-only.', why, next: 'Start another session.' })),
  };
}
