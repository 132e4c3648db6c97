import fs from 'node:fs/promises';
import path from 'node:path';
import { markedText, type MarkedText } from '../../core/trajectory/provenance';
import type { VersionedText } from '../../core/trajectory/provenance/fileHistory';
import { listFolder } from '../files/diskList';
import { holdingHere } from '../files/heldFolder';
import { unifyLineEndings } from '../files/lineEndings';
import { decodeText } from '../files/textEncoding';
import { textVersion } from '../files/textVersion';
import { GitTexts } from '../git/gitTexts';

/** Bytes of a file whose lines are followed. */
const mostBytes = 1024 * 1024;
/** Files and lines that are kept in memory to compare with. */
const mostFiles = 2000;
const mostLines = 1_000_000;

/** A text file as it is on disk. `changedAt`: when it or its name was changed last, in milliseconds since 1970. */
export interface DiskText {
  readonly text: string;
  readonly version: string;
  readonly changedAt: number;
}

/** `missing`: there is no such file. Undefined: what is there is no plain text file of a fair size. */
export async function diskText(file: string): Promise<DiskText | 'missing' | undefined> {
  try {
    const stat = await fs.lstat(file);
    if (!stat.isFile() || stat.size > mostBytes) return undefined;
    const decoded = decodeText(await fs.readFile(file));
    return typeof decoded === 'string'
      ? undefined
      : { text: decoded.text, version: textVersion(decoded.text), changedAt: stat.ctimeMs };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : undefined;
  }
}

/** `text` is absent for what is no text to follow. */
interface Kept {
  readonly version: string;
  readonly text?: MarkedText;
}

/**
 * The content of files before the agent touched them, so that lines of a command can be told apart from lines that were
 * there before. Files that match the checked-out commit are read from Git; all others are kept in memory.
 */
export class EarlierTexts {
  private readonly texts = new Map<string, Kept>();
  private lines = 0;
  /** Whether all is known that differs from the commit; then a file that is in neither was not there. */
  private all = false;
  private overflowed = false;
  /** Folders that are repositories of their own: nothing is known of what is in them. */
  private closed: readonly string[] = [];
  private repository: GitTexts | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly folder: string) {}

  get git(): GitTexts | undefined {
    return this.repository;
  }

  /** Whether it is known of every file what it holds. */
  get complete(): boolean {
    return this.all;
  }

  /**
   * Reads what is not as in the commit; the first call does it. `anew`: everything may have changed,
   * as after another branch was checked out.
   */
  begun(anew = false): Promise<void> {
    if (anew) this.reading = undefined;
    return (this.reading ??= this.begin().catch(() => undefined));
  }

  version(relative: string): string | undefined {
    return this.texts.get(relative)?.version;
  }

  keep(relative: string, version: string, text?: MarkedText): void {
    this.forget(relative);
    const more = text?.lines.length ?? 0;
    if (this.texts.size >= mostFiles || this.lines + more > mostLines) {
      this.overflowed = true;
      this.all = false;
      return;
    }
    this.texts.set(relative, { version, ...(text && { text }) });
    this.lines += more;
  }

  forget(relative: string): void {
    this.lines -= this.texts.get(relative)?.text?.lines.length ?? 0;
    this.texts.delete(relative);
  }

  /**
   * The texts before a command began with `head` checked out; null for a file that was not there. A
   * file of which that is not known is left out.
   */
  async before(paths: readonly string[], head: string | undefined): Promise<Map<string, VersionedText | null>> {
    const found = new Map<string, VersionedText | null>();
    const rest = paths.filter((each) => {
      const kept = this.texts.get(each);
      if (kept?.text) found.set(each, { version: kept.version, text: kept.text });
      return !kept && !this.closed.some((folder) => each.startsWith(folder));
    });
    const committed =
      this.repository && head !== undefined ? await this.repository.texts(head, rest) : new Map<string, null>();
    for (const each of rest) {
      const text = committed?.get(each);
      if (typeof text === 'string')
        found.set(each, { version: textVersion(unifyLineEndings(text).text), text: markedText(text, 'unknown') });
      else if (committed && this.all) found.set(each, null);
    }
    return found;
  }

  private async begin(): Promise<void> {
    this.all = false;
    this.repository ??= await GitTexts.of(this.folder);
    const paths = this.repository ? await this.repository.changed(mostFiles / 2) : await this.listed();
    if (!paths) return;
    this.closed = paths.filter((each) => each.endsWith('/'));
    this.overflowed = false;
    for (const each of paths) {
      const read = await diskText(path.join(this.folder, each));
      if (read === undefined) this.keep(each, '');
      else if (read !== 'missing') this.keep(each, read.version, markedText(read.text, 'unknown'));
    }
    this.all = !this.overflowed;
  }

  /** Without a repository: what is not left out by .gitignore. Undefined where that is too much. */
  private async listed(): Promise<string[] | undefined> {
    const place = { absolute: this.folder, folder: this.folder, display: '.' };
    const { entries, truncated } = await listFolder(
      place,
      { depth: 12, limit: mostFiles },
      (absolute) => path.relative(this.folder, absolute).split(path.sep).join('/'),
      holdingHere,
    );
    return truncated ? undefined : entries.filter(({ kind }) => kind === 'file').map((each) => each.path);
  }
}
