import * as vscode from 'vscode';
import { checkpointStore, type CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import { diskMemory } from '../../adapters/files/diskMemory';
import type { OpenedLog } from '../../adapters/log/eventLog';
import { inTurns } from '../../adapters/log/pieces';
import { learnDotenv } from '../../adapters/secrets/dotenvSecrets';
import { pastSessions } from '../../adapters/sessions/pastSessions';
import { longLog, Sessions, type SessionSummary } from '../../adapters/sessions/sessions';
import type { AgentEnvironment } from '../../core/ports/addedTools';
import type { Model } from '../../core/ports/model';
import { ToolSources } from '../../core/tools/toolSources';
import type { NewEvent } from '../../protocol/events/event';
import { turn } from '../common/turn';
import { contributedTools } from '../contributed/contributedTools';
import type { Contributions } from '../contributed/contributions';
import type { WindowProvenance } from '../editor/windowProvenance';
import { WindowHooks } from '../hooks/windowHooks';
import { WorkspaceSkills } from '../skills/workspaceSkills';
import { controlFromOutside } from './controlFromOutside';
import { createSession, type CreatedSession, type NamedModels, type SharedParts } from './createSession';
import { glanceAt, type Glance } from './glance';
import type { LiveSession, SessionWork } from './liveSession';
import { factsOfNext } from './nextTask';
import type { SessionEnvironment } from './sessionEnvironment';
import { checkpointFolder, foldersHere } from './sessionFolders';
import { sessionFacts } from './sessionFacts';
import { sessionListener, type WindowListener } from './windowListener';

/** Models for the sessions of a window. */
export interface SessionModels extends NamedModels {
  /** Returns the chosen model. Without one, offers the available models and returns undefined. */
  required(): Promise<Model | undefined>;
}

interface OpenSession extends CreatedSession {
  /** Undefined for a read-only session. */
  readonly control: vscode.Disposable | undefined;
}

/** The open sessions of this window. A session keeps running when another one is shown. */
export class OpenSessions implements vscode.Disposable {
  readonly stored: Sessions;
  readonly skills: WorkspaceSkills;
  readonly hooks: WindowHooks;
  /** Tools of MCP servers and other extensions. */
  readonly added = new ToolSources();
  /** Copies of files as they were before actions, for all sessions of the user. */
  readonly checkpoints: CheckpointStore;
  /** True while the window is closing. Sessions that this interrupts can be resumed. */
  closing = false;
  private readonly notes: string;
  private readonly shared: SharedParts;
  /** IDs of sub-agent sessions that have not reported to their parent. */
  private readonly working = new Set<string>();
  private readonly open = new Map<string, OpenSession>();
  /** Sessions whose long logs are being read. */
  private readonly opening = new Map<string, Promise<LiveSession>>();

  /** `storage`: the folder for data that outlives the window. `provenance` records what actions do to files. */
  constructor(
    storage: vscode.Uri,
    private readonly listener: WindowListener,
    private readonly models: SessionModels,
    provenance: WindowProvenance,
    private readonly contributions: Contributions,
  ) {
    this.stored = new Sessions(vscode.Uri.joinPath(storage, 'sessions').fsPath, () => listener.onListed());
    const contributed = contributedTools(contributions.tools);
    this.added.add({ tools: () => (vscode.workspace.isTrusted ? contributed.tools() : []) });
    this.checkpoints = checkpointStore(checkpointFolder(storage).fsPath);
    this.notes = vscode.Uri.joinPath(storage, 'memory').fsPath;
    this.skills = new WorkspaceSkills(vscode.Uri.joinPath(storage, 'skills').fsPath, contributions.skills, (words) =>
      listener.onProblem(words),
    );
    this.hooks = new WindowHooks(vscode.Uri.joinPath(storage, 'hooks').fsPath);
    const { stored, hooks, checkpoints } = this;
    this.shared = {
      sessions: this,
      stored,
      hooks,
      checkpoints,
      memory: { provenance, answeringServices: new Map() },
      models,
      listener: sessionListener({
        window: listener,
        events: contributions.events,
        checkpoints,
        environmentOf: (id) => this.environmentOf(id),
      }),
      storesFor: (id, cwd) => this.storesFor(id, cwd),
    };
  }

  get all(): LiveSession[] {
    return [...this.open.values()].map(({ session }) => session);
  }

  get(id: string): LiveSession | undefined {
    return this.open.get(id)?.session;
  }

  environmentOf(id: string): SessionEnvironment | undefined {
    return this.open.get(id)?.environment;
  }

  /** Calls `onMoved` whenever a session may have become idle, and when it is closed. */
  watch(id: string, onMoved: () => void): { dispose(): void } {
    return this.contributions.events.watch(id, onMoved);
  }

  list(): SessionSummary[] {
    return this.stored.list();
  }

  /** Returns an unused ID. Several sessions can start within one second. */
  newId(): string {
    let id = this.stored.newId();
    while (this.open.has(id)) id = this.stored.newId();
    return id;
  }

  /** True for a sub-agent session that has not reported to its parent. */
  isAtWork(id: string): boolean {
    return this.working.has(id);
  }

  /** Gives a session the chosen model. Without one, offers the available models and returns false. */
  async useChosenModel(session: LiveSession): Promise<boolean> {
    // Its parent chose its model.
    if (this.isAtWork(session.id)) return true;
    const model = await this.models.required();
    if (model) session.useModel(model);
    return model !== undefined;
  }

  /**
   * Opens a new session, or one with a short log. Throws an `Error` with a message for people if no folder is open or
   * the log cannot be read. `work`: set for a sub-agent session. `root`: the workspace folder of a new session, by
   * default the first. `worktree`: the folder outside the workspace in which it works.
   */
  openSession(
    id = this.newId(),
    { work, root, worktree }: { readonly work?: SessionWork; readonly root?: string; readonly worktree?: string } = {},
  ): LiveSession {
    const known = this.get(id);
    if (known) return known;
    return this.begin(id, worktree === undefined ? foldersHere(root) : [worktree], this.stored.open(id), work);
  }

  /** Opens any session. Reads a long log in pieces, with pauses. Rejects when `openSession` throws. */
  async openStored(id: string): Promise<LiveSession> {
    const known = this.get(id) ?? this.opening.get(id);
    if (known || this.stored.sizeOf(id) <= longLog) return known ?? this.openSession(id);
    const opening = this.openLong(id).finally(() => this.opening.delete(id));
    this.opening.set(id, opening);
    return opening;
  }

  private async openLong(id: string): Promise<LiveSession> {
    const folders = foldersHere();
    learnDotenv(folders); // secrets to mask in the log
    const log = await vscode.window.withProgress({ location: { viewId: 'waymark.conversation' } }, () =>
      this.stored.openInTurns(id),
    );
    await turn();
    if (!this.closing) {
      const session = this.begin(id, folders, log);
      await turn();
      // Otherwise the first view of the session would compute everything without a pause.
      await inTurns(session.conversation.readAhead());
      return session;
    }
    await log.store?.close();
    throw new Error(vscode.l10n.t('The window is closing.'));
  }

  private begin(id: string, folders: readonly string[], log: OpenedLog, work?: SessionWork): LiveSession {
    const created = createSession(id, folders, log, work, this.shared);
    this.open.set(id, { ...created, control: this.controlOf(created.session) });
    if (work) this.working.add(id);
    return created.session;
  }

  /** Lets other programs of the user control a session. Returns undefined for a read-only session. */
  private controlOf(session: LiveSession): vscode.Disposable | undefined {
    if (session.logFile === undefined) return undefined;
    const { listener } = this;
    return controlFromOutside(session, session.logFile, {
      all: () => this.all,
      useChosenModel: (one) => this.useChosenModel(one),
      onProblem: (thrown) => listener.onProblem(thrown),
    });
  }

  /** Closes a sub-agent session that has reported to its parent, unless it is visible. */
  async release(id: string): Promise<void> {
    const session = this.get(id);
    this.working.delete(id);
    if (!session) return;
    this.remember(session);
    if (!this.listener.isShown(id)) await this.close(id);
  }

  async close(id: string): Promise<void> {
    await this.opening.get(id)?.catch(() => undefined);
    const entry = this.open.get(id);
    // Its parent is informed that it ended.
    if (this.working.delete(id) && !this.closing) await entry?.session.stop('This session was closed.');
    this.open.delete(id);
    entry?.control?.dispose();
    await entry?.session.close();
    if (entry) this.remember(entry.session);
    this.contributions.events.moved(id);
  }

  /** Deletes a session with its sub-agent sessions and its worktree. */
  async delete(id: string): Promise<void> {
    await this.close(id);
    for (const child of this.list()) if (child.parent === id) await this.delete(child.id);
    const { listWorktrees, removeWorktree } = await import('../../adapters/sessions/worktrees');
    const log = this.stored.logOf(id);
    // First, because it throws if another window has the session open: its agent may be working in the worktree.
    this.stored.delete(id);
    for (const worktree of listWorktrees().filter((each) => each.log === log)) removeWorktree(worktree.id);
  }

  /** Appends an event to a session, which need not be open here. Rejects if another window has it open. */
  async note(id: string, event: NewEvent): Promise<void> {
    const opened = this.get(id) ?? this.opening.get(id);
    const session = await (opened ?? this.openStored(id));
    try {
      if (session.problem) throw new Error(session.problem);
      session.conversation.append(event);
      await session.durable();
      this.remember(session);
    } finally {
      if (!opened) await this.close(id);
    }
  }

  /** Starts a session that continues the intact part of a damaged log, and returns its ID. */
  async salvage({ id, intactCount = 0 }: LiveSession): Promise<string> {
    const { id: fresh, store } = await this.stored.fork(id, intactCount - 1);
    await store.close();
    return fresh;
  }

  /** Updates the list without reading logs, and the facts saved beside a long log. */
  remember(session: LiveSession): void {
    const { id, savedPosition } = session;
    const history = session.conversation.savedHistory;
    if (!savedPosition) return;
    this.stored.remember(id, history, savedPosition, this.open.has(id));
    if (savedPosition.size > longLog && history.length > 0)
      this.stored.keepFacts(id, savedPosition, sessionFacts(session, factsOfNext()));
  }

  /** Returns a view of a long session without reading its whole log. Returns undefined if it must be opened. */
  glance(id: string): Glance | undefined {
    if (this.get(id) || this.stored.sizeOf(id) <= longLog) return undefined;
    return glanceAt(this.stored, id);
  }

  async closeAll(): Promise<void> {
    this.closing = true;
    await Promise.allSettled([
      ...[...this.open.keys(), ...this.opening.keys()].map((id) => this.close(id)),
      this.added.stop(),
    ]);
  }

  dispose(): void {
    this.skills.dispose();
    this.hooks.dispose();
    void this.closeAll();
  }

  /** Returns what a session in the folder `cwd` knows beyond its log: memory, past sessions, skills and added tools. */
  storesFor(id: string, cwd: string): Pick<AgentEnvironment, 'memory' | 'pastSessions' | 'skills' | 'added'> {
    const { files: skills } = this.skills;
    return {
      ...(skills && { skills }),
      added: this.added,
      memory: diskMemory(this.notes),
      pastSessions: pastSessions({ sessions: this.stored, cwd, except: id }),
    };
  }
}
