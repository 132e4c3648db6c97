import * as vscode from 'vscode';
import { eventsOfType } from '../../core/log/history';
import type { Skill } from '../../core/ports/skill';
import type { ModelOffer, PanelFacts, ToPanel } from '../../protocol/panel/panel';
import type { Contributions } from '../contributed/contributions';
import { OtherTools } from '../contributed/otherTools';
import { beginSession } from '../sessions/beginSession';
import { ChangeView } from '../editor/changeView';
import { Composing, type Beside } from '../context/composing';
import { Consent } from '../consent/consent';
import { ContextKeys } from './contextKeys';
import { Controls } from '../sessions/controls';
import { Inspectors } from '../inspector/inspectors';
import { StepTexts } from '../inspector/stepTexts';
import { NextMode } from '../sessions/nextMode';
import { emptyFacts, factsOfNext } from '../sessions/nextTask';
import type { LiveSession } from '../sessions/liveSession';
import { messageOf, storyOf } from '../common/masked';
import { ModelChoice } from '../models/modelChoice';
import { OpenSessions } from '../sessions/openSessions';
import { PanelChannel, type Shown } from '../panel/panelChannel';
import { panelHandlers } from '../panel/panelHandlers';
import type { PanelPeer } from '../panel/panelView';
import { ProvenanceView } from '../provenance/provenanceView';
import { WindowProvenance } from '../provenance/windowProvenance';
import { sessionFrom } from '../sessions/sessionFrom';
import type { SessionEnvironment } from '../sessions/sessionEnvironment';
import { Teaching } from './teaching';
import { SandboxState } from './sandboxState';
import { sessionStorage } from '../sessions/sessionStorage';
import { ShownSession } from '../sessions/shownSession';
import { StatusBar } from './statusBar';
import { approvalsView, type WaitingAction } from '../consent/approvalsView';
import { sessionsView } from '../sessions/sessionsView';

const DRAFT = 'waymark.draft';
/** A task that waits until a model is chosen; it outlives a reload. */
const UNSTARTED = 'waymark.unstartedTask';

/** Everything in one window: which session is shown, and how panel, trees and commands reach it. */
export class Application implements PanelPeer, vscode.Disposable {
  readonly sessions: OpenSessions;
  readonly choice: ModelChoice;
  private readonly provenance: WindowProvenance;
  /** Who wrote the lines of the files that are open. */
  readonly lines: ProvenanceView;
  readonly controls: Controls;
  readonly changes = new ChangeView();
  readonly texts = new StepTexts();
  readonly inspectors = new Inspectors();
  private readonly status = new StatusBar();
  readonly consent: Consent;
  private readonly approvals = approvalsView(() => this.consent.waiting());
  private readonly sessionList = sessionsView(
    () => this.sessions.list(),
    (id) => this.sessions.get(id)?.conversation.running ?? false,
  );
  private readonly channel: PanelChannel;
  private post: (message: ToPanel) => void = () => undefined;
  private readonly shown = new ShownSession(() => this.sessions, {
    opened: (anew) => {
      if (anew) this.channel.reset();
      else this.channel.changed();
      this.refresh();
    },
    onProblem: (problem) => this.report(problem),
  });
  private model: PanelFacts['model'];
  private readonly keys = new ContextKeys();
  readonly teaching: Teaching;
  readonly otherTools: OtherTools;
  readonly composing = new Composing(this, (message) => this.post(message));
  readonly sandbox = new SandboxState(() => this.channel.changed());

  constructor(
    readonly context: vscode.ExtensionContext,
    readonly output: vscode.LogOutputChannel,
    given: Contributions,
  ) {
    this.choice = new ModelChoice(context, given.models);
    this.controls = new Controls(
      () => this.whole(),
      (session) => this.useChosenModel(session),
      new NextMode(context.workspaceState, () => {
        this.channel.changed();
        this.refresh();
      }),
    );
    this.provenance = new WindowProvenance(context.globalStorageUri, (problem) => output.error(storyOf(problem)));
    this.sessions = new OpenSessions(
      sessionStorage(context.globalStorageUri),
      {
        onEvent: (session) => this.changed(session),
        onDelta: (session, delta) => {
          if (session === this.shown.live) this.channel.delta(delta);
        },
        onRunning: (session) => this.rested(session),
        onFailure: (_session, thrown) => output.error(storyOf(thrown)),
        onProblem: (thrown) => output.error(storyOf(thrown)),
        onListed: () => this.sessionList.refresh(),
      },
      this.choice,
      this.provenance,
      given,
    );
    given.events.onProblem = (thrown) => output.error(`A listener of another extension failed: ${storyOf(thrown)}`);
    this.lines = new ProvenanceView(this.provenance, this.sessions);
    this.sessions.added.add((this.otherTools = new OtherTools(context.workspaceState)));
    this.teaching = new Teaching(this.sessions, context, () => this.modelName);
    this.consent = new Consent(this, context.workspaceState, (message) => this.post(message));
    this.channel = new PanelChannel(
      (message) => this.post(message),
      () => this.nowShown(),
      panelHandlers(this, this.changes),
      (problem) => this.report(problem),
    );
    const [forgotten, last] = [context.workspaceState.get<string>(UNSTARTED), this.sessions.stored.shown];
    if (forgotten !== undefined)
      void this.keepDraft(forgotten).then(() => context.workspaceState.update(UNSTARTED, undefined)); // never started behind a person's back
    if (last !== undefined && this.sessions.list().some(({ id }) => id === last))
      try {
        this.shown.refresh(last);
      } catch (error) {
        output.error(storyOf(error));
      }
    this.refresh();
    void this.sandbox.refresh();
    context.subscriptions.push(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('waymark')) {
          void this.modelChanged();
          void this.sandbox.refresh();
        }
      }),
      context.secrets.onDidChange(() => void this.modelChanged()),
      vscode.lm.onDidChangeChatModels(() => void this.modelChanged()),
      given.models.onDidChange(() => void this.modelChanged()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.trustGranted()),
    );
  }

  // The panel.

  opened(post: (message: ToPanel) => void): void {
    this.post = post;
  }
  closed(): void {
    this.channel.detach();
  }
  receive(message: unknown): void {
    void this.channel.receive(message);
  }

  // What people and other extensions ask for.

  get modelName(): string {
    return this.model?.name ?? '';
  }
  get profileName(): string {
    return this.shown.live?.settings?.profile ?? factsOfNext().profile;
  }
  get extension(): vscode.Uri {
    return this.context.extensionUri;
  }
  /** What is shown; a long session that was only looked at is opened. Rejects in words where it cannot be. */
  whole(): Promise<LiveSession | undefined> {
    return this.shown.whole();
  }
  get shownId(): string | undefined {
    return this.shown.id;
  }
  environment(): Promise<SessionEnvironment | undefined> {
    return this.whole().then((session) => session && this.sessions.environmentOf(session.id));
  }
  /** The row of the approvals list that has the focus. */
  get selectedApproval(): WaitingAction | undefined {
    return this.approvals.selected();
  }

  /** Starts a task in a new session. Without a model it is kept and the panel offers what can be chosen. Undefined when nothing was started. */
  async startTask(task: string, given?: Skill, beside: Beside = {}): Promise<LiveSession | undefined> {
    await vscode.commands.executeCommand('waymark.conversation.focus');
    const model = await this.choice.chosen();
    if (!model) {
      await this.context.workspaceState.update(UNSTARTED, task);
      await this.welcome();
      return undefined;
    }
    if (!(await this.teaching.settle())) {
      this.giveBack(
        task,
        new Error(
          vscode.l10n.t(
            'The task was not started: it is not decided whether the agent goes by the files that changed.',
          ),
        ),
      );
      return undefined;
    }
    const composed = await this.composing.composed(task, beside);
    if (!composed) return undefined;
    const { text, ...extra } = composed;
    const persona = given ?? (await this.teaching.takePersona(this.modelName));
    const wanted = persona?.persona?.model;
    return beginSession(this, text, wanted === undefined ? model : await this.choice.byName(wanted), {
      ...(await this.controls.next.settings()),
      ...extra,
      ...(persona && { persona }),
    });
  }

  async say(
    text: string,
    { delivery, ...beside }: Beside & { readonly delivery?: 'steer' | undefined } = {},
  ): Promise<void> {
    const session = await this.whole();
    if (!session || session.conversation.history.length === 0)
      return void (await this.startTask(text, undefined, beside));
    if (!session.writable) throw new Error(session.problem);
    if (!(await this.useChosenModel(session)))
      return this.post({ type: 'compose', text, problem: vscode.l10n.t('No model is chosen.') });
    const composed = session.settings?.mode === 'human' ? { text } : await this.composing.composed(text, beside);
    if (composed) session.conversation.say(composed.text, { ...composed, ...(delivery && { delivery }) });
  }

  /** The words go to the question; where it does not wait any more they come back to the composer. */
  async answer(actionId: string, text: string): Promise<void> {
    const session = await this.whole();
    if (!session?.writable || !(await this.useChosenModel(session)))
      return this.post({
        type: 'compose',
        text,
        problem: vscode.l10n.t('The answer was not sent: no model is chosen, or another window works on this session.'),
      });
    if (!session.conversation.answer(actionId, text))
      this.post({
        type: 'compose',
        text,
        problem: vscode.l10n.t(
          'The question does not wait for an answer any more. Send the text as a message instead.',
        ),
      });
  }

  /** Goes on from another candidate, in a session of its own that is shown then. */
  async continueFrom(which: { readonly seq: number; readonly index: number }): Promise<void> {
    const current = await this.whole();
    if (!current) return;
    const session = await sessionFrom(current, which, this.sessions);
    await this.show(session);
    if (await this.useChosenModel(session)) session.conversation.wake();
  }

  async show(session: LiveSession | undefined): Promise<void> {
    this.shown.set(session);
    await this.shownChanged();
  }

  /** A session by its id. Of a long one only the end is read until something is done with it. */
  async showStored(id: string): Promise<void> {
    this.shown.refresh(id);
    await this.shownChanged();
  }

  /** Goes on, in a session of its own, from what is whole of the one that is shown. */
  async salvage(): Promise<void> {
    const session = await this.whole();
    if (session?.sound) await this.showStored(await this.sessions.salvage(session));
  }

  private async shownChanged(): Promise<void> {
    this.sessions.stored.shown = this.shownId;
    this.channel.reset();
    this.refresh();
    if (this.shownId === undefined) await this.welcome();
  }

  /** Lets the person choose a model, then starts the task that waited for one. False when they backed out. */
  async chooseModel(offer?: ModelOffer['id']): Promise<boolean> {
    if (!(await this.choice.choose(offer))) return false;
    const { live } = this.shown;
    if (live?.writable && live.settings) await this.useChosenModel(live);
    await this.modelChanged();
    const task = this.context.workspaceState.get<string>(UNSTARTED);
    if (task === undefined || !this.model) return true;
    await this.startTask(task);
    await this.context.workspaceState.update(UNSTARTED, undefined);
    return true;
  }

  get draft(): string {
    return this.context.workspaceState.get<string>(DRAFT, '');
  }
  /** What was typed and not sent, kept for the next time the view opens. */
  async keepDraft(text: string): Promise<void> {
    await this.context.workspaceState.update(DRAFT, text || undefined);
  }

  /** What a person typed and could not be used goes back to the composer, with the reason. */
  giveBack(text: string, error: unknown): void {
    this.post({ type: 'compose', text, problem: messageOf(error) });
  }

  setApiKey(): Promise<boolean> {
    return this.choice.setApiKey();
  }

  setHeaderSecret(): Promise<boolean> {
    return this.choice.setHeaderSecret();
  }

  /** For the output channel alone, where the person is told elsewhere. */
  note(problem: unknown): void {
    this.output.error(storyOf(problem));
  }

  report(problem: unknown): void {
    this.note(problem);
    void vscode.window.showErrorMessage(messageOf(problem));
  }

  /** Lists and status anew, after something outside a session changed. */
  refresh(): void {
    this.approvals.refresh();
    this.sessionList.refresh();
    this.showStatus();
  }

  /** Stops and records what runs; resolves when every log is on disk. */
  async close(): Promise<void> {
    await this.sessions.closeAll();
    await this.provenance.settled();
  }

  dispose(): void {
    for (const part of [
      this.composing,
      this.consent,
      this.teaching,
      this.sessions,
      this.lines,
      this.provenance,
      this.changes,
      this.texts,
      this.status,
      this.approvals,
      this.sessionList,
    ])
      part.dispose();
  }

  private nowShown(): Shown {
    const facts = { ...factsOfNext(), ...this.controls.next.instead, ...this.sandbox.facts };
    const { live, glance, history, id = '' } = this.shown;
    const model = { ...(this.model && { model: this.model }) };
    return {
      id,
      history,
      draft: this.draft,
      inFlight: live?.inFlight.deltas ?? [],
      facts: () =>
        live
          ? { ...model, ...live.facts(facts) }
          : glance
            ? { ...model, ...glance.facts, ...this.sandbox.facts }
            : { ...emptyFacts, ...facts, ...model },
    };
  }

  /** False, after offering models, while none is chosen. */
  async useChosenModel(session: LiveSession): Promise<boolean> {
    if (this.sessions.isAtWork(session.id)) return true; // whoever began it chose its model
    const model = await this.choice.chosen();
    if (model) session.useModel(model);
    else await this.welcome();
    return model !== undefined;
  }

  async modelChanged(): Promise<void> {
    const info = await this.choice.chosen().then(
      (model) => model?.info,
      () => undefined,
    );
    this.model = info && {
      name: info.name,
      provider: info.provider,
      scripted: info.scripted === true,
      contextWindow: info.contextWindow,
    };
    this.channel.changed();
    if (!info && this.shownId === undefined) await this.welcome();
  }

  private async welcome(): Promise<void> {
    if (this.model && !this.context.workspaceState.get(UNSTARTED)) return;
    this.post({ type: 'welcome', offers: await this.choice.offers(), facts: this.nowShown().facts() });
  }

  /** Sessions get the tools of a trusted folder: those at rest at once, the others when they rest. */
  private async trustGranted(): Promise<void> {
    void this.sandbox.refresh();
    for (const session of this.sessions.all) if (!session.conversation.running) await this.renew(session);
    this.channel.changed();
  }

  private async renew(session: LiveSession): Promise<void> {
    if (this.sessions.isAtWork(session.id)) return;
    const shown = session === this.shown.live;
    await this.sessions.close(session.id);
    if (shown) await this.showStored(session.id);
  }

  private changed(session: LiveSession): void {
    if (session === this.shown.live) this.channel.changed();
    this.inspectors.appended(session.id, this.sessions.stored);
    const last = session.conversation.kept.at(-1)!;
    if (
      ['confirmation_requested', 'confirmation_resolved', 'observation', 'paused', 'question_asked'].includes(last.type)
    )
      this.approvals.refresh();
    if (last.type === 'task_started' || last.type === 'settings_changed') this.sessionList.refresh();
    this.showStatus();
  }

  private rested(session: LiveSession): void {
    const { conversation } = session;
    if (conversation.running) this.provenance.begin();
    if (!conversation.running && eventsOfType(conversation.history, 'task_started').length > 0)
      this.sessions.remember(session);
    if (session === this.shown.live) this.channel.changed();
    this.refresh();
    if (!conversation.running && vscode.workspace.isTrusted && !session.trusted) void this.renew(session);
  }

  private showStatus(): void {
    const [facts, waiting] = [this.nowShown().facts(), this.consent.waiting().length];
    this.status.show(facts, waiting, this.shown.live, this.sessions.all);
    this.keys.tell(facts, {
      running: this.sessions.all.some(({ conversation }) => conversation.running),
      waiting: waiting > 0,
    });
  }
}
