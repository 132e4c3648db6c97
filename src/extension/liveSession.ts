import type * as vscode from 'vscode';
import { taskStarted, type TaskSettings } from '../core/agent/assemble';
import { Conversation } from '../core/agent/conversation';
import { sessionAgent, toolsOf, type SessionAgentParts } from '../core/agent/sessionAgent';
import { settingsOf, statusOf, undecidedActions } from '../core/agent/history';
import type { Surroundings } from '../core/agent/prompt';
import { spentBy } from '../core/agent/spending';
import type { Model } from '../core/model/model';
import type { Environment } from '../core/tools/environment';
import { profileNamed } from '../core/profiles/profiles';
import { InFlight } from './inFlight';
import type { OpenedLog } from '../adapters/eventLog';
import type { Action, Event } from '../protocol/event';
import type { Delta, PanelFacts } from '../protocol/panel';

export interface SessionListener {
  onEvent(session: LiveSession, event: Event): void;
  onDelta(session: LiveSession, delta: Delta): void;
  onRunning(session: LiveSession, running: boolean): void;
  onFailure(session: LiveSession, thrown: unknown): void;
}

export interface SessionParts {
  readonly id: string;
  readonly log: OpenedLog;
  readonly environment: Environment & { dispose(): Promise<void> };
  readonly customToolsets: NonNullable<SessionAgentParts['customToolsets']>;
  readonly surroundings: Surroundings;
  /** Whether its tools are those of a trusted folder. */
  readonly trusted: boolean;
  readonly listener: SessionListener;
}

/** A session that is open in this window: its conversation, its shell and its log. */
export class LiveSession implements vscode.Disposable {
  readonly id: string;
  readonly conversation: Conversation;
  /** Why it can only be read, in words for a person. */
  readonly problem: string | undefined;
  /** What streams at this moment. */
  readonly inFlight = new InFlight();
  /** Reads candidates as it read the replies. */
  readonly agent: ReturnType<typeof sessionAgent>;
  private model: Model | undefined;

  constructor(private readonly parts: SessionParts) {
    const { id, log, environment, surroundings, trusted, customToolsets, listener } = parts;
    this.id = id;
    this.problem = log.problem;
    const store = log.store ?? { append: () => undefined, durable: () => Promise.reject(new Error(log.problem)) };
    this.agent = sessionAgent({ model: this.chosenModel(), environment, surroundings, trusted, customToolsets, attended: true });
    this.conversation = new Conversation(this.agent, log.events, store, {
      onEvent: event => { this.inFlight.logged(event); listener.onEvent(this, event); },
      onDelta: delta => { this.inFlight.add(delta); listener.onDelta(this, delta); },
      onRunning: running => listener.onRunning(this, running),
      onFailure: thrown => listener.onFailure(this, thrown),
    });
  }

  get trusted(): boolean { return this.parts.trusted; }
  get writable(): boolean { return this.problem === undefined; }
  get waiting(): Action[] { return this.writable ? undecidedActions(this.conversation.history) : []; }

  /** Throws an `Error` in words for the person where profile or toolsets are not known. */
  async start(task: string, model: Model, settings: TaskSettings & { readonly profile: string }): Promise<void> {
    const { surroundings, trusted, customToolsets } = this.parts;
    this.model = model;
    const profile = profileNamed(settings.profile);
    const tools = toolsOf(settings, profile, trusted, customToolsets);
    (await taskStarted(task, { profile, model, tools }, surroundings, settings)).forEach(this.conversation.append);
    this.conversation.wake();
  }

  /** From the next model call on; recorded where it is another than before. */
  useModel(model: Model): void {
    this.model = model;
    const known = settingsOf(this.conversation.history)?.model;
    if (known && (known.name !== model.info.name || known.provider !== model.info.provider)) this.conversation.append({ type: 'settings_changed', model: model.info });
  }

  facts(fallback: Pick<PanelFacts, 'confirmation' | 'trusted'>): PanelFacts {
    const { history, running } = this.conversation;
    const settings = settingsOf(history);
    const spent = spentBy(history);
    const info = this.model?.info ?? settings?.model;
    return {
      running, status: statusOf(history), writable: this.writable, trusted: fallback.trusted, sessionId: this.id, title: settings?.title ?? '',
      confirmation: settings?.confirmation ?? fallback.confirmation, contextTokens: spent.contextTokens, spent: { ...spent.usage, steps: spent.steps, uncounted: spent.uncounted, unpriced: spent.unpriced },
      ...(this.problem !== undefined && { problem: this.problem }),
      ...(info && { model: { name: info.name, provider: info.provider, scripted: info.scripted === true, contextWindow: info.contextWindow } }),
    };
  }

  /** Stops at once what runs or waits here. */
  async stop(reason?: string): Promise<void> {
    if (this.writable) await this.conversation.stop(reason);
  }

  /** Stops what runs, ends the shell and lets go of the log. What waits for a person waits on. */
  async close(): Promise<void> {
    try {
      if (this.conversation.running) await this.conversation.interrupt('The window was closed.');
      await this.parts.environment.dispose();
    } finally {
      await this.parts.log.store?.close();
    }
  }

  dispose(): void {
    void this.close();
  }

  private chosenModel(): Model {
    const current = (): Model => { if (!this.model) throw new Error('No model is chosen.'); return this.model; };
    return { get info() { return current().info; }, complete: (request, signal) => current().complete(request, signal) };
  }
}
