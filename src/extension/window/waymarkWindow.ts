import * as vscode from 'vscode';
import type { PanelFacts, ToPanel } from '../../protocol/panel/panel';
import { OtherTools } from '../api/otherTools';
import { WindowBatch } from '../batch/windowBatch';
import { ProblemReports } from '../common/problemReports';
import { Consent } from '../consent/consent';
import { TaskConsent } from '../consent/taskConsent';
import { Composing } from '../context/composing';
import { ContextView } from '../context/contextView';
import type { Contributions } from '../contributed/contributions';
import { ChangeView } from '../editor/changeView';
import { WindowProvenance } from '../editor/windowProvenance';
import { Inspectors } from '../inspector/inspectors';
import { StepTexts } from '../inspector/stepTexts';
import { ModelService } from '../models/modelService';
import { PanelCommands } from '../panel/panelCommands';
import { PanelChannel } from '../panel/panelChannel';
import { panelHandlers } from '../panel/panelHandlers';
import { PanelOutlet } from '../panel/panelOutlet';
import { PanelSession } from '../panel/panelSession';
import type { PanelConnection, PanelPeer } from '../panel/panelView';
import { TaskStart } from '../panel/taskStart';
import { ProvenanceView } from '../provenance/provenanceView';
import { WindowReview } from '../review/windowReview';
import { Controls } from '../sessions/controls';
import { NextMode } from '../sessions/nextMode';
import { NextPlace } from '../sessions/nextPlace';
import { OpenSessions } from '../sessions/openSessions';
import { sessionStorage } from '../sessions/sessionFolders';
import { emptyFacts, FactsOfNext } from '../sessions/nextTask';
import { ShownSession } from '../sessions/shownSession';
import { Teaching } from '../skills/teaching';
import { Attention } from './attention';
import { registerProblemActions } from './problemActions';
import { SandboxState } from './sandboxState';
import { SessionWatch } from './sessionWatch';
import { warnOfSettings } from '../common/settings';
import type { WindowParts } from './windowParts';
import { WindowStatus } from './windowStatus';

/** The parts of one window, wired. Nothing is decided here, and no part knows it. */
export class WaymarkWindow implements WindowParts, PanelPeer, vscode.Disposable {
  /** It hears of changed settings before anybody else here, who may ask for facts then. */
  private readonly nextFacts = new FactsOfNext();
  readonly extension: vscode.Uri;
  readonly problems: ProblemReports;
  readonly outlet = new PanelOutlet();
  readonly changes = new ChangeView();
  readonly texts = new StepTexts();
  readonly inspectors = new Inspectors();
  readonly provenance: WindowProvenance;
  readonly models: ModelService;
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
  readonly controls: Controls;
  readonly otherTools: OtherTools;
  readonly teaching: Teaching;
  readonly composing: Composing;
  readonly contextView: ContextView;
  readonly consent: Consent;
  readonly taskConsent: TaskConsent;
  readonly sandbox: SandboxState;
  readonly tasks: TaskStart;
  readonly panel: PanelSession;
  readonly commands: PanelCommands;
  readonly channel: PanelChannel;
  readonly lines: ProvenanceView;
  readonly status: WindowStatus;
  readonly review: WindowReview;
  readonly batch: WindowBatch;
  readonly attention = new Attention({
    isSeen: (session) => vscode.window.state.focused && this.outlet.isSeen && session.id === this.shown.id,
    worksForAnother: (session) => this.sessions.isAtWork(session.id),
    show: async (session) => {
      await this.shown.show(session);
      await vscode.commands.executeCommand('waymark.conversation.focus');
    },
    onProblem: (problem) => this.problems.note(problem),
  });
  private readonly watch = new SessionWatch(() => this);
  private readonly listening: vscode.Disposable;
  private readonly settingWarnings = warnOfSettings();

  constructor(
    context: vscode.ExtensionContext,
    readonly output: vscode.LogOutputChannel,
    given: Contributions,
  ) {
    const { extensionUri, globalStorageUri, workspaceState } = context;
    const { outlet } = this;
    const facts = (): PanelFacts => this.facts();
    this.extension = extensionUri;
    this.problems = new ProblemReports(output);
    given.events.onProblem = (thrown) => this.problems.note(thrown, 'A listener of another extension failed: ');
    this.provenance = new WindowProvenance(globalStorageUri, (problem) => this.problems.note(problem));
    this.models = new ModelService(context, given.models, {
      changed: () => this.modelChanged(),
      missing: () => this.panel.welcome(),
    });
    const storage = sessionStorage(globalStorageUri);
    this.sessions = new OpenSessions(storage, this.watch, this.models, this.provenance, given);
    this.shown = new ShownSession(() => this.sessions, {
      switched: () => this.switched(),
      opened: (anew) => this.opened(anew),
      onProblem: (problem) => this.problems.report(problem),
    });
    const { sessions, shown, models, changes } = this;
    const next = new NextMode(workspaceState, () => this.refresh());
    const place = new NextPlace(
      workspaceState,
      () => vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath,
      () => this.refresh(),
    );
    this.controls = new Controls(
      () => shown.whole(),
      (session) => sessions.useChosenModel(session),
      next,
    );
    this.otherTools = new OtherTools(workspaceState);
    sessions.added.add(this.otherTools);
    this.teaching = new Teaching(
      sessions,
      context,
      () => models.name,
      (thrown) => this.problems.note(thrown),
    );
    const { teaching } = this;
    this.composing = new Composing({ sessions, shown, models, teaching, outlet });
    this.contextView = new ContextView(this.composing, { sessions, shown, models });
    this.consent = new Consent({ sessions, shown, changes }, workspaceState, outlet.post);
    this.taskConsent = new TaskConsent(workspaceState);
    this.sandbox = new SandboxState(() => this.channel.changed());
    const { composing, consent, problems } = this;
    this.tasks = new TaskStart({ sessions, shown, models, teaching, composing, next, place, outlet, workspaceState });
    const { tasks } = this;
    this.panel = new PanelSession({ sessions, shown, models, tasks, composing, outlet, workspaceState, facts });
    this.review = new WindowReview({
      shown: () => shown.whole(),
      get live() {
        return shown.live;
      },
      logOf: (session) => sessions.stored.logOf(session),
      store: sessions.checkpoints,
      runs: () => sessions.all.flatMap(({ id }) => sessions.environmentOf(id)?.checkpoints ?? []),
      onProblem: (problem) => problems.note(problem),
    });
    this.commands = new PanelCommands({
      shown,
      controls: this.controls,
      composing,
      outlet,
      say: (text) => this.panel.say(text),
    });
    this.channel = new PanelChannel(
      outlet.post,
      () => this.panel.now(),
      panelHandlers(this),
      (problem) => problems.report(problem),
    );
    this.lines = new ProvenanceView(this.provenance, sessions);
    this.status = new WindowStatus({ sessions, shown, consent, facts });
    this.batch = new WindowBatch({
      extension: extensionUri,
      storage: globalStorageUri,
      choice: models.choice,
      secrets: context.secrets,
      workspaceState,
      inspectors: this.inspectors,
      onProblem: (problem) => problems.report(problem),
    });
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.watch.trustGranted()),
      this.review.changes.onDidChange(() => this.review.tell(outlet.post)),
      registerProblemActions(),
    );
    this.begin();
  }

  /** A view of the panel is there. */
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

  /** Adds files that were dropped on the panel to the message. */
  async attach(addresses: readonly string[]): Promise<void> {
    const { addFiles, droppedFiles } = await import('./entryPoints');
    await addFiles(this, droppedFiles(addresses));
  }

  /** Goes on from before a message with other words, in a session of its own, and with the files of that place. */
  async editMessage(session: string, seq: number, text: string): Promise<boolean> {
    const { editMessage } = await import('./forkSession');
    return editMessage(this, session, seq, text);
  }

  /** Stops and records what runs; resolves when every log is on disk. */
  async close(): Promise<void> {
    await this.sessions.closeAll();
    await this.provenance.settled();
  }

  dispose(): void {
    const parts = [
      this.listening,
      this.settingWarnings,
      this.nextFacts,
      this.models,
      this.sandbox,
      this.composing,
      this.contextView,
      this.consent,
      this.teaching,
      this.sessions,
      this.lines,
      this.provenance,
      this.changes,
      this.texts,
      this.status,
      this.review,
      this.batch,
      this.channel,
    ];
    for (const part of parts) part.dispose();
  }

  /** Shows what was shown when the window was closed. */
  private begin(): void {
    const { sessions, shown, problems } = this;
    void this.tasks.takeForgotten((task) => this.panel.keepDraft(task));
    const last = sessions.stored.shown;
    if (last !== undefined && sessions.list().some(({ id }) => id === last)) {
      try {
        shown.refresh(last);
      } catch (error) {
        problems.note(error);
      }
    }
    this.status.refresh();
    this.review.changes.lookSoon();
    void this.sandbox.refresh();
    sessions.sweepWorktrees().catch((problem: unknown) => problems.note(problem));
  }

  /** What is true of the session that is shown, or of the next task where none is. */
  private facts(): PanelFacts {
    const { shown, models, controls, sandbox, tasks } = this;
    const chosen = models.current && { model: models.current };
    const next = { ...this.nextFacts.now, ...controls.next.instead, ...sandbox.facts, place: tasks.place.facts };
    if (shown.live) return { ...chosen, ...shown.live.facts(next) };
    if (shown.glance) return { ...chosen, ...shown.glance.facts, ...sandbox.facts };
    return { ...emptyFacts, ...next, ...chosen };
  }

  private async modelChanged(): Promise<void> {
    this.channel.changed();
    if (!this.models.current && this.shown.id === undefined) await this.panel.welcome();
  }

  private async switched(): Promise<void> {
    this.channel.reset();
    this.status.refresh();
    this.review.changes.lookSoon();
    if (this.shown.id !== undefined) return;
    this.composing.tellStarters().catch((problem: unknown) => this.problems.note(problem));
    await this.panel.welcome();
  }

  private opened(anew: boolean): void {
    if (anew) this.channel.reset();
    else this.channel.changed();
    this.status.refresh();
    this.review.changes.lookSoon();
  }

  private refresh(): void {
    this.channel.changed();
    this.status.refresh();
  }
}
