import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { History } from '../core/agent/history';
import { makeFolder, writeDurably } from './durableFile';
import { logName, openEventLog, placeOf, readEventLog, readHeader, type EventLog, type LogStand, type OpenedLog } from './eventLog';
import { acquireLock } from './fileLock';
import { forkLog } from './log/fork';
import { keepPrefix } from './log/prefix';
import { SessionIndex, type IndexEntry } from './sessionIndex';
import { summarise, type SessionSummary } from './sessionSummary';

export type { SessionSummary } from './sessionSummary';

const factsName = 'facts.json';
const KeptFacts = z.object({ end: z.object({ size: z.number(), hash: z.string() }), facts: z.object({ status: z.string(), title: z.string(), spent: z.looseObject({}) }).loose() });

/** A deleted session that others went on from: its folder holds what they share. */
const deletedMark = 'deleted';
/** Milliseconds that one look at the list may spend on reading logs that the index does not know. */
const mostReading = 200;

/** The folder that holds all sessions: one folder each with its log and saved outputs, and an index. */
export class Sessions {
  private readonly index: SessionIndex;

  constructor(private readonly folder: string) {
    this.index = new SessionIndex(folder);
  }

  /** A new id that sorts by time: "20261121-143005-1a2b". */
  newId(now = new Date()): string {
    const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    return `${stamp}-${crypto.randomUUID().slice(0, 4)}`;
  }

  logOf(id: string): string { return path.join(this.folderOf(id), logName); }
  outputsOf(id: string): string { return path.join(this.folderOf(id), 'outputs'); }

  /** The session whose log this is; undefined for a log that lies elsewhere. */
  idOf(log: string): string | undefined {
    const id = path.basename(path.dirname(log));
    return path.join(this.folder, id, logName) === log ? id : undefined;
  }

  /** The session that was shown last. On disk at once, so that it is known even after the program was killed. */
  get shown(): string | undefined {
    try { return fs.readFileSync(path.join(this.folder, 'shown'), 'utf8') || undefined; } catch { return undefined; }
  }

  set shown(id: string | undefined) {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(this.folder, 'shown'), id ?? '', { mode: 0o600 });
  }

  /** Opens a session's log, as `openEventLog` does. One that lost its end since it was last remembered can only be read. */
  open(id: string): OpenedLog {
    const opened = openEventLog(this.logOf(id), stand => this.lossOf(id, stand));
    if (opened.store) this.attempt(() => this.index.add([{ ...this.index.read().get(id), id, open: true }], true));
    return opened;
  }

  /** Newest first. A session that cannot be read is not listed. */
  list(): SessionSummary[] {
    const names = this.names();
    const entries = this.index.read();
    const until = Date.now() + mostReading;
    const found: IndexEntry[] = [];
    const summaries: SessionSummary[] = [];
    for (const id of names) {
      let entry = entries.get(id);
      if (this.isDoubtful(id, entry) && Date.now() < until) found.push(entry = this.readAgain(id, entry));
      if (entry?.summary) summaries.push({ ...entry.summary, id });
    }
    this.attempt(() => this.index.add(found));
    return summaries.sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Keeps the list quick; losing it loses nothing. `store`: the open log, if it is still open here. */
  remember(id: string, history: History, stand?: LogStand, open = false): void {
    const summary = summarise(id, history, this.forkOf(id));
    if (summary) this.attempt(() => this.index.add([{ id, summary, ...stand, ...(open && { open }) }]));
  }

  /** What is told beside a log that is long to read, as long as the log ends so. */
  keepFacts(id: string, end: LogStand, facts: unknown): void {
    this.attempt(() => {
      const file = path.join(this.folderOf(id), factsName);
      fs.writeFileSync(`${file}.new`, JSON.stringify({ end, facts }), { mode: 0o600 });
      fs.renameSync(`${file}.new`, file);
    });
  }

  factsOf(id: string): { readonly end: LogStand; readonly facts: object } | undefined {
    try { return KeptFacts.parse(JSON.parse(fs.readFileSync(path.join(this.folderOf(id), factsName), 'utf8'))); } catch { return undefined; }
  }

  /** Begins a session that has the events up to `seq` of another one; nothing is copied. Its log is returned open. */
  async fork(id: string, seq: number): Promise<{ id: string; store: EventLog }> {
    const fresh = this.newId();
    return { id: fresh, store: await forkLog({ session: id, file: this.logOf(id), seq }, this.logOf(fresh)) };
  }

  /** The sessions whose logs go on from this one's. */
  forksOf(id: string): { readonly id: string; readonly seq: number }[] {
    return this.names().flatMap(name => {
      const parent = readHeader(this.logOf(name))?.parent;
      return parent && path.resolve(this.folderOf(name), parent.file) === placeOf(this.logOf(id)) ? [{ id: name, seq: parent.seq }] : [];
    });
  }

  /**
   * Removes a session, its log and its outputs. Of one that others went on from, what they share stays on disk, in no list, until they are
   * deleted, too. Throws an `Error` in words where another window works on it.
   */
  delete(id: string): void {
    const folder = this.folderOf(id);
    const lock = fs.existsSync(folder) ? acquireLock(`${this.logOf(id)}.lock`) : undefined;
    if (!lock && fs.existsSync(folder)) throw new Error('This session is open in another window. Close it there first.');
    const parent = readHeader(this.logOf(id))?.parent;
    const shared = Math.max(...this.forksOf(id).map(({ seq }) => seq));
    if (shared >= 0) {
      keepPrefix(placeOf(this.logOf(id)), shared, this.outputsOf(id));
      writeDurably(path.join(folder, deletedMark), ['']);
      lock?.release();
    } else {
      fs.rmSync(folder, { recursive: true, force: true });
      lock?.release();
    }
    this.attempt(() => this.index.add([{ id, gone: true }]));
    if (parent && shared < 0) this.forget(path.basename(path.dirname(path.resolve(folder, parent.file))));
  }

  /** A deleted session that nobody goes on from any more. */
  private forget(id: string): void {
    if (/^[\w-][\w.-]*$/.test(id) && fs.existsSync(path.join(this.folderOf(id), deletedMark)) && this.forksOf(id).length === 0) this.delete(id);
  }

  private names(): string[] {
    if (!fs.existsSync(this.folder)) return [];
    return fs.readdirSync(this.folder, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => name);
  }

  private isDoubtful(id: string, entry: IndexEntry | undefined): boolean {
    if (!entry) return true;
    if (entry.gone || !entry.open) return false;
    return entry.size === undefined || entry.size !== fs.statSync(placeOf(this.logOf(id)), { throwIfNoEntry: false })?.size;
  }

  private readAgain(id: string, known: IndexEntry | undefined): IndexEntry {
    try {
      if (fs.existsSync(path.join(this.folderOf(id), deletedMark))) return { id, gone: true };
      const { events, size, hash } = readEventLog(this.logOf(id));
      const summary = summarise(id, events, this.forkOf(id));
      return { id, ...(summary && { summary }), size, hash, ...(known?.open && { open: true }) };
    } catch {
      return known ?? { id };
    }
  }

  private forkOf(id: string): SessionSummary['fork'] {
    const parent = readHeader(this.logOf(id))?.parent;
    return parent && { session: parent.session, seq: parent.seq };
  }

  /** What the index remembers of the end of the log, against what is there. */
  private lossOf(id: string, stand: LogStand): string | undefined {
    const { size, hash } = this.index.read().get(id) ?? {};
    if (size === undefined || !hash || !stand.hash) return undefined;
    if (stand.size < size || (stand.size === size && stand.hash !== hash)) return `The end of this session's log is not there any more, or the log was replaced by another one, so it can only be read. Nothing that was agreed to in it counts. The file is ${this.logOf(id)}.`;
    return undefined;
  }

  /** What only makes the list quick must not stop the work. */
  private attempt(work: () => void): void {
    try {
      makeFolder(this.folder);
      work();
    } catch { /* the logs are read again */ }
  }

  private folderOf(id: string): string {
    if (!/^[\w.-]+$/.test(id) || id.startsWith('.')) throw new Error(`"${id}" is not the id of a session.`);
    return path.join(this.folder, id);
  }
}
