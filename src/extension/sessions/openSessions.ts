import { checkpointStore, type CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskMemory } from '../../adapters/files/diskMemory';
import { sweepDrafts } from '../../adapters/files/drafts';
import { pastSessions } from '../../adapters/sessions/pastSessions';
import { learnDotenv } from '../../adapters/secrets/dotenvSecrets';
import type { OpenedLog } from '../../adapters/log/eventLog';
import { inTurns } from '../../adapters/log/pieces';
import { longLog, Sessions, type SessionSummary } from '../../adapters/sessions/sessions';
import { childrenOf } from '../../core/session/childRuns';
import { begunActions, startedActions, settingsOf, statusOf, type History } from '../../core/log/history';
import { warning, type Warn } from '../../core/log/warning';
import type { Model } from '../../core/ports/model';
import type { Children } from '../../core/ports/children';
import type { Environment } from '../../core/ports/environment';
import { ToolSources } from '../../core/tools/toolSources';
import type { NewEvent, Worktree } from '../../protocol/events/event';
import { contributedTools } from '../contributed/contributedTools';
import type { Contributions } from '../contributed/contributions';
import { surroundingsOf } from '../../adapters/sessions/surroundings';
import { isInWorktrees } from '../../adapters/storage/stateFolder';
import { childSessions } from './childSessions';
import { controlFromOutside } from './controlFromOutside';
import { glanceAt, type Glance } from './glance';
import { factsOfNext } from './nextTask';
import { LiveSession, type SessionListener, type SessionWork } from './liveSession';
import { ownProfile, ownSampling } from './ownProfile';
import type { WindowProvenance } from '../editor/windowProvenance';
import {
  sessionEnvironment,
  withHookProcesses,
  type SessionEnvironment,
  type WindowMemory,
} from './sessionEnvironment';
import { readSetting, readSettings, type Settings } from '../common/settings';
import { checkpointFolder, foldersHere, startingWith } from './sessionFolders';
import { WindowHooks } from '../hooks/windowHooks';
import { WorkspaceSkills } from '../skills/workspaceSkills';
import { saveTrajectory } from '../../adapters/sessions/savedTrajectories';

export interface WindowListener extends Omit<SessionListener, 'onUnkept'> {
  /** The list of sessions says more than when it was asked. */
  onListed(): void;
  /** Whether a session is looked at. */
  isShown(id: string): boolean;
  /** For the output channel: what other extensions gave could not be used. */
  onProblem(thrown: unknown): void;
}

/** Models for the sessions of a window. All reject with an `Error` in words. */
export interface SessionModels {
  /** The chosen one; undefined, after models were offered, while none is. */
  required(): Promise<Model | undefined>;
  /** Another one that a person set, by "name" or "address name". */
  named(text: string): Promise<Model>;
  /** One that a file or a model asks for, never by an address. */
  byName(name: string): Promise<Model>;
}

interface OpenSession {
  readonly session: LiveSession;
  readonly environment: SessionEnvironment;
  /** Absent where it can only be read. */
  readonly control: vscode.Disposable | undefined;
}

/** What a worktree begins with. `root`: the workspace folder, where that is not the first. */
export interface WorktreeChoice {
  readonly uncommitted: boolean;
  readonly root?: string;
  /** What its result is compared with, where several work on one task. */
  readonly group?: string;
}

export interface SessionInWorktree {
  readonly session: LiveSession;
  readonly worktree: Worktree;
  /** What the person should know, in words. */
  readonly notes: readonly string[];
  /** Closes the session and removes the worktree, where its task could not begin. */
  drop(): Promise<void>;
}

/** A session whose worktree was removed can only be read: nothing of it would be where its log says. */
function withoutWorktree(log: OpenedLog): OpenedLog {
  const { store, ...rest } = log;
  void store?.close();
  const problem = vscode.l10n.t("This session's worktree was deleted, so the session is read-only.");
  return { ...rest, problem: log.problem ?? problem };
}

/** The sessions that this window has open. Each goes on working when another is shown. */
export class OpenSessions implements vscode.Disposable {
  readonly stored: Sessions;
  readonly skills: WorkspaceSkills;
  readonly hooks: WindowHooks;
  /** What MCP servers and other extensions give. */
  readonly added = new ToolSources();
  /** Copies of files from before the actions of all sessions of this person. */
  readonly checkpoints: CheckpointStore;
  private readonly notes: string;
  private readonly memory: WindowMemory;
  /** The window goes: what is interrupted now can be gone on with later. */
  closing = false;
  /** Those that another session waits for. */
  private readonly working = new Set<string>();
  private readonly open = new Map<string, OpenSession>();
  /** Long ones, while they are read. */
  private readonly opening = new Map<string, Promise<LiveSession>>();

  /** `storage`: holds what outlives the window. `provenance` keeps what actions do to files. */
  constructor(
    storage: vscode.Uri,
    private readonly listener: WindowListener,
    private readonly models: SessionModels,
    provenance: WindowProvenance,
    private readonly given: Contributions,
  ) {
    this.stored = new Sessions(vscode.Uri.joinPath(storage, 'sessions').fsPath, () => listener.onListed());
    const contributed = contributedTools(given.tools);
    this.added.add({ tools: () => (vscode.workspace.isTrusted ? contributed.tools() : []) });
    this.memory = { provenance, answeringServices: new Map() };
    this.checkpoints = checkpointStore(checkpointFolder(storage).fsPath);
    this.notes = vscode.Uri.joinPath(storage, 'memory').fsPath;
    this.skills = new WorkspaceSkills(vscode.Uri.joinPath(storage, 'skills').fsPath, given.skills, (words) =>
      listener.onProblem(words),
    );
    this.hooks = new WindowHooks(vscode.Uri.joinPath(storage, 'hooks').fsPath);
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

  /** Calls `onMoved` whenever a session may have come to rest, or was closed. */
  watch(id: string, onMoved: () => void): { dispose(): void } {
    return this.given.events.watch(id, onMoved);
  }

  list(): SessionSummary[] {
    return this.stored.list();
  }

  /** Whether another session waits for what this one comes to. */
  isAtWork(id: string): boolean {
    return this.working.has(id);
  }

  /** Gives a session the model that is chosen. False, after models were offered, while none is. */
  async useChosenModel(session: LiveSession): Promise<boolean> {
    // Whoever began it chose its model.
    if (this.isAtWork(session.id)) return true;
    const model = await this.models.required();
    if (model) session.useModel(model);
    return model !== undefined;
  }

  /**
   * A new session, or a short one. Throws an `Error` in words for the person without a folder, or when
   * the log cannot be read. `work`: it works for another session. `root`: the workspace folder that a new
   * one begins in, where that is not the first. `worktree`: the folder outside of the workspace that it works in.
   */
  openSession(
    id = this.freeId(),
    { work, root, worktree }: { readonly work?: SessionWork; readonly root?: string; readonly worktree?: string } = {},
  ): LiveSession {
    const known = this.get(id);
    if (known) return known;
    return this.begin(id, worktree === undefined ? foldersHere(root) : [worktree], this.stored.open(id), work);
  }

  /** Opens a new session in a worktree that is made for it. Rejects with an `Error` in words. */
  async openInWorktree(task: string, { uncommitted, root, group }: WorktreeChoice): Promise<SessionInWorktree> {
    const [folder] = foldersHere(root);
    const id = this.freeId();
    const [{ makeWorktree }, { removeWorktree, useWorktree }] = await Promise.all([
      import('../../adapters/sessions/worktree'),
      import('../../adapters/sessions/worktrees'),
    ]);
    const made = await makeWorktree({
      folder: folder!,
      session: id,
      log: this.stored.logOf(id),
      task,
      uncommitted,
      ...(group !== undefined && { group }),
    });
    const drop = async (): Promise<void> => {
      await this.close(id);
      removeWorktree(made.id);
    };
    try {
      await this.hooks.agreeAsIn(folder!, made.root);
      const session = this.openSession(id, { worktree: made.root });
      useWorktree(made.id);
      return { session, worktree: made.worktree, notes: made.notes, drop };
    } catch (error) {
      await drop();
      throw error;
    }
  }

  /** Takes away worktrees that killed windows left, and those in which nothing waits any more. */
  async sweepWorktrees(): Promise<void> {
    const { sweepWorktrees } = await import('../../adapters/sessions/worktrees');
    await sweepWorktrees();
  }

  /** Any session. A long log is read in turns with everything else that goes on. Rejects as `openSession` throws. */
  async openStored(id: string): Promise<LiveSession> {
    const known = this.get(id) ?? this.opening.get(id);
    if (known || this.stored.sizeOf(id) <= longLog) return known ?? this.openSession(id);
    const opening = this.openLong(id).finally(() => this.opening.delete(id));
    this.opening.set(id, opening);
    return opening;
  }

  private async openLong(id: string): Promise<LiveSession> {
    const folders = foldersHere();
    learnDotenv(folders); // what is masked in the log
    const log = await vscode.window.withProgress({ location: { viewId: 'waymark.conversation' } }, () =>
      this.stored.openInTurns(id),
    );
    if (!this.closing) {
      const session = this.begin(id, folders, log);
      // What is shown of it would be found out in one piece otherwise.
      await inTurns(session.conversation.readAhead());
      return session;
    }
    await log.store?.close();
    throw new Error(vscode.l10n.t('The window is closing.'));
  }

  /** Opens the session of a log; a session goes on in the folder that it began in. */
  private begin(id: string, all: readonly string[], log: OpenedLog, work?: SessionWork): LiveSession {
    const started = log.events.find((event) => event.type === 'task_started');
    const isGone = started?.worktree !== undefined && !fs.existsSync(started.cwd);
    if (isGone) log = withoutWorktree(log);
    const worksInWorktree = started?.worktree !== undefined && isInWorktrees(started.cwd);
    const folders = worksInWorktree ? [started.cwd] : startingWith(started?.cwd, all);
    // A window that died while it acted may have died while it wrote a file.
    if (startedActions(log.events).length > 0) void sweepDrafts(folders);
    const settings = readSettings();
    const trusted = vscode.workspace.isTrusted;
    const hooks = trusted ? this.hooks.of(id, folders[0]!, settings) : undefined;
    const warn: Warn = (...told) => void session.conversation.append(warning(...told));
    const environment = withHookProcesses(this.environmentFor(id, folders, settings, warn, log.events, work), hooks);
    const session: LiveSession = new LiveSession({
      id,
      log,
      environment,
      trusted,
      children: this.childrenFor(id, () => session),
      ...(hooks && { hooks }),
      ...(work && { work }),
      listener: this.listening,
      customToolsets: settings.customToolsets,
      profileOf: (name) => ownProfile(name, environment.root),
      samplingOf: () => ownSampling((text) => this.models.named(text)),
      surroundings: surroundingsOf({
        root: environment.root,
        otherFolders: folders.slice(1),
        shell: settings.shell || vscode.env.shell || 'sh',
        mayAct: trusted,
      }),
    });
    this.open.set(id, { session, environment, control: this.controlOf(session) });
    if (work) this.working.add(id);
    return session;
  }

  /** What the tools of a session act on. */
  private environmentFor(
    id: string,
    folders: readonly string[],
    settings: Settings,
    warn: Warn,
    events: History,
    { family = id, workFor }: Partial<SessionWork> = {},
  ): SessionEnvironment {
    return sessionEnvironment(
      id,
      folders,
      this.stored.outputsOf(id),
      settings,
      this.storesFor(id, folders[0]!),
      warn,
      this.memory,
      {
        log: this.stored.logOf(id),
        store: this.checkpoints,
        family,
        familyLog: this.stored.logOf(family),
        workFor,
        begun: begunActions(events),
      },
    );
  }

  /** The sessions that work for a session. */
  private childrenFor(id: string, parent: () => LiveSession): Children {
    const open = childSessions(this, parent, (name) => this.models.byName(name));
    return childrenOf(
      {
        session: id,
        history: () => parent().conversation.history,
        onDelta: (delta) => parent().tell(delta),
      },
      open,
    );
  }

  /** Lets another program of this person control it; undefined where it can only be read. */
  private controlOf(session: LiveSession): vscode.Disposable | undefined {
    if (session.logFile === undefined) return undefined;
    const { listener } = this;
    return controlFromOutside(session, session.logFile, {
      all: () => this.all,
      useChosenModel: (one) => this.useChosenModel(one),
      onProblem: (thrown) => listener.onProblem(thrown),
    });
  }

  /** It has reported to the session that it worked for. While it is looked at it stays open. */
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
    // Whoever waits for it hears that it ended.
    if (this.working.delete(id) && !this.closing) await entry?.session.stop('This session was closed.');
    this.open.delete(id);
    entry?.control?.dispose();
    await entry?.session.close();
    if (entry) this.remember(entry.session);
    this.given.events.moved(id);
  }

  /** Those that worked for it go with it. */
  async delete(id: string): Promise<void> {
    await this.close(id);
    for (const child of this.list()) if (child.parent === id) await this.delete(child.id);
    const { listWorktrees, removeWorktree } = await import('../../adapters/sessions/worktrees');
    const log = this.stored.logOf(id);
    // First: it refuses where another window has the session, whose agent may be at work in the worktree.
    this.stored.delete(id);
    for (const worktree of listWorktrees().filter((each) => each.log === log)) removeWorktree(worktree.id);
  }

  /** Appends to a session whether or not it is open here. Throws when another window holds it. */
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

  /** Begins a session that continues the intact part of a read-only one. */
  async salvage({ id, sound = 0 }: LiveSession): Promise<string> {
    const { id: fresh, store } = await this.stored.fork(id, sound - 1);
    await store.close();
    return fresh;
  }

  /** Updates the list without reading logs, and the facts stored beside a long log. */
  remember(session: LiveSession): void {
    const { id, stand } = session;
    const history = session.conversation.savedHistory;
    if (!stand) return;
    this.stored.remember(id, history, stand, this.open.has(id));
    if (stand.size > longLog && history.length > 0) this.stored.keepFacts(id, stand, session.facts(factsOfNext()));
  }

  /** What a long session shows at once, without reading it whole; undefined where it has to be opened. */
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

  /** What outlives sessions: notes, what was said in other sessions of this folder, and what the folder teaches. */
  storesFor(id: string, cwd: string): Pick<Environment, 'memory' | 'pastSessions' | 'skills' | 'added'> {
    const { files: skills } = this.skills;
    return {
      ...(skills && { skills }),
      added: this.added,
      memory: diskMemory(this.notes),
      pastSessions: pastSessions({ sessions: this.stored, cwd, except: id }),
    };
  }

  /** The window first, then whoever of other extensions listens. */
  private readonly listening: SessionListener = {
    onEvent: (session, event) => {
      this.listener.onEvent(session, event);
      this.given.events.tell(session.id, event);
    },
    onDelta: (session, delta) => this.listener.onDelta(session, delta),
    onRunning: (session, running) => {
      // Beside the first call of the model, so that its first command need not wait.
      if (running) this.environmentOf(session.id)?.prepare();
      else void this.cleanCheckpoints();
      this.listener.onRunning(session, running);
      this.given.events.moved(session.id);
      if (!running) keepTrajectory(session);
    },
    onUnkept: (session, problem) => {
      this.listener.onRunning(session, session.conversation.running); // what is true beside the log has changed
      void offerUnkeptChoice(session, problem);
    },
    onFailure: (session, thrown) => this.listener.onFailure(session, thrown),
  };

  /** Deletes copies of files that are kept no longer. A store that cannot be cleaned now is cleaned another day. */
  private async cleanCheckpoints(): Promise<void> {
    if (!this.checkpoints.isToBeCleaned) return;
    const { cleanUp } = await import('../../adapters/checkpoints/cleanUp');
    const policy = { days: readSetting('checkpoints.days'), megabytes: readSetting('checkpoints.megabytes') };
    await cleanUp(this.checkpoints, policy).catch((problem: unknown) => this.listener.onProblem(problem));
  }

  /** Several can begin within one second. */
  private freeId(): string {
    let id = this.stored.newId();
    while (this.open.has(id)) id = this.stored.newId();
    return id;
  }
}

/**
 * Tells the person, wherever they look, that the log of a session cannot be written, and lets them choose: the run
 * waits, unless they stop it, and they can look at the folder. The panel says so, too, for as long as it is so.
 */
async function offerUnkeptChoice(session: LiveSession, problem: string | undefined): Promise<void> {
  if (problem === undefined) return;
  const stop = vscode.l10n.t('Stop Run');
  const show = vscode.l10n.t('Show Folder');
  const choices = session.conversation.running ? [stop, show] : [show];
  const chosen = await vscode.window.showWarningMessage(problem, ...choices);
  if (chosen === stop) await session.stop();
  if (chosen === show && session.logFile !== undefined) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(path.dirname(session.logFile)));
  }
}

/**
 * Adds the conversation of a session whose task ended to the folder that the person set,
 * as a line in the format of Hermes Agent.
 */
function keepTrajectory({ id, conversation: { history } }: LiveSession): void {
  const folder = readSetting('saveTrajectories');
  const began = history[0]?.type === 'task_started' ? history[0] : undefined;
  const isOver = ['finished', 'idle'].includes(statusOf(history));
  if (folder === '' || !began || began.parent || !isOver) return;
  const place = path.resolve(settingsOf(history)?.cwd ?? began.cwd, folder);
  try {
    saveTrajectory(history, place, id, process.env['WAYMARK_VERSION'] ?? '0');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showWarningMessage(vscode.l10n.t('The conversation was not added to {0}: {1}', place, why));
  }
}
