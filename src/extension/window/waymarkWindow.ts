import * as vscode from 'vscode';
import { settingsOf } from '../../core/log/runSettings';
import { OtherTools } from '../api/otherTools';
import { WindowBatch } from '../batch/windowBatch';
import { ProblemReports } from '../common/problemReports';
import { warnOfSettings } from '../common/settings';
import { Consent } from '../consent/consent';
import { TaskConsent } from '../consent/taskConsent';
import { KnownSources } from '../context/contextSources';
import { ContextView } from '../context/contextView';
import type { Contributions } from '../contributed/contributions';
import { ChangeView } from '../editor/changeView';
import { WindowProvenance } from '../editor/windowProvenance';
import { Inspectors, StepTexts } from '../inspector/inspectors';
import { ModelService } from '../models/modelService';
import { sidebarDraft } from '../panel/draft';
import { revealSidebar } from '../panel/panelOutlet';
import { PanelPlace, type PlaceWindow } from '../panel/panelPlace';
import { Places } from '../panel/places';
import { SessionTabs } from '../panel/sessionTabs';
import type { TaskStart } from '../panel/taskStart';
import { takeForgotten } from '../panel/waitingTask';
import { ProvenanceView } from '../provenance/provenanceView';
import type { ReviewParts } from '../review/changeLists';
import { WindowReview } from '../review/windowReview';
import { PinnedSessions } from '../sessions/pinnedSessions';
import { NextMode, NextPlace, NextTaskFacts } from '../sessions/nextTask';
import { OpenSessions } from '../sessions/openSessions';
import { sessionStorage } from '../sessions/sessionFolders';
import type { ShownSession } from '../sessions/shownSession';
import { Teaching } from '../skills/teaching';
import { Attention } from './attention';
import { registerProblemActions } from './problemActions';
import { SandboxState } from './sandboxState';
import { SessionWatch } from './sessionWatch';
import type { WindowParts } from './windowParts';
import { WindowStatus, type WindowStatusParts } from './windowStatus';
import type { MessageExtras } from '../context/composing';

/** Creates and connects the parts of a window. It makes no decisions, and no part depends on it. */
export class WaymarkWindow implements PlaceWindow, vscode.Disposable {
  /** Created first, so that its cache is cleared before other listeners of setting changes read it. */
  readonly nextFacts = new NextTaskFacts();
  readonly extension: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly problems: ProblemReports;
  readonly changes = new ChangeView();
  readonly texts = new StepTexts();
  readonly inspectors = new Inspectors();
  readonly provenance: WindowProvenance;
  readonly models: ModelService;
  readonly sessions: OpenSessions;
  readonly next: NextMode;
  readonly nextPlace: NextPlace;
  readonly otherTools: OtherTools;
  readonly teaching: Teaching;
  readonly sources: KnownSources;
  readonly contextView: ContextView;
  readonly consent: Consent;
  readonly taskConsent: TaskConsent;
  readonly sandbox: SandboxState;
  readonly review: WindowReview;
  readonly sidebar: PanelPlace;
  readonly places: Places;
  readonly tabs: SessionTabs;
  readonly lines: ProvenanceView;
  readonly status: WindowStatus;
  readonly pins: PinnedSessions;
  readonly batch: WindowBatch;
  readonly attention = new Attention({
    isSeen: (session) => vscode.window.state.focused && this.places.isSeen(session.id),
    worksForAnother: (session) => this.sessions.isAtWork(session.id),
    show: async (session) => (await this.places.bring(session.id)).outlet.reveal(),
    onProblem: (problem) => this.problems.note(problem),
  });
  private readonly watch = new SessionWatch(() => this);
  private readonly listening: vscode.Disposable;
  private readonly settingWarnings = warnOfSettings();

  constructor(
    context: vscode.ExtensionContext,
    readonly output: vscode.LogOutputChannel,
    contributions: Contributions,
    conversation: WindowStatusParts['conversation'],
  ) {
    const { extensionUri, globalStorageUri, workspaceState } = context;
    this.extension = extensionUri;
    this.workspaceState = workspaceState;
    this.problems = new ProblemReports(output);
    contributions.events.onProblem = (thrown) => this.problems.note(thrown, 'A listener of another extension failed: ');
    this.provenance = new WindowProvenance(globalStorageUri, (problem) => this.problems.note(problem));
    this.models = new ModelService(context, contributions.models, {
      changed: () => this.modelChanged(),
      missing: () => this.places.current.panel.welcome(),
    });
    const storage = sessionStorage(globalStorageUri);
    this.sessions = new OpenSessions({
      storage,
      listener: this.watch,
      models: this.models,
      provenance: this.provenance,
      contributions,
    });
    const { sessions, models, changes, problems } = this;
    this.next = new NextMode(workspaceState, () => this.refresh());
    this.nextPlace = new NextPlace(
      workspaceState,
      () => vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath,
      () => this.refresh(),
    );
    this.otherTools = new OtherTools(workspaceState);
    sessions.added.add(this.otherTools);
    this.teaching = new Teaching(
      sessions,
      context,
      () => models.name,
      (thrown) => this.problems.note(thrown),
    );
    this.sources = new KnownSources(sessions.stored, this.teaching.mcp);
    this.contextView = new ContextView({ sessions, models });
    this.sandbox = new SandboxState(() => this.tellFacts());
    this.sidebar = new PanelPlace(this, {
      draft: sidebarDraft(workspaceState),
      reveal: revealSidebar,
      titleChanged: (session) => {
        if (sessions.stored.shown !== session) sessions.stored.shown = session;
      },
    });
    this.places = new Places(this.sidebar, () => this.refreshViewsBeside());
    const { places } = this;
    this.consent = new Consent({ sessions, places, changes }, workspaceState);
    this.taskConsent = new TaskConsent(workspaceState);
    this.review = new WindowReview(reviewParts(this));
    const { consent } = this;
    this.tabs = new SessionTabs({
      extension: extensionUri,
      workspaceState,
      sessions,
      places,
      problems,
      place: (kind) => new PanelPlace(this, kind),
    });
    this.lines = new ProvenanceView(this.provenance, sessions);
    this.pins = new PinnedSessions(workspaceState, () => this.status.refreshSessions());
    this.status = new WindowStatus({ sessions, places, consent, conversation, pins: this.pins });
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
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.watch.foldersChanged()),
      this.review.changes.onDidList(() =>
        this.review.postChanges((session, message) => this.places.postTo(session, message)),
      ),
      registerProblemActions(),
    );
    this.begin();
  }

  /** Returns the parts for commands: those of a place, and those of the window. */
  parts(place = this.places.current): WindowParts {
    const { sidebar, places } = this;
    const { outlet, shown, controls, composing, panel } = place;
    return {
      ...this,
      outlet,
      shown,
      controls,
      composing,
      panel,
      tasks: shown.id === undefined ? place.tasks : sidebar.tasks,
      showing: (session) => this.parts(places.placeShowing(session) ?? sidebar),
      inSidebar: () => this.parts(sidebar),
      bring: (session) => places.bring(session),
    };
  }

  /** The session in the current place. */
  get shown(): ShownSession {
    return this.places.current.shown;
  }

  /** Starts sessions if no place is given. */
  get tasks(): TaskStart {
    return this.sidebar.tasks;
  }

  async attach(place: PanelPlace, addresses: readonly string[]): Promise<void> {
    const { addFiles, droppedFiles } = await import('./entryPoints');
    await addFiles(place, droppedFiles(addresses));
  }

  async editMessage(place: PanelPlace, session: string, seq: number, text: string): Promise<boolean> {
    const { editMessage } = await import('./forkSession');
    return editMessage({ ...this.parts(place), tasks: place.tasks }, session, seq, text);
  }

  async runBestOf(place: PanelPlace, task: string, extras: MessageExtras): Promise<boolean> {
    const { runBestOf } = await import('./bestOf');
    return (await runBestOf(this.parts(place), { task, extras })) !== undefined;
  }

  async startWaiting(): Promise<void> {
    for (const { tasks } of this.places.all)
      // The panel of that place shows the reason. Other places must still start their tasks.
      await tasks.startWaiting().catch((problem: unknown) => this.problems.note(problem));
  }

  placeChanged(place: PanelPlace): void {
    const { live } = place.shown;
    // When a long session is opened in one place, open it in all places that show it.
    for (const { shown } of this.places.all)
      if (live && shown.glance?.id === live.id)
        shown.openedSession().catch((problem: unknown) => this.problems.note(problem));
    // The session that it showed before may be hidden now.
    this.sessions.closeHiddenSoon();
    if (place === this.places.current) this.refreshViewsBeside();
    else this.review.changes.refreshSoon();
  }

  makeCurrent(place: PanelPlace): void {
    this.places.makeCurrent(place);
  }

  keptFocus(place: PanelPlace): void {
    this.places.keptFocus(place);
  }

  /** Stops and records what is running. Resolves when every log is on disk. */
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
      this.contextView,
      this.sources,
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
      this.places,
      this.sidebar,
    ];
    for (const part of parts) part.dispose();
  }

  /** Shows the session that was on display when the window was closed. */
  private begin(): void {
    const { sessions, sidebar, problems } = this;
    const { panel } = sidebar;
    void takeForgotten(this.workspaceState, (tasks) =>
      panel.keepDraft([panel.draft, tasks].filter((words) => words !== '').join('\n\n')),
    );
    const last = sessions.stored.shown;
    if (last !== undefined && sessions.list().some(({ id }) => id === last)) {
      try {
        sidebar.shown.switchTo(last);
      } catch (error) {
        problems.note(error);
      }
    }
    this.refreshViewsBeside();
    // Starts processes, which takes longer than all of the above.
    setImmediate(() => this.sandbox.refresh().catch((problem: unknown) => problems.note(problem)));
    sweepWorktrees().catch((problem: unknown) => problems.note(problem));
  }

  private async modelChanged(): Promise<void> {
    this.tellFacts();
    if (this.models.current) return;
    for (const { shown, panel } of this.places.all) if (shown.id === undefined) await panel.welcome();
  }

  /** Updates the views beside the panel, which show the state of the current place. */
  private refreshViewsBeside(): void {
    this.status.refresh();
    this.teaching.mcp.showDeferred(
      settingsOf(this.places.current.shown.live?.conversation.savedHistory ?? [])?.addedTools,
    );
    this.review.changes.refreshSoon();
  }

  private refresh(): void {
    this.tellFacts();
    this.status.refresh();
  }

  private tellFacts(): void {
    for (const { channel } of this.places.all) channel.changed();
  }
}

/** Returns what the review needs: the session in the current place, and the checkpoints of all sessions. */
function reviewParts({ places, sessions, workspaceState, problems }: WaymarkWindow): ReviewParts {
  return {
    shown: () => places.current.shown.openedSession(),
    get live() {
      return places.current.shown.live;
    },
    visibleSessions: () => places.visible,
    logOf: (session) => sessions.stored.logOf(session),
    store: sessions.checkpoints,
    workspaceState,
    runs: () => sessions.all.flatMap(({ id }) => sessions.environmentOf(id)?.checkpoints ?? []),
    onProblem: (problem) => problems.note(problem),
  };
}

/** Removes incomplete worktrees of killed windows, and old ones without pending changes. */
async function sweepWorktrees(): Promise<void> {
  const worktrees = await import('../../adapters/sessions/worktrees');
  await worktrees.sweepWorktrees();
}
