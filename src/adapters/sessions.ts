import fs from 'node:fs';
import path from 'node:path';
import { settingsOf, statusOf, type History } from '../core/agent/history';
import { spentBy } from '../core/agent/spending';
import type { Status } from '../protocol/panel';
import { logName, placeOf, readEventLog } from './eventLog';

/** One line of the session list. Everything in it is read from the log; the file beside the log only saves reading it again. */
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly steps: number;
  readonly cost: number | null;
  /** Milliseconds since 1970 of the last event. */
  readonly updatedAt: number;
  /** The session that this one works for. */
  readonly parent?: string;
}

/** The folder that holds all sessions: one folder each with its log, saved outputs and summary. */
export class Sessions {
  constructor(private readonly folder: string) {}

  /** A new id that sorts by time: "20261121-143005-1a2b". */
  newId(now = new Date()): string {
    const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    return `${stamp}-${crypto.randomUUID().slice(0, 4)}`;
  }

  logOf(id: string): string { return path.join(this.folderOf(id), logName); }
  outputsOf(id: string): string { return path.join(this.folderOf(id), 'outputs'); }

  /** The session that was shown last. On disk at once, so that it is known even after the program was killed. */
  get shown(): string | undefined {
    try { return fs.readFileSync(path.join(this.folder, 'shown'), 'utf8') || undefined; } catch { return undefined; }
  }

  set shown(id: string | undefined) {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(this.folder, 'shown'), id ?? '', { mode: 0o600 });
  }

  /** Newest first. A session that cannot be read is listed with what is known. */
  list(): SessionSummary[] {
    if (!fs.existsSync(this.folder)) return [];
    return fs.readdirSync(this.folder, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => this.summaryOf(name)).filter(summary => summary !== undefined).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Keeps the list quick; losing it loses nothing. */
  remember(id: string, history: History): void {
    const summary = summarise(id, history);
    if (!summary) return;
    const file = path.join(this.folderOf(id), 'summary.json');
    fs.writeFileSync(`${file}.new`, JSON.stringify(summary));
    fs.renameSync(`${file}.new`, file);
  }

  delete(id: string): void {
    fs.rmSync(this.folderOf(id), { recursive: true, force: true });
  }

  private summaryOf(id: string): SessionSummary | undefined {
    const log = this.logOf(id);
    try {
      const summaryFile = path.join(this.folderOf(id), 'summary.json');
      if (fs.statSync(summaryFile).mtimeMs >= fs.statSync(placeOf(log)).mtimeMs) return JSON.parse(fs.readFileSync(summaryFile, 'utf8')) as SessionSummary;
    } catch { /* read the log */ }
    try {
      return summarise(id, readEventLog(log).events);
    } catch {
      return undefined;
    }
  }

  private folderOf(id: string): string {
    if (!/^[\w.-]+$/.test(id) || id.startsWith('.')) throw new Error(`"${id}" is not the id of a session.`);
    return path.join(this.folder, id);
  }
}

function summarise(id: string, history: History): SessionSummary | undefined {
  const settings = settingsOf(history);
  if (!settings) return undefined;
  const { steps, usage } = spentBy(history);
  const parent = history.find(event => event.type === 'task_started')?.parent?.session;
  return { id, title: settings.title, status: statusOf(history), steps, cost: usage.cost, updatedAt: history.at(-1)!.at, ...(parent !== undefined && { parent }) };
}
