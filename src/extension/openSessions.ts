import * as vscode from 'vscode';
import { diskMemory } from '../adapters/diskMemory';
import { readEventLog } from '../adapters/eventLog';
import { isLocked } from '../adapters/fileLock';
import { logPages, type LogPages } from '../adapters/log/logPages';
import { pastSessions } from '../adapters/pastSessions';
import { Sessions, type SessionSummary } from '../adapters/sessions';
import { childrenOf } from '../core/agent/childRuns';
import type { Model } from '../core/model/model';
import type { Environment } from '../core/tools/environment';
import { ToolSources } from '../core/tools/toolSources';
import type { NewEvent } from '../protocol/event';
import type { PanelFacts } from '../protocol/panel';
import { surroundingsOf } from '../adapters/surroundings';
import { childSessions } from './childSessions';
import { factsOfNext } from './nextTask';
import { LiveSession, type SessionListener, type SessionWork } from './liveSession';
import { ownProfile, ownSampling } from './ownProfile';
import type { WindowProvenance } from './provenance/windowProvenance';
import { sessionEnvironment, type SessionEnvironment } from './sessionEnvironment';
import { readSettings } from './settings';
import { WorkspaceSkills } from './skills/workspaceSkills';

/** Bytes; a shorter log is read in no time. */
const longLog = 1024 * 1024;

/** A session that is looked at and not open: pages of its log, and what was true when it was last at rest. */
export interface Glance { readonly id: string; readonly history: LogPages; readonly facts: PanelFacts }

/** The sessions that this window has open. Each goes on working when another is shown. */
export class OpenSessions implements vscode.Disposable {
  readonly stored: Sessions;
  readonly skills: WorkspaceSkills;
  /** What MCP servers and other extensions give. */
  readonly added = new ToolSources();
  private readonly notes: string;
  /** The window goes: what is interrupted now can be gone on with later. */
  closing = false;
  /** Those that another session waits for. */
  private readonly working = new Set<string>();
  private readonly open = new Map<string, { session: LiveSession; environment: SessionEnvironment }>();

  /** `modelNamed` finds the judge of candidates and the models of children; `provenance` keeps what actions do to files. */
  constructor(storage: vscode.Uri, private readonly listener: SessionListener, private readonly modelNamed: (name: string) => Promise<Model>, private readonly provenance: WindowProvenance) {
    this.stored = new Sessions(vscode.Uri.joinPath(storage, 'sessions').fsPath);
    this.notes = vscode.Uri.joinPath(storage, 'memory').fsPath;
    this.skills = new WorkspaceSkills(vscode.Uri.joinPath(storage, 'skills').fsPath);
  }

  get all(): LiveSession[] { return [...this.open.values()].map(({ session }) => session); }

  get(id: string): LiveSession | undefined { return this.open.get(id)?.session; }
  environmentOf(id: string): SessionEnvironment | undefined { return this.open.get(id)?.environment; }

  list(): SessionSummary[] { return this.stored.list(); }

  /** Whether another session waits for what this one comes to. */
  isAtWork(id: string): boolean { return this.working.has(id); }

  /** Throws an `Error` in words for the person without a folder, or when the log cannot be read. `work`: it works for another session. */
  openSession(id = this.freeId(), work?: SessionWork): LiveSession {
    const known = this.get(id);
    if (known) return known;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
    if (folders.length === 0) throw new Error(vscode.l10n.t('No folder is open. Open the folder that the agent should work in, then start the task.'));
    const settings = readSettings();
    const trusted = vscode.workspace.isTrusted;
    const log = this.stored.open(id);
    const environment = sessionEnvironment(folders, this.stored.outputsOf(id), settings, this.kept(id, folders[0]!), text => session.conversation.append({ type: 'notice', level: 'warning', text }), { provenance: this.provenance, session: id });
    const children = childrenOf({ session: id, history: () => session.conversation.history, onDelta: delta => session.tell(delta) }, childSessions(this, () => session, this.modelNamed));
    const session: LiveSession = new LiveSession({
      id, log, environment, trusted, children, ...(work && { work }), listener: this.listener, customToolsets: settings.customToolsets,
      profileOf: name => ownProfile(name, environment.root), samplingOf: () => ownSampling(this.modelNamed),
      surroundings: surroundingsOf({ root: environment.root, otherFolders: folders.slice(1), shell: settings.shell || vscode.env.shell || 'sh', mayAct: trusted }),
    });
    this.open.set(id, { session, environment });
    if (work) this.working.add(id);
    return session;
  }

  /** It has reported to the session that it worked for. While it is looked at it stays open. */
  async release(id: string): Promise<void> {
    const session = this.get(id);
    this.working.delete(id);
    if (!session) return;
    this.remember(session);
    if (this.stored.shown !== id) await this.close(id);
  }

  async close(id: string): Promise<void> {
    const entry = this.open.get(id);
    // Whoever waits for it hears that it ended.
    if (this.working.delete(id) && !this.closing) await entry?.session.stop('This session was closed.');
    this.open.delete(id);
    await entry?.session.close();
    if (entry) this.remember(entry.session);
  }

  /** Those that worked for it go with it. */
  async delete(id: string): Promise<void> {
    await this.close(id);
    for (const child of this.list()) if (child.parent === id) await this.delete(child.id);
    this.stored.delete(id);
  }

  /** Appends to a session whether or not it is open here. Throws when another window holds it. */
  async note(id: string, event: NewEvent): Promise<void> {
    const opened = this.get(id);
    const session = opened ?? this.openSession(id);
    try {
      if (session.problem) throw new Error(session.problem);
      session.conversation.append(event);
      await session.durable();
      this.remember(session);
    } finally {
      if (!opened) await this.close(id);
    }
  }

  /** Begins a session that goes on from what is whole of one that can only be read. */
  async salvage({ id, sound = 0 }: LiveSession): Promise<string> {
    const { id: fresh, store } = await this.stored.fork(id, sound - 1);
    await store.close();
    this.stored.remember(fresh, readEventLog(this.stored.logOf(fresh)).events, store.stand);
    return fresh;
  }

  /** Keeps the list true without reading logs, and what is told beside a long log. */
  remember(session: LiveSession): void {
    const { id, conversation: { history }, stand } = session;
    if (!stand) return;
    this.stored.remember(id, history, stand, this.open.has(id));
    if (stand.size > longLog && history.length > 0) this.stored.keepFacts(id, stand, session.facts(factsOfNext()));
  }

  /** What a long session shows at once, without reading it whole; undefined where it has to be opened. */
  glance(id: string): Glance | undefined {
    const kept = this.get(id) ? undefined : this.stored.factsOf(id);
    const history = kept && logPages(this.stored.logOf(id), kept.end);
    const facts = { ...factsOfNext(), writable: !isLocked(`${this.stored.logOf(id)}.lock`), running: false };
    return history && { id, history, facts: { ...facts, ...(kept.facts as PanelFacts), next: facts.next, trusted: facts.trusted, sees: facts.sees !== false, writable: facts.writable, running: false } };
  }

  async closeAll(): Promise<void> {
    this.closing = true;
    await Promise.allSettled([...this.open.keys()].map(id => this.close(id)));
  }

  dispose(): void {
    this.skills.dispose();
    void this.closeAll();
  }

  /** What outlives sessions: notes, what was said in other sessions of this folder, and what the folder teaches. */
  kept(id: string, cwd: string): Pick<Environment, 'memory' | 'pastSessions' | 'skills' | 'added'> {
    const { files: skills } = this.skills;
    return { ...(skills && { skills }), added: this.added, memory: diskMemory(this.notes), pastSessions: pastSessions({ sessions: this.stored, cwd, except: id }) };
  }

  /** Several can begin within one second. */
  private freeId(): string {
    let id = this.stored.newId();
    while (this.open.has(id)) id = this.stored.newId();
    return id;
  }
}
