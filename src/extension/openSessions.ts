import * as vscode from 'vscode';
import { openEventLog } from '../adapters/eventLog';
import { Sessions, type SessionSummary } from '../adapters/sessions';
import type { NewEvent } from '../protocol/event';
import { surroundingsOf } from '../adapters/surroundings';
import { LiveSession, type SessionListener } from './liveSession';
import { sessionEnvironment, type SessionEnvironment } from './sessionEnvironment';
import { readSettings } from './settings';

/** The sessions that this window has open. Each goes on working when another is shown. */
export class OpenSessions implements vscode.Disposable {
  readonly stored: Sessions;
  private readonly open = new Map<string, { session: LiveSession; environment: SessionEnvironment }>();

  constructor(storage: vscode.Uri, private readonly listener: SessionListener) {
    this.stored = new Sessions(vscode.Uri.joinPath(storage, 'sessions').fsPath);
  }

  get all(): LiveSession[] { return [...this.open.values()].map(({ session }) => session); }

  get(id: string): LiveSession | undefined { return this.open.get(id)?.session; }
  environmentOf(id: string): SessionEnvironment | undefined { return this.open.get(id)?.environment; }

  list(): SessionSummary[] { return this.stored.list(); }

  /** Throws an `Error` in words for the person without a folder, or when the log cannot be read. */
  openSession(id = this.stored.newId()): LiveSession {
    const known = this.get(id);
    if (known) return known;
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
    if (folders.length === 0) throw new Error(vscode.l10n.t('No folder is open. Open the folder that the agent should work in, then start the task.'));
    const settings = readSettings();
    const trusted = vscode.workspace.isTrusted;
    const log = openEventLog(this.stored.logOf(id));
    const environment = sessionEnvironment(folders, this.stored.outputsOf(id), settings, text => session.conversation.append({ type: 'notice', level: 'warning', text }));
    const session = new LiveSession({
      id, log, environment, trusted, listener: this.listener, customToolsets: settings.customToolsets,
      surroundings: surroundingsOf({ root: environment.root, otherFolders: folders.slice(1), shell: settings.shell || vscode.env.shell || 'sh', mayAct: trusted }),
    });
    this.open.set(id, { session, environment });
    return session;
  }

  async close(id: string): Promise<void> {
    const entry = this.open.get(id);
    this.open.delete(id);
    await entry?.session.close();
  }

  async delete(id: string): Promise<void> {
    await this.close(id);
    this.stored.delete(id);
  }

  /** Appends to a session whether or not it is open here. Throws when another window holds it. */
  async note(id: string, event: NewEvent): Promise<void> {
    const opened = this.get(id);
    const session = opened ?? this.openSession(id);
    try {
      if (session.problem) throw new Error(session.problem);
      session.conversation.append(event);
      this.stored.remember(id, session.conversation.history);
    } finally {
      if (!opened) await this.close(id);
    }
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.open.keys()].map(id => this.close(id)));
  }

  dispose(): void {
    void this.closeAll();
  }
}
