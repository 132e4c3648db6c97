import fs from 'node:fs/promises';
import path from 'node:path';
import { markedText, type MarkedText } from '../../core/trajectory/provenance';
import type { VersionedText } from '../../core/trajectory/provenance/fileHistory';
import { listTree } from '../files/diskList';
import { holdingHere } from '../files/heldFolder';
import { unifyLineEndings, decodeText } from '../files/textEncoding';
import { textVersion } from '../files/textVersion';
import { GitTexts } from '../git/gitTexts';
import { withSlashes } from '../storage/diskPaths';

/** Maximum size of a file whose lines are tracked, in bytes. */
const maxBytes = 1024 * 1024;
/** Maximum number of files and lines kept in memory for comparison. */
const maxFiles = 2000;
const maxLines = 1_000_000;

/** A text file on disk. `changedAt`: when its content or name last changed, in ms since 1970. */
export interface DiskText {
  readonly text: string;
  readonly version: string;
  readonly changedAt: number;
}

/**
 * Reads a text file. Returns `missing` if it does not exist, undefined if it is not plain text of a reasonable size.
 */
export async function diskText(file: string): Promise<DiskText | 'missing' | undefined> {
  try {
    const stat = await fs.lstat(file);
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const decoded = decodeText(await fs.readFile(file));
    return typeof decoded === 'string'
      ? undefined
      : { text: decoded.text, version: textVersion(decoded.text), changedAt: stat.ctimeMs };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : undefined;
  }
}

/** `text` is absent if the file is not tracked text. */
interface CachedText {
  readonly version: string;
  readonly text?: MarkedText;
}

/**
 * The content of files before the agent changed them, to tell the lines of a command apart from earlier ones. Files
 * that match the checked-out commit are read from Git; all others are kept in memory.
 */
export class EarlierTexts {
  private readonly texts = new Map<string, CachedText>();
  private lines = 0;
  /** True if everything that differs from the commit is known; then a file that is in neither did not exist. */
  private all = false;
  private overflowed = false;
  /** Nested repositories: nothing is known of their content. */
  private closed: readonly string[] = [];
  private repository: GitTexts | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly folder: string) {}

  get git(): GitTexts | undefined {
    return this.repository;
  }

  /** True if the content of every file is known. */
  get complete(): boolean {
    return this.all;
  }

  /**
   * Reads what differs from the commit; only the first call does so. `anew`: read again, as everything may have
   * changed, such as after checking out another branch.
   */
  readOnce({ anew = false }: { readonly anew?: boolean } = {}): Promise<void> {
    if (anew) this.reading = undefined;
    return (this.reading ??= this.begin().catch(() => undefined));
  }

  version(relative: string): string | undefined {
    return this.texts.get(relative)?.version;
  }

  store(relative: string, version: string, text?: MarkedText): void {
    this.forget(relative);
    const more = text?.lines.length ?? 0;
    if (this.texts.size >= maxFiles || this.lines + more > maxLines) {
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
   * Returns the texts before a command that began with `head` checked out; null for a file that did not exist. Omits
   * files for which that is unknown.
   */
  async textsBefore(paths: readonly string[], head: string | undefined): Promise<Map<string, VersionedText | null>> {
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
    this.repository ??= await GitTexts.inFolder(this.folder);
    const paths = this.repository ? await this.repository.changedFiles(maxFiles / 2) : await this.listFiles();
    if (!paths) return;
    this.closed = paths.filter((each) => each.endsWith('/'));
    this.overflowed = false;
    for (const each of paths) {
      const read = await diskText(path.join(this.folder, each));
      if (read === undefined) this.store(each, '');
      else if (read !== 'missing') this.store(each, read.version, markedText(read.text, 'unknown'));
    }
    this.all = !this.overflowed;
  }

  /**
   * Without a repository: lists the files that .gitignore does not exclude. Returns undefined if there are too many.
   */
  private async listFiles(): Promise<string[] | undefined> {
    const place = { absolute: this.folder, folder: this.folder, display: '.' };
    const { entries, truncated } = await listTree(
      place,
      { depth: 12, limit: maxFiles },
      {
        display: (absolute) => withSlashes(path.relative(this.folder, absolute)),
        isUnlisted: () => false,
        holding: holdingHere,
      },
    );
    return truncated ? undefined : entries.filter(({ kind }) => kind === 'file').map((each) => each.path);
  }
}
