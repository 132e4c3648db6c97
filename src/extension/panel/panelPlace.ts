import type * as vscode from 'vscode';
import type { PanelFacts, ToPanel } from '../../protocol/panel/panel';
import { Composing } from '../context/composing';
import type { KnownSources } from '../context/contextSources';
import { Controls } from '../sessions/controls';
import type { NextMode } from '../sessions/nextMode';
import type { NextPlace } from '../sessions/nextPlace';
import { emptyFacts, type FactsOfNext } from '../sessions/nextTask';
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

/** What the places of a window have in common. */
export interface PlaceWindow extends WindowReach {
  readonly teaching: Teaching;
  /** What messages can point at. */
  readonly sources: KnownSources;
  readonly next: NextMode;
  readonly nextPlace: NextPlace;
  readonly nextFacts: FactsOfNext;
  readonly sandbox: { readonly facts: Pick<PanelFacts, 'sandbox'> };
  readonly workspaceState: vscode.Memento;
  /** Adds files that were dropped on the panel of a place to its message. */
  attach(place: PanelPlace, addresses: readonly string[]): Promise<void>;
  /** Goes on from before a message with other words. False where the person left it. */
  editMessage(place: PanelPlace, session: string, seq: number, text: string): Promise<boolean>;
  /** Starts the tasks that waited for a model, each in its place. */
  startWaiting(): Promise<void>;
  /** A place shows another session, or more of the same. */
  placeChanged(place: PanelPlace): void;
  /** The person works in this place now. */
  used(place: PanelPlace): void;
}

/** What makes a place the side bar or a tab. */
export interface PlaceKind {
  readonly draft: Draft;
  /** Brings it before the person. */
  readonly reveal: Reveal;
  /** Another session is shown there, or none, or it has another title. */
  named(session: string | undefined, title: string): void;
}

/** One view of the panel: the session that is shown there, and what is said to it from there. */
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
    const shown = new ShownSession(() => sessions, {
      switched: () => this.switched(),
      opened: (anew) => this.opened(anew),
      onProblem: (problem) => problems.report(problem),
    });
    this.outlet = outlet;
    this.shown = shown;
    this.controls = new Controls(
      () => shown.whole(),
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
      lookAtChanges: () => window.review.changes.refresh(),
      startWaiting: () => window.startWaiting(),
    });
    this.commands = new PanelCommands({ shown, controls, composing, outlet, say: (text) => this.panel.say(text) });
    this.channel = new PanelChannel(
      outlet.post,
      () => this.panel.now(),
      panelHandlers(this, window),
      (problem) => problems.report(problem),
    );
  }

  /** Its view is there. */
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

  /** The state of the session that is shown here, or of the next task if none is. */
  facts(): PanelFacts {
    const { models, nextFacts, sandbox } = this.window;
    const { shown, controls, tasks } = this;
    const chosen = models.current && { model: models.current };
    const next = { ...nextFacts.now, ...controls.next.instead, ...sandbox.facts, place: tasks.place.facts };
    if (shown.live) return { ...chosen, ...shown.live.facts(next) };
    if (shown.glance) return { ...chosen, ...shown.glance.facts, ...sandbox.facts };
    return { ...emptyFacts, ...next, ...chosen };
  }

  /** The session that is shown may have another title. */
  renamed(): void {
    this.kind.named(this.shown.id, this.facts().title);
  }

  /** The person works here now. */
  used(): void {
    this.window.used(this);
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

  private opened(anew: boolean): void {
    if (anew) this.channel.reset();
    else this.channel.changed();
    this.window.placeChanged(this);
  }
}
