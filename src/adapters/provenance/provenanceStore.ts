import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { isStep } from '../../core/trajectory/provenance';
import { FileHistory } from '../../core/trajectory/provenance/fileHistory';
import { isDistinctive } from '../../core/trajectory/provenance/fingerprints';
import { ProvenanceRecord } from '../../core/trajectory/provenance/record';
import { acquireLock } from '../storage/fileLock';
import { GrowingFile } from '../storage/growingFile';

/** A file's history with more records than this is shortened to `keptTexts` texts. */
const maxRecords = 240;
const keptTexts = 60;
/** Maximum number of files with a history; the least recently changed are deleted first. */
const maxFiles = 4000;
/** Minimum number of distinctive lines for a text to be recognized under another name. */
const tellingEnough = 3;

const Whereabouts = z.tuple([z.string(), z.string()]);

interface StoredHistory {
  readonly file: GrowingFile;
  history: FileHistory;
  records: number;
}

/**
 * The stored histories of the files of one workspace folder, in a folder outside of it: one file of records for each
 * file that the agent changed, and an index of the names under which texts were seen. Several windows may use it at
 * once.
 */
export class ProvenanceStore {
  private readonly histories = new Map<string, StoredHistory>();
  private readonly names: GrowingFile;
  private readonly pathsOf = new Map<string, string>();

  constructor(private readonly folder: string) {
    this.names = new GrowingFile(path.join(folder, 'texts.jsonl'));
  }

  /** Returns the history of a file; undefined if the agent never changed it. `relative` uses "/". */
  async history(relative: string): Promise<FileHistory | undefined> {
    const known = this.histories.get(relative) ?? {
      file: new GrowingFile(this.fileOf(relative)),
      history: new FileHistory(),
      records: 0,
    };
    const { replaced, lines } = await known.file.newLines();
    if (replaced) [known.history, known.records] = [new FileHistory(), 0];
    for (const line of lines) {
      const record = ProvenanceRecord.safeParse(line);
      if (!record.success) continue;
      known.history.add(record.data);
      known.records++;
    }
    if (known.history.size === 0) return undefined;
    this.histories.set(relative, known);
    return known.history;
  }

  async append(relative: string, ...records: readonly ProvenanceRecord[]): Promise<void> {
    const file = this.histories.get(relative)?.file ?? new GrowingFile(this.fileOf(relative));
    await file.append(...records);
    const history = await this.history(relative);
    const names = records
      .filter(({ version, pieces }) => pieces && isRecognizable(history, version))
      .map(({ version }) => [version, relative]);
    if (names.length > 0) await this.names.append(...names);
    if ((this.histories.get(relative)?.records ?? 0) > maxRecords) await this.shorten(relative);
  }

  /** Returns the name under which this exact text was seen. */
  async nameOf(version: string): Promise<string | undefined> {
    const { replaced, lines } = await this.names.newLines();
    if (replaced) this.pathsOf.clear();
    for (const line of lines) {
      const pair = Whereabouts.safeParse(line);
      if (pair.success) this.pathsOf.set(...pair.data);
    }
    return this.pathsOf.get(version);
  }

  /** Deletes the least recently changed histories if there are too many. */
  async prune(): Promise<void> {
    const names = (await fs.readdir(path.join(this.folder, 'files')).catch(() => [])).filter((name) =>
      name.endsWith('.jsonl'),
    );
    if (names.length <= maxFiles) return;
    const dated = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await fs.stat(path.join(this.folder, 'files', name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const gone = dated.sort((a, b) => a.at - b.at).slice(0, names.length - maxFiles);
    await Promise.all(gone.map(({ name }) => fs.rm(path.join(this.folder, 'files', name), { force: true })));
  }

  private async shorten(relative: string): Promise<void> {
    const lock = acquireLock(`${this.fileOf(relative)}.lock`);
    if (!lock) return; // another window is pruning
    try {
      const history = await this.history(relative);
      if (history) await this.histories.get(relative)!.file.replace(history.shortenedRecords(keptTexts));
    } finally {
      lock.release();
    }
  }

  private fileOf(relative: string): string {
    return path.join(this.folder, 'files', `${createHash('sha256').update(relative).digest('hex').slice(0, 24)}.jsonl`);
  }
}

/** Short texts may be equal by chance. */
function isRecognizable(history: FileHistory | undefined, version: string): boolean {
  const text = history?.text(version);
  return text !== undefined && text.origins.some(isStep) && text.lines.filter(isDistinctive).length >= tellingEnough;
}
