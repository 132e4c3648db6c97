import type * as vscode from 'vscode';
import type { PanelFacts, ToPanel } from '../../protocol/panel/panel';
import { Composing, type MessageExtras } from '../context/composing';
import type { KnownSources } from '../context/contextSources';
import { Controls } from '../sessions/controls';
import { type NextMode, type NextPlace, emptyFacts, type NextTaskFacts } from '../sessions/nextTask';
import { sessionFacts } from '../sessions/sessionFacts';
import { ShownSession } from '../sessions/shownSession';
import type { Teaching } from '../skills/teaching';
import type { Draft } from './draft';
import { PanelChannel } from './panelChannel';
import { PanelCommands } from './panelCommands';
import { panelHandlers, type PanelReach, type WindowReach } from './panelHandlers';
import { PanelOutlet, type Reveal } from './panelOutlet';
import { PanelSession } from './panelSession';
import type { PanelConnection, PanelPeer } from './panelView';
import { TaskStart } from './taskStart';
import { WaitingTask } from './waitingTask';

/** What all places of a window share. */
export interface PlaceWindow extends WindowReach {
  readonly teaching: Teaching;
  /** What messages can mention. */
  readonly sources: KnownSources;
  readonly next: NextMode;
  readonly nextPlace: NextPlace;
  readonly nextFacts: NextTaskFacts;
  readonly sandbox: { readonly facts: Pick<PanelFacts, 'sandbox'> };
  readonly workspaceState: vscode.Memento;
  /** Adds files dropped on a panel to the message in its composer. */
  attach(place: PanelPlace, addresses: readonly string[]): Promise<void>;
  /** Replaces an earlier message and continues from there. Returns false if the user cancelled. */
  editMessage(place: PanelPlace, session: string, seq: number, text: string): Promise<boolean>;
  /** See `TaskStartParts.runBestOf`. */
  runBestOf(place: PanelPlace, task: string, extras: MessageExtras): Promise<boolean>;
  /** Starts the tasks that waited for a model, each in its place. */
  startWaiting(): Promise<void>;
  /** Called when a place shows another session, or more of the same one. */
  placeChanged(place: PanelPlace): void;
  /** Makes a place the current one. */
  makeCurrent(place: PanelPlace): void;
  /** Called when a place keeps a focus that the user may not have given to it. */
  keptFocus(place: PanelPlace): void;
}

/** The difference between the side bar and a tab. */
export interface PlaceKind {
  readonly draft: Draft;
  /** Reveals the place. */
  readonly reveal: Reveal;
  /** Called when the place shows another session or none, or its title has changed. */
  titleChanged(session: string | undefined, title: string): void;
}

/** One view of the panel, with its session and its controls. */
export class PanelPlace implements PanelPeer, PanelReach, vscode.Disposable {
  readonly outlet: PanelOutlet;
  readonly shown: ShownSession;
  readonly controls: Controls;
  readonly composing: Composing;
  readonly tasks: TaskStart;
  readonly panel: PanelSession;
  readonly commands: PanelCommands;
  readonly channel: PanelChannel;

  constructor(
    private readonly window: PlaceWindow,
    private readonly kind: PlaceKind,
  ) {
    const { sessions, models, teaching, sources, next, nextPlace, workspaceState, problems } = window;
    const outlet = new PanelOutlet(kind.reveal);
    const shown = new ShownSession(sessions, {
      switched: () => this.switched(),
      opened: ({ anew }) => this.opened({ anew }),
      onProblem: (problem) => problems.report(problem),
    });
    this.outlet = outlet;
    this.shown = shown;
    this.controls = new Controls(
      () => shown.openedSession(),
      (session) => sessions.useChosenModel(session),
      next,
    );
    this.composing = new Composing({ sessions, shown, models, teaching, sources, outlet });
    const { controls, composing } = this;
    this.tasks = new TaskStart({
      sessions,
      shown,
      models,
      teaching,
      composing,
      next,
      place: nextPlace,
      outlet,
      workspaceState,
      waiting: new WaitingTask(workspaceState),
      runBestOf: (task, extras) => window.runBestOf(this, task, extras),
      changed: () => this.channel.changed(),
    });
    const { tasks } = this;
    const facts = (): PanelFacts => this.facts();
    this.panel = new PanelSession({
      sessions,
      shown,
      models,
      tasks,
      composing,
      outlet,
      draft: kind.draft,
      facts,
      refreshChanges: () => window.review.changes.refresh(),
      startWaiting: () => window.startWaiting(),
    });
    this.commands = new PanelCommands({ shown, controls, composing, outlet, say: (text) => this.panel.say(text) });
    this.channel = new PanelChannel({
      post: outlet.post,
      shownSession: () => this.panel.content(),
      handlers: panelHandlers(this, window),
      onProblem: (problem) => problems.report(problem),
    });
  }

  /** Connects a view to this place. */
  connect(post: (message: ToPanel) => void): PanelConnection {
    this.outlet.open(post);
    return {
      receive: (message) => void this.channel.receive(message),
      hidden: () => {
        this.outlet.hidden();
        this.channel.detach();
      },
      dispose: () => {
        if (this.outlet.close(post)) this.channel.detach();
      },
    };
  }

  /** Returns the state of the session shown here, or of the next task if there is none. */
  facts(): PanelFacts {
    const { models, nextFacts, sandbox } = this.window;
    const { shown, controls, tasks } = this;
    const { waiting } = tasks;
    const chosen = {
      ...(models.current && { model: models.current }),
      ...(waiting !== undefined && { waitsForModel: waiting }),
    };
    const next = { ...nextFacts.current, ...controls.next.changedChoices, ...sandbox.facts, place: tasks.place.facts };
    if (shown.live) return { ...chosen, ...sessionFacts(shown.live, next) };
    if (shown.glance) return { ...chosen, ...shown.glance.facts, ...sandbox.facts };
    return { ...emptyFacts, ...next, ...chosen };
  }

  /** Called when the title of the session may have changed. */
  renamed(): void {
    this.kind.titleChanged(this.shown.id, this.facts().title);
  }

  /** Makes this place the current one. */
  makeCurrent(): void {
    this.window.makeCurrent(this);
  }

  keptFocus(): void {
    this.window.keptFocus(this);
  }

  attach(addresses: readonly string[]): Promise<void> {
    return this.window.attach(this, addresses);
  }

  editMessage(session: string, seq: number, text: string): Promise<boolean> {
    return this.window.editMessage(this, session, seq, text);
  }

  dispose(): void {
    for (const part of [this.composing, this.channel]) part.dispose();
  }

  private async switched(): Promise<void> {
    this.renamed();
    this.channel.reset();
    this.window.placeChanged(this);
    if (this.shown.id !== undefined) return;
    this.composing.tellStarters().catch((problem: unknown) => this.window.problems.note(problem));
    await this.panel.welcome();
  }

  private opened({ anew }: { readonly anew: boolean }): void {
    if (anew) this.channel.reset();
    else this.channel.changed();
    this.window.placeChanged(this);
  }
}
