import { markedText, type Origin } from '../../core/trajectory/provenance';
import {
  countsOf,
  countCommonLines,
  type FileHistory,
  type VersionedText,
} from '../../core/trajectory/provenance/fileHistory';
import { fingerprints } from '../../core/trajectory/provenance/fingerprints';
import { recordedChange, originStrength, textPieces } from '../../core/trajectory/provenance/record';
import { textVersion } from '../files/textVersion';
import type { ProvenanceStore } from './provenanceStore';

/** Minimum share of distinctive lines that a new file must have in common with a deleted one to count as renamed. */
const minSharedLines = 0.5;

/** Stores the successive texts of files, each with its line marks derived from the previous one. */
export class FileMarks {
  constructor(
    private readonly store: ProvenanceStore,
    private readonly changed: (relative: string) => void,
  ) {}

  history(relative: string): Promise<FileHistory | undefined> {
    return this.store.history(relative);
  }

  /** Returns the text that was stored last. */
  async latestText(relative: string): Promise<VersionedText | undefined> {
    const history = await this.store.history(relative);
    const text = history?.latest === undefined ? undefined : history.text(history.latest);
    return text && { version: history!.latest!, text };
  }

  /**
   * Returns the stored version of a text, first recording any change since the latest version as made by `by`. Begins
   * the history of a file that has none.
   */
  async settleOn(relative: string, text: string, by: Origin): Promise<VersionedText> {
    const version = textVersion(text);
    const latest = await this.latestText(relative);
    const known = (await this.store.history(relative))?.text(version);
    if (known) {
      if (latest?.version !== version) await this.recordVersionAgain(relative, version);
      return { version, text: known };
    }
    return latest
      ? this.keep(relative, latest, text, by)
      : this.begin(relative, { version, text: markedText(text, 'unknown') });
  }

  /** Records that the file has the text of this version again. */
  async recordVersionAgain(relative: string, version: string): Promise<void> {
    await this.store.append(relative, { v: 1, version, at: Date.now() });
    this.changed(relative);
  }

  /** Stores the first text of a history. */
  async begin(relative: string, first: VersionedText): Promise<VersionedText> {
    await this.store.append(relative, {
      v: 1,
      version: first.version,
      at: Date.now(),
      base: null,
      pieces: textPieces(first.text),
    });
    this.changed(relative);
    return first;
  }

  /**
   * Stores the text that `by` produced; `before` is undefined if the file did not exist. If an origin of the same or
   * higher strength already wrote this very text, its marks are kept.
   */
  async keep(relative: string, before: VersionedText | undefined, after: string, by: Origin): Promise<VersionedText> {
    const version = textVersion(after);
    const { text, pieces } = recordedChange(before?.text ?? { lines: [], origins: [] }, fingerprints(after), by);
    const history = await this.store.history(relative);
    const known = history && history.strength(version) >= originStrength(by) ? history.text(version) : undefined;
    await this.store.append(relative, {
      v: 1,
      version,
      at: Date.now(),
      ...(!known && { base: before?.version ?? null, pieces }),
    });
    this.changed(relative);
    return { version, text: known ?? text };
  }

  /** Returns this exact text as stored under another name. */
  async underAnotherName(relative: string, version: string): Promise<VersionedText | undefined> {
    const name = await this.store.nameOf(version);
    const text = name === undefined || name === relative ? undefined : (await this.store.history(name))?.text(version);
    return text && { version, text };
  }

  /** Returns the latest text of the first file in `gone` with enough common lines to be the source of a rename. */
  async goneFrom(gone: Iterable<string>, text: string): Promise<VersionedText | undefined> {
    const lines = fingerprints(text);
    const counts = countsOf(lines);
    const telling = [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const name of gone) {
      const latest = await this.latestText(name);
      if (latest && countCommonLines(latest.text.lines, counts) > telling * minSharedLines) return latest;
    }
    return undefined;
  }
}
