import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { isBatchAlive, readProgress } from '../../adapters/batch/batchPulse';
import type { LiveProgress } from '../../core/batch/batchProgress';
import { TaskResult, type TaskStatus } from '../../core/batch/taskResult';

/** What the view shows of an ended task. */
export interface EndedRow {
  readonly id: string;
  readonly status: TaskStatus;
  /** Why the task ended, in words; empty if all went well. */
  readonly reason: string;
  readonly steps: number;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
  readonly seconds: number;
  /** Path relative to the folder of the batch; "" if there is no log. */
  readonly log: string;
  /** Whether the checks passed; absent if the task has none. */
  readonly resolved?: boolean | undefined;
}

const pollMs = 1000;
const pieceBytes = 1024 * 1024;

/**
 * Watches the folder of a batch that another process fills. Everything shown is read from its files, so it survives a
 * reload of the window.
 */
export class WatchedBatch implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changes.event;
  /** Undefined until the batch has reported its progress. */
  progress: LiveProgress | undefined;
  isAlive = false;
  readonly ended = new Map<string, EndedRow>();
  private readonly timer: NodeJS.Timeout;
  /** Number of bytes of `results.jsonl` read so far. */
  private read = 0;
  private unreadText = '';
  private lastReported = '';
  private looking = false;

  constructor(readonly folder: string) {
    this.timer = setInterval(() => void this.refresh(), pollMs);
    void this.refresh();
  }

  /** Returns the log file of a task, or undefined if it does not exist or is outside the folder of the batch. */
  logOf({ log }: { readonly log: string }): vscode.Uri | undefined {
    const file = path.join(this.folder, log);
    const isInside = log !== '' && file.startsWith(this.folder + path.sep);
    return isInside && fs.existsSync(file) ? vscode.Uri.file(file) : undefined;
  }

  /** Reads what changed. Runs every second; may also be called directly to avoid the wait. */
  async refresh(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      this.isAlive = isBatchAlive(this.folder);
      this.progress = readProgress(this.folder);
      // An unreadable file is tried again at the next refresh, a second later.
      const grew = await this.readResults().catch(() => false);
      const report = JSON.stringify([this.isAlive, this.progress]);
      if (!grew && report === this.lastReported) return;
      this.lastReported = report;
      this.changes.fire();
    } finally {
      this.looking = false;
    }
  }

  dispose(): void {
    clearInterval(this.timer);
    this.changes.dispose();
  }

  /** Reads the added lines. Returns true if anything changed. */
  private async readResults(): Promise<boolean> {
    const file = await fs.promises.open(path.join(this.folder, 'results.jsonl'), 'r').catch(() => undefined);
    if (!file) {
      const had = this.ended.size > 0;
      this.forget();
      return had;
    }
    try {
      const { size } = await file.stat();
      // The batch was started over.
      if (size < this.read) this.forget();
      if (size === this.read) return false;
      const piece = Buffer.alloc(Math.min(pieceBytes, size - this.read));
      while (this.read < size) {
        const { bytesRead } = await file.read(piece, 0, piece.length, this.read);
        if (bytesRead === 0) break;
        this.read += bytesRead;
        // Latin-1 keeps each byte as one character until a line is complete: a chunk may end inside a UTF-8 character.
        const lines = (this.unreadText + piece.subarray(0, bytesRead).toString('latin1')).split('\n');
        this.unreadText = lines.pop() ?? '';
        for (const line of lines) this.learn(Buffer.from(line, 'latin1').toString('utf8'));
      }
      return true;
    } finally {
      await file.close();
    }
  }

  private learn(line: string): void {
    const result = resultIn(line);
    if (!result) return;
    if (result.status === 'stopped') return void this.ended.delete(result.id);
    const { id, status, reason, steps, cost, seconds, log, resolved } = result;
    this.ended.set(id, { id, status, reason, steps, cost, seconds, log, resolved });
  }

  private forget(): void {
    this.read = 0;
    this.unreadText = '';
    this.ended.clear();
  }
}

function resultIn(line: string): TaskResult | undefined {
  try {
    return TaskResult.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
