import { emptyText, type MarkedText } from '../provenance';
import { isDistinctive } from './fingerprints';
import { strengthOf, textFrom, textPieces, type ProvenanceRecord } from './record';

/** Number of latest texts searched for the one nearest to an unknown text. */
const maxComparedVersions = 12;
/** Maximum number of reconstructed texts to cache. */
const maxCachedTexts = 16;

/** A version of a file, with the origins of its lines. */
export interface VersionedText {
  readonly version: string;
  readonly text: MarkedText;
}

/** Known texts of one file, reconstructed from its records on demand and cached. */
export class FileHistory {
  private readonly records = new Map<string, ProvenanceRecord[]>();
  private readonly texts = new Map<string, MarkedText>();
  /** Versions, latest last. */
  private order = new Set<string>();

  constructor(records: Iterable<ProvenanceRecord> = []) {
    for (const record of records) this.add(record);
  }

  /** Latest version. */
  get latest(): string | undefined {
    return [...this.order].at(-1);
  }
  get size(): number {
    return this.order.size;
  }

  add(record: ProvenanceRecord): void {
    const { version, pieces } = record;
    if (pieces) {
      const known = this.records.get(version) ?? [];
      // Strongest first. Among equals, the one written first.
      const index = known.findIndex((other) => strengthOf(other) < strengthOf(record));
      this.records.set(version, index < 0 ? [...known, record] : known.toSpliced(index, 0, record));
      if (known.length > 0) this.texts.clear();
    } else if (!this.records.has(version)) {
      return;
    }
    this.order.delete(version);
    this.order.add(version);
  }

  /** Returns undefined if the version is unknown, or its records do not lead back to a whole text. */
  text(version: string): MarkedText | undefined {
    const text = this.resolveText(version, new Set());
    if (this.texts.size > maxCachedTexts) {
      this.texts.clear();
      if (text) this.texts.set(version, text);
    }
    return text;
  }

  /** Returns how reliable the origin of this version is (see `strengthOf`), or -1 if it is unknown. */
  strength(version: string): number {
    const [first] = this.records.get(version) ?? [];
    return first ? strengthOf(first) : -1;
  }

  /** Among the latest texts, returns the one with the most lines in common with these. On a tie, the later one wins. */
  nearest(lines: readonly number[]): VersionedText | undefined {
    const counts = countsOf(lines);
    let best: VersionedText | undefined;
    let most = -1;
    for (const version of [...this.order].slice(-maxComparedVersions)) {
      const text = this.text(version);
      const common = text ? countCommonLines(text.lines, counts) : -1;
      if (text && common >= most) [best, most] = [{ version, text }, common];
    }
    return best;
  }

  /** Returns the same history in fewer records: the latest `kept` texts, each complete. */
  shortenedRecords(kept: number): ProvenanceRecord[] {
    return [...this.order].slice(-kept).flatMap((version) => {
      const text = this.text(version);
      return text
        ? [{ v: 1 as const, version, at: this.records.get(version)![0]!.at, base: null, pieces: textPieces(text) }]
        : [];
    });
  }

  private resolveText(version: string, above: Set<string>): MarkedText | undefined {
    const known = this.texts.get(version);
    if (known || above.has(version)) return known;
    above.add(version);
    for (const { base, pieces } of this.records.get(version) ?? []) {
      const before = base == null ? emptyText : this.resolveText(base, above);
      if (!before || !pieces) continue;
      try {
        const text = textFrom(pieces, before);
        this.texts.set(version, text);
        return text;
      } catch {
        /* damaged record; another one may be intact */
      }
    }
    return undefined;
  }
}

/** Counts the occurrences of each distinctive line in a text. */
export function countsOf(lines: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const line of lines) if (isDistinctive(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Counts the distinctive lines that two texts share, regardless of position. */
export function countCommonLines(lines: readonly number[], counts: ReadonlyMap<number, number>): number {
  const left = new Map<number, number>();
  let common = 0;
  for (const line of lines) {
    const free = left.get(line) ?? counts.get(line) ?? 0;
    if (free > 0) common++;
    left.set(line, Math.max(0, free - 1));
  }
  return common;
}
