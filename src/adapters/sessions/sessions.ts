import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { History } from '../../core/log/projection';
import { makeFolder, writeDurably } from '../storage/durableFile';
import {
  logName,
  openEventLog,
  openEventLogInTurns,
  existingLogPath,
  readEventLog,
  readEventLogInTurns,
  readHeader,
  type LogDoubt,
  type EventLog,
  type LogPosition,
  type OpenedLog,
  type ReadLog,
} from '../log/eventLog';
import { acquireLock } from '../storage/fileLock';
import { maskedLog } from '../../core/secrets/masking';
import { secrets } from '../../core/secrets/secrets';
import { forkLog, keepPrefix } from '../log/fork';
import { sealOf } from '../storage/frame';
import { currentVersion } from '../log/header';
import { machineKey } from '../storage/machineKey';
import { inTurns } from '../log/pieces';
import { maxParents } from '../log/readLog';
import { SessionIndex, type IndexEntry, summarise, type SessionSummary } from './sessionIndex';

export type { SessionSummary } from './sessionIndex';

const factsName = 'facts.json';
const KeptFacts = z.object({
  end: z.object({ size: z.number(), hash: z.string() }),
  facts: z.object({ status: z.string(), title: z.string(), spent: z.looseObject({}) }).loose(),
});

/** Marks a deleted session that has forks: its folder contains what they share. */
export const deletedMark = 'deleted';
/** Maximum time that a list which may be completed later spends on reading logs that the index lacks, in ms. */
const maxReadMs = 200;
/** Number of logs that are read in the background between two calls of `listed`. */
const logsPerUpdate = 200;
/** In bytes; a shorter log is read without noticeable delay. */
export const longLog = 1024 * 1024;

/** The folder that contains all sessions: one folder each with its log and saved outputs, and an index. */
export class Sessions {
  private readonly index: SessionIndex;
  private readonly reading = new Set<string>();
  private isReadingRest = false;

  /**
   * `listed`: called when the list has more to show than when it was last requested. Without it, a list is complete at
   * once, however long that takes.
   */
  constructor(
    private readonly folder: string,
    private readonly listed?: () => void,
  ) {
    this.index = new SessionIndex(folder);
  }

  /** Returns a new id that sorts by time: "20261121-143005-1a2b". */
  newId(now = new Date()): string {
    const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    return `${stamp}-${crypto.randomUUID().slice(0, 4)}`;
  }

  logOf(id: string): string {
    return path.join(this.folderOf(id), logName);
  }
  outputsOf(id: string): string {
    return path.join(this.folderOf(id), 'outputs');
  }

  /** Returns the session of this log; undefined for a log stored elsewhere. */
  idOf(log: string): string | undefined {
    const id = path.basename(path.dirname(log));
    return path.join(this.folder, id, logName) === log ? id : undefined;
  }

  /** The session that was shown last. Stored at once, so that it is known even after the process was killed. */
  get shown(): string | undefined {
    try {
      return fs.readFileSync(path.join(this.folder, 'shown'), 'utf8') || undefined;
    } catch {
      return undefined;
    }
  }

  set shown(id: string | undefined) {
    // If nothing can be written, the log of the session reports it, with what to do.
    this.attempt(() => fs.writeFileSync(path.join(this.folder, 'shown'), id ?? '', { mode: 0o600 }));
  }

  /** Opens the log of a new session. Its id is new, so the index need not be read. */
  begin(id: string): OpenedLog {
    const opened = openEventLog(this.logOf(id));
    if (opened.store) this.attempt(() => this.index.add([{ id, open: true }], { isUrgent: true }));
    return opened;
  }

  /**
   * Opens a session's log, as `openEventLog` does. A log that lost its end since it was last remembered can only be
   * read.
   */
  open(id: string): OpenedLog {
    return this.noteOpen(id, openEventLog(this.logOf(id), this.doubtOf(id)));
  }

  /** Same as `open` for a long log, yielding to other work. Its events are masked. */
  async openInTurns(id: string): Promise<OpenedLog> {
    const opened = await openEventLogInTurns(this.logOf(id), this.doubtOf(id));
    try {
      return this.noteOpen(id, { ...opened, events: await inTurns(maskedLog(opened.events, secrets)) });
    } catch (error) {
      await opened.store?.close();
      throw error;
    }
  }

  /** Returns how many bytes are read to open it, including the logs from which it was forked. */
  sizeOf(id: string): number {
    return bytesOf(this.logOf(id));
  }

  /**
   * Compares the end of a log with what the index remembers. A log whose lines were chained can never become one
   * without such lines.
   */
  doubtOf(id: string): LogDoubt {
    return (stand) => {
      const { size, hash } = this.index.read().get(id) ?? {};
      if (
        size === undefined ||
        !hash ||
        (stand.size > size && stand.hash !== '') ||
        (stand.size === size && stand.hash === hash)
      )
        return undefined;
      return `The end of this session's log is missing, or the log was replaced by another one, so it is read-only. Approvals in it do not count. The file is ${this.logOf(id)}.`;
    };
  }

  /** Same as `doubtOf`, by the path of a log; undefined for one stored elsewhere. */
  doubtAt(log: string): LogDoubt | undefined {
    const id = this.idOf(log);
    return id === undefined ? undefined : this.doubtOf(id);
  }

  /** Returns all sessions, newest first. Unreadable ones are omitted; those whose log was altered are marked. */
  list(): SessionSummary[] {
    const names = this.names();
    const entries = this.index.read();
    const until = performance.now() + maxReadMs;
    const found: IndexEntry[] = [];
    const left: string[] = [];
    const summaries: SessionSummary[] = [];
    for (const id of names) {
      let entry = entries.get(id);
      if (!entry?.gone && this.isDoubtful(id, entry)) {
        const mayWait = this.listed !== undefined;
        if (mayWait && (this.isReadingRest || performance.now() >= until)) left.push(id);
        else if (mayWait && this.sizeOf(id) > longLog) void this.readInTurns(id, entry);
        else found.push((entry = this.updatedEntry(id, entry, () => readEventLog(this.logOf(id)))));
      }
      if (entry?.summary) summaries.push({ ...entry.summary, id });
    }
    this.attempt(() => this.index.add(found));
    if (left.length > 0 && !this.isReadingRest) void this.readRest(left);
    return summaries.sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /**
   * Updates the index, which only makes the list fast. `position`: size and end of the log; `open`: true while its log is
   * being written.
   */
  remember(
    id: string,
    history: History,
    position?: LogPosition,
    { open = false }: { readonly open?: boolean } = {},
  ): void {
    const summary = summarise(id, history, this.forkOf(id));
    if (summary)
      this.attempt(() =>
        this.index.add([{ id, summary, ...position, ...(open ? { open } : position && this.changeOf(id)) }]),
      );
  }

  /** Stores facts beside a log that takes long to read. They are valid as long as the log has the same end. */
  keepFacts(id: string, end: LogPosition, facts: unknown): void {
    this.attempt(() => {
      const file = path.join(this.folderOf(id), factsName);
      const key = machineKey();
      if (!key) return;
      const text = JSON.stringify({ end, facts });
      fs.writeFileSync(`${file}.new`, `${sealOf(`facts of ${id}: ${text}`, key)}\n${text}`, { mode: 0o600 });
      fs.renameSync(`${file}.new`, file);
    });
  }

  /** Returns undefined if this machine did not write them exactly like this. */
  factsOf(id: string): { readonly end: LogPosition; readonly facts: object } | undefined {
    try {
      const [seal, text = ''] = fs.readFileSync(path.join(this.folderOf(id), factsName), 'utf8').split('\n');
      const key = machineKey();
      return key && seal === sealOf(`facts of ${id}: ${text}`, key) ? KeptFacts.parse(JSON.parse(text)) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Creates a session that has the events up to `seq` of another one; copies nothing. Its log is returned open. */
  async fork(id: string, seq: number): Promise<{ id: string; store: EventLog }> {
    const fresh = this.newId();
    return {
      id: fresh,
      store: await forkLog({ session: id, file: this.logOf(id), seq }, this.logOf(fresh), this.doubtOf(id)),
    };
  }

  /** Returns the sessions that were forked from this one. */
  forksOf(id: string): { readonly id: string; readonly seq: number }[] {
    return this.names().flatMap((name) => {
      const parent = readHeader(this.logOf(name))?.parent;
      return parent && path.resolve(this.folderOf(name), parent.file) === existingLogPath(this.logOf(id))
        ? [{ id: name, seq: parent.seq }]
        : [];
    });
  }

  /**
   * Deletes a session, its log and its outputs. If it has forks, the part they share stays on disk, unlisted, until
   * they are deleted, too. Throws an `Error` with a message for people if another window works on it.
   */
  delete(id: string): void {
    const folder = this.folderOf(id);
    const lock = fs.existsSync(folder) ? acquireLock(`${this.logOf(id)}.lock`) : undefined;
    if (!lock && fs.existsSync(folder))
      throw new Error('This session is open in another window or terminal. Close it there first.');
    const parent = readHeader(this.logOf(id))?.parent;
    const shared = Math.max(...this.forksOf(id).map(({ seq }) => seq));
    if (shared >= 0) {
      keepPrefix(existingLogPath(this.logOf(id)), shared, this.outputsOf(id));
      writeDurably(path.join(folder, deletedMark), ['']);
      lock?.release();
    } else {
      fs.rmSync(folder, { recursive: true, force: true });
      lock?.release();
    }
    this.attempt(() => this.index.add([{ id, gone: true }]));
    if (parent && shared < 0) this.forget(path.basename(path.dirname(path.resolve(folder, parent.file))));
  }

  /** Removes a deleted session once it has no forks. */
  private forget(id: string): void {
    if (
      /^[\w-][\w.-]*$/.test(id) &&
      fs.existsSync(path.join(this.folderOf(id), deletedMark)) &&
      this.forksOf(id).length === 0
    )
      this.delete(id);
  }

  private names(): string[] {
    // If there is a file in place of the folder, writing a log reports it.
    if (!fs.statSync(this.folder, { throwIfNoEntry: false })?.isDirectory()) return [];
    return fs
      .readdirSync(this.folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  }

  /** Returns whether the log may differ from the index. */
  private isDoubtful(id: string, entry: IndexEntry | undefined): boolean {
    if (!entry) return true;
    const stat = entry.size === undefined && !entry.open ? undefined : this.statOf(id);
    const { changedAt, size, open, summary } = entry;
    if (size === undefined) return open === true && changedAt !== stat?.mtimeMs;
    return (
      (changedAt !== undefined && changedAt !== stat?.mtimeMs) ||
      (summary?.unsound ? changedAt === undefined && stat !== undefined : size !== stat?.size)
    );
  }

  /** Does not wait for a long log: the list shows what was known and is updated when requested again. */
  private async readInTurns(id: string, known: IndexEntry | undefined): Promise<void> {
    const entry = await this.newEntry(id, known);
    if (!entry) return;
    // Who lists again after a failure would read the same logs again, without end.
    if (this.attempt(() => this.index.add([entry]))) this.listed?.();
  }

  /** Reads many logs in the background, such as all of them after the index was lost. */
  private async readRest(ids: readonly string[]): Promise<void> {
    this.isReadingRest = true;
    try {
      for (let at = 0; at < ids.length; at += logsPerUpdate) {
        const known = this.index.read();
        const entries: IndexEntry[] = [];
        for (const id of ids.slice(at, at + logsPerUpdate)) {
          const entry = await this.newEntry(id, known.get(id));
          if (entry) entries.push(entry);
        }
        if (!this.attempt(() => this.index.add(entries))) return;
        this.listed?.();
      }
    } finally {
      this.isReadingRest = false;
    }
  }

  /**
   * Reads a log in turns. Returns undefined if it is being read already, or if this or another process has updated the
   * entry in the meantime.
   */
  private async newEntry(id: string, known: IndexEntry | undefined): Promise<IndexEntry | undefined> {
    if (this.reading.has(id)) return undefined;
    this.reading.add(id);
    try {
      const read = await readEventLogInTurns(this.logOf(id)).then(
        (log) => () => log,
        (error: unknown) => () => {
          throw error;
        },
      );
      return this.index.read().get(id) === known ? this.updatedEntry(id, known, read) : undefined;
    } finally {
      this.reading.delete(id);
    }
  }

  /** Updates the entry from a log that was read again. Keeps what was known before if the log is unreliable. */
  private updatedEntry(id: string, known: IndexEntry | undefined, read: () => ReadLog): IndexEntry {
    try {
      if (fs.existsSync(path.join(this.folderOf(id), deletedMark))) return { id, gone: true };
      const log = read();
      const { events, size, hash, problem, header } = log;
      const unsound =
        this.doubtOf(id)(log) !== undefined ||
        (problem !== undefined && (header === undefined || header.waymark <= currentVersion));
      const found = (unsound ? known?.summary : undefined) ?? summarise(id, events, this.forkOf(id));
      const { unsound: _before, ...summary } = found ?? {};
      return {
        id,
        ...(found && { summary: { ...(summary as SessionSummary), ...(unsound && { unsound }) } }),
        ...(unsound && known?.hash ? { size: known.size, hash: known.hash } : { size, hash }),
        ...(known?.open && { open: true }),
        ...this.changeOf(id),
      };
    } catch {
      return known ?? { id };
    }
  }

  private statOf(id: string): fs.Stats | undefined {
    const log = this.logOf(id);
    return fs.statSync(log, { throwIfNoEntry: false }) ?? fs.statSync(existingLogPath(log), { throwIfNoEntry: false });
  }

  private changeOf(id: string): { readonly changedAt?: number } {
    const changedAt = this.statOf(id)?.mtimeMs;
    return changedAt === undefined ? {} : { changedAt };
  }

  private forkOf(id: string): SessionSummary['fork'] {
    const parent = readHeader(this.logOf(id))?.parent;
    return parent && { session: parent.session, seq: parent.seq };
  }

  private noteOpen(id: string, opened: OpenedLog): OpenedLog {
    if (opened.store)
      this.attempt(() => this.index.add([{ ...this.index.read().get(id), id, open: true }], { isUrgent: true }));
    return opened;
  }

  /** Failures of what only makes the list fast must not stop the work. */
  private attempt(work: () => void): boolean {
    try {
      makeFolder(this.folder);
      work();
      return true;
    } catch {
      return false; // the logs are read again
    }
  }

  private folderOf(id: string): string {
    if (!/^[\w.-]+$/.test(id) || id.startsWith('.')) throw new Error(`"${id}" is not a session id.`);
    return path.join(this.folder, id);
  }
}

function bytesOf(log: string, depth = 0): number {
  const place = existingLogPath(log);
  const { parent } = readHeader(place) ?? {};
  return (
    (fs.statSync(place, { throwIfNoEntry: false })?.size ?? 0) +
    (parent && depth < maxParents ? bytesOf(path.resolve(path.dirname(place), parent.file), depth + 1) : 0)
  );
}
