import * as vscode from 'vscode';
import { checkpointStore, type CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import { diskMemory } from '../../adapters/files/diskMemory';
import type { OpenedLog } from '../../adapters/log/eventLog';
import { followLog, type LogFollower } from '../../adapters/log/followLog';
import { inTurns } from '../../adapters/log/pieces';
import { learnDotenv } from '../../adapters/secrets/dotenvSecrets';
import { pastSessions } from '../../adapters/sessions/pastSessions';
import { canonicalFolder } from '../../adapters/storage/canonicalFolder';
import { longLog, Sessions, type SessionSummary } from '../../adapters/sessions/sessions';
import { statusOf } from '../../core/log/status';
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
import { glanceAt, whileLoading, type Glance } from './glance';
import type { LiveSession, SessionWork } from './liveSession';
import { nextTaskFacts } from './nextTask';
import type { SessionEnvironment } from './sessionEnvironment';
import { checkpointsIn, foldersHere } from './sessionFolders';
import { sessionFacts } from './sessionFacts';
import { sessionListener, type WindowListener } from './windowListener';

/** Models for the sessions of a window. */
interface SessionModels extends NamedModels {
  /** Returns the chosen model. Without one, offers the available models and returns undefined. */
  requireModel(): Promise<Model | undefined>;
}

interface OpenSession extends CreatedSession {
  /** Undefined for a read-only session. */
  readonly control: vscode.Disposable | undefined;
  /** Stops following the log. Undefined if no other process writes it. */
  readonly unfollow: (() => void) | undefined;
}

/** Number of idle sessions that stay open, with their shell and log, while no place shows them. */
const maxHidden = 4;

interface OpenSessionsParts {
  /** The folder for data that outlives the window. */
  readonly storage: vscode.Uri;
  readonly listener: WindowListener;
  readonly models: SessionModels;
  /** Records what actions do to files. */
  readonly provenance: WindowProvenance;
  readonly contributions: Contributions;
}

/**
 * The open sessions of this window. A session keeps running when another one is shown. Of idle sessions that no place
 * shows, only the most recently used stay open: an open one keeps its log in memory and a shell with its sandbox.
 */
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
  private readonly listener: WindowListener;
  private readonly models: SessionModels;
  private readonly contributions: Contributions;
  private readonly notes: string;
  private readonly shared: SharedParts;
  /** IDs of sub-agent sessions that have not reported to their parent. */
  private readonly working = new Set<string>();
  /** Least recently used first. */
  private readonly open = new Map<string, OpenSession>();
  /** Sessions whose long logs are being read. */
  private readonly opening = new Map<string, Promise<LiveSession>>();
  /** Sessions that are ending their shell and releasing their log. */
  private readonly ending = new Map<string, Promise<void>>();
  /** Set while `closeHidden` is due. */
  private closingHidden: NodeJS.Immediate | undefined;
  /** Number of holders of each session that `keepOpen` holds. */
  private readonly holderCounts = new Map<string, number>();

  constructor({ storage, listener, models, provenance, contributions }: OpenSessionsParts) {
    this.listener = listener;
    this.models = models;
    this.contributions = contributions;
    this.stored = new Sessions(vscode.Uri.joinPath(storage, 'sessions').fsPath, () => listener.onListed());
    const contributed = contributedTools(contributions.tools);
    this.added.add({ tools: () => (vscode.workspace.isTrusted ? contributed.tools() : []) });
    this.checkpoints = checkpointStore(checkpointsIn(storage).fsPath);
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
    const model = await this.models.requireModel();
    if (model) session.useModel(model);
    return model !== undefined;
  }

  /**
   * Opens a new session, or one with a short log that `glance` does not view. Throws an `Error` with a message for
   * people if no folder is open or the log cannot be read. `work`: set for a sub-agent session. `root`: the workspace
   * folder of a new session, by default the first. `worktree`: the folder outside the workspace in which it works.
   */
  openSession(
    id = this.newId(),
    { work, root, worktree }: { readonly work?: SessionWork; readonly root?: string; readonly worktree?: string } = {},
  ): LiveSession {
    const known = this.use(id);
    if (known) return known;
    return this.begin(id, worktree === undefined ? foldersHere(root) : [worktree], this.stored.open(id), work);
  }

  /**
   * Opens any session. Reads a long log in pieces, with pauses. Rejects when `openSession` throws, and if the window is
   * closing.
   */
  async openStored(id: string): Promise<LiveSession> {
    await this.ending.get(id)?.catch(() => undefined);
    const known = this.use(id) ?? this.opening.get(id);
    if (known) return known;
    if (this.closing) throw windowIsClosing();
    if (this.stored.sizeOf(id) <= longLog) return this.openSession(id);
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
    throw windowIsClosing();
  }

  private begin(id: string, folders: readonly string[], opened: OpenedLog, work?: SessionWork): LiveSession {
    const log = opened.elsewhere ? { ...opened, problem: elsewhereWords(opened.elsewhere.holder) } : opened;
    const created = createSession({ id, all: folders, log, work }, this.shared);
    const { session } = created;
    const unfollow = log.elsewhere && followLog(log.elsewhere, this.followerOf(session));
    this.open.set(id, { ...created, control: this.controlOf(session), unfollow });
    if (work) this.working.add(id);
    this.closeHiddenSoon();
    return session;
  }

  /** Shows what another process does in a session. */
  private followerOf(session: LiveSession): LogFollower {
    return {
      onEvent: (event) => session.conversation.adopt(event),
      onEnd: () => {
        if (this.get(session.id) === session) this.listener.onReleased(session);
      },
    };
  }

  /** Returns an open session, as the most recently used one. */
  private use(id: string): LiveSession | undefined {
    const entry = this.open.get(id);
    if (!entry) return undefined;
    this.open.delete(id);
    this.open.set(id, entry);
    return entry.session;
  }

  /** Prevents a session that is idle and not visible from being closed until the result is disposed. */
  keepOpen(id: string): vscode.Disposable {
    const { holderCounts } = this;
    holderCounts.set(id, (holderCounts.get(id) ?? 0) + 1);
    let isHeld = true;
    return new vscode.Disposable(() => {
      if (!isHeld) return;
      isHeld = false;
      const rest = holderCounts.get(id)! - 1;
      if (rest > 0) holderCounts.set(id, rest);
      else holderCounts.delete(id);
      this.closeHiddenSoon();
    });
  }

  /** Called when a session may have become unneeded: another one was opened, it is hidden, or its run has ended. */
  closeHiddenSoon(): void {
    this.closingHidden ??= setImmediate(() => {
      this.closingHidden = undefined;
      this.closeHidden().catch((problem: unknown) => this.listener.onProblem(problem));
    });
  }

  /** Closes the sessions that nobody needs, except the last few and those with processes. */
  private async closeHidden(): Promise<void> {
    for (const entry of this.unneeded) {
      if (this.closing || (await entry.environment.processes()) > 0) continue;
      // It may have been shown or used meanwhile.
      if (this.unneeded.includes(entry)) await this.close(entry.session.id);
    }
  }

  /** The open sessions that nobody needs, except the most recently used. */
  private get unneeded(): readonly OpenSession[] {
    const unneeded = [...this.open.values()].filter((entry) => this.isUnneeded(entry));
    // One that another process writes has nothing to keep, and is not followed while nobody sees it.
    const [followed, own] = [unneeded.filter(({ unfollow }) => unfollow), unneeded.filter(({ unfollow }) => !unfollow)];
    return [...followed, ...own.slice(0, -maxHidden)];
  }

  /** True if closing the session loses nothing that the user or the window waits for, except variables of its shell. */
  private isUnneeded({ session }: OpenSession): boolean {
    const { id, conversation } = session;
    if (this.listener.isShown(id) || this.holderCounts.has(id) || this.contributions.events.isWatched(id)) return false;
    if (this.working.has(id) || this.all.some((each) => this.working.has(each.id) && each.family === id)) return false;
    // Another window writes its log, or nobody can.
    if (!session.writable) return true;
    if (session.saveProblem !== undefined) return false;
    // "ready" without running: its run was cut off, and the log has all that is needed to resume it.
    const isIdle = ['idle', 'finished', 'paused', 'ready'].includes(statusOf(conversation.savedHistory));
    return isIdle && !conversation.running && conversation.waiting.length === 0;
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
    if (this.opening.has(id)) await this.opening.get(id)!.catch(() => undefined);
    // Its parent is informed that it ended.
    if (this.working.delete(id) && !this.closing) await this.get(id)?.stop('This session was closed.');
    const entry = this.open.get(id);
    if (!entry) return this.ending.get(id);
    this.open.delete(id);
    const ended = this.end(entry).finally(() => this.ending.delete(id));
    this.ending.set(id, ended);
    await ended;
  }

  private async end({ session, control, unfollow }: OpenSession): Promise<void> {
    control?.dispose();
    unfollow?.();
    try {
      await session.close();
      this.remember(session);
    } finally {
      this.contributions.events.notifyWatchers(session.id);
    }
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
      if (!opened && !this.listener.isShown(id)) await this.close(id);
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
    this.stored.remember(id, history, savedPosition, { open: this.open.has(id) });
    if (savedPosition.size > longLog && history.length > 0)
      this.stored.keepFacts(id, savedPosition, sessionFacts(session, nextTaskFacts()));
  }

  /**
   * Returns a view of a session that cannot be opened at once: its log is long or still held by the session that is
   * being closed. Returns undefined if it must be opened.
   */
  glance(id: string): Glance | undefined {
    if (this.ending.has(id)) return whileLoading(glanceAt(this.stored, id));
    if (this.get(id) || this.stored.sizeOf(id) <= longLog) return undefined;
    return glanceAt(this.stored, id);
  }

  async closeAll(): Promise<void> {
    this.closing = true;
    await Promise.allSettled([
      ...[...this.open.keys(), ...this.opening.keys(), ...this.ending.keys()].map((id) => this.close(id)),
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
      pastSessions: pastSessions({ sessions: this.stored, cwd: canonicalFolder(cwd), except: id }),
    };
  }
}

const elsewhereWords = (holder: string | undefined): string =>
  holder === undefined
    ? vscode.l10n.t(
        'This session is open in another window or terminal. You see here what it does. Reply, approve and stop there.',
      )
    : vscode.l10n.t(
        'This session is open in another window or terminal ({0}). You see here what it does. Reply, approve and stop there.',
        holder,
      );

const windowIsClosing = (): Error => new Error(vscode.l10n.t('The window is closing.'));
