import path from 'node:path';
import fs from 'node:fs/promises';
import { textAfterChange, markedText, type MarkedText, type StepOrigin } from '../../core/trajectory/provenance';
import { fingerprints } from '../../core/trajectory/provenance/fingerprints';
import { textVersion } from '../files/textVersion';
import { withoutOwnFiles } from '../storage/skippedFolders';
import { CommandTimes } from './commandTimes';
import { DiskChanges } from './diskChanges';
import { EarlierTexts } from './earlierTexts';
import { FileMarks } from './fileMarks';
import { ProvenanceStore } from './provenanceStore';

/** How long file changes are batched, in ms. */
const companyMs = 150;

/** What a tool wrote. `before` is null for a new file; `typed`: the user had edited it since it was saved. */
interface Written {
  readonly before: string | null;
  readonly after: string;
  readonly by: StepOrigin;
  readonly typed: boolean;
}

/**
 * Tracks who wrote the lines of the files of one workspace folder. Callers report what tools write, when commands run,
 * what is saved and which files changed on disk. Stores only files that the agent changed. The work is queued; tools
 * and commands never wait for it. Paths are relative to the folder, with "/".
 */
export class FolderProvenance {
  private readonly store: ProvenanceStore;
  private readonly marks: FileMarks;
  private readonly earlier: EarlierTexts;
  private readonly commands: CommandTimes;
  private readonly disk: DiskChanges;
  private readonly news = new Set<string>();
  /** Number of tools that are writing a file: they report the result themselves. */
  private readonly writers = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<unknown> = Promise.resolve();

  /**
   * `folder`: absolute, with links resolved; its records are in `storageFolder`. `changed` is called with files whose
   * marks may have changed, `failed` with errors.
   */
  constructor(
    private readonly folder: string,
    storageFolder: string,
    changed: (relative: string) => void = () => undefined,
    private readonly failed: (problem: unknown) => void = () => undefined,
  ) {
    this.store = new ProvenanceStore(storageFolder);
    this.marks = new FileMarks(this.store, changed);
    this.earlier = new EarlierTexts(folder);
    this.commands = new CommandTimes(path.join(storageFolder, 'commands.jsonl'));
    this.disk = new DiskChanges(folder, this.marks, this.earlier, this.commands);
  }

  /**
   * Reads the existing files in the background; call it before the first command. Resolves when done; a command that
   * begins earlier does not wait.
   */
  async begin(): Promise<void> {
    void this.inTurn(() => this.store.prune());
    void this.inTurn(() => this.commands.shorten());
    await this.earlier.readOnce();
  }

  /**
   * Reports that a tool is about to write the file. Call the returned function with what it wrote, or without arguments
   * if it wrote nothing.
   */
  writing(relative: string): (wrote?: Written) => void {
    this.writers.set(relative, (this.writers.get(relative) ?? 0) + 1);
    return (wrote) => {
      void this.inTurn(async () => {
        this.writers.set(relative, this.writers.get(relative)! - 1);
        if (!wrote) return;
        const { before, after, by, typed } = wrote;
        this.earlier.forget(relative);
        await this.marks.keep(
          relative,
          before === null ? undefined : await this.marks.settleOn(relative, before, typed ? 'person' : 'unknown'),
          after,
          by,
        );
      });
    };
  }

  /**
   * Reports that a command of the agent begins. After two small reads, resolves to the function to call when it ends.
   */
  async commandBegan(by: StepOrigin): Promise<() => void> {
    const { complete } = this.earlier;
    return this.commands.began(by, complete, complete ? await this.earlier.git?.head() : undefined);
  }

  /** Reports that the user saved the file in the editor. */
  saved(relative: string, text: string): void {
    if (this.isWritten(relative)) return;
    void this.inTurn(async () => {
      if (await this.marks.history(relative)) await this.marks.settleOn(relative, text, 'person');
      else this.earlier.store(relative, textVersion(text), markedText(text, 'unknown'));
    });
  }

  /** Reports that the file changed or was deleted. Many calls at once are cheap. */
  fileChanged(relative: string): void {
    this.news.add(relative);
    this.timer ??= setTimeout(() => this.lookAtNews(), companyMs);
  }

  /** Reports that the user renamed a file in the editor, or a folder with all its content. */
  renamed(from: string, to: string): void {
    void this.inTurn(async () => {
      await this.renamedFile(from, to);
      for (const name of await filesBelow(path.join(this.folder, to)))
        await this.renamedFile(`${from}/${name}`, `${to}/${name}`);
    });
  }

  /**
   * Returns the lines of a file with who wrote them; undefined if the agent did not change the file. `typed`: the text
   * is an editor's unsaved text, so differences from the disk are the user's.
   */
  async marksOf(relative: string, text: string, typed: boolean): Promise<MarkedText | undefined> {
    const version = textVersion(text);
    const history = await this.marks.history(relative);
    const known = history?.text(version) ?? (history ? undefined : await this.adoptRenamed(relative, version));
    if (known || !history) return known;
    if (!typed) {
      // It changed while not watched.
      await this.inTurn(() => this.disk.account([relative], this.isWritten));
      const found = (await this.marks.history(relative))?.text(version);
      if (found) return found;
    }
    const lines = fingerprints(text);
    const base = (typed ? await this.marks.latestText(relative) : undefined) ?? history.nearest(lines);
    return base && textAfterChange(base.text, lines, typed ? 'person' : 'unknown');
  }

  /** Resolves when everything reported is stored. */
  async settled(): Promise<void> {
    this.lookAtNews();
    await this.work;
    await this.settledCommands();
  }

  /** Resolves when other windows can see which commands run here. */
  settledCommands(): Promise<void> {
    return this.commands.settled();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private readonly isWritten = (relative: string): boolean => (this.writers.get(relative) ?? 0) > 0;

  /** A file that was renamed while not watched keeps its marks under the new name. */
  private async adoptRenamed(relative: string, version: string): Promise<MarkedText | undefined> {
    const found = await this.marks.underAnotherName(relative, version);
    if (found)
      await this.inTurn(async () => {
        if (!(await this.marks.history(relative))) await this.marks.begin(relative, found);
      });
    return found?.text;
  }

  private async renamedFile(from: string, to: string): Promise<void> {
    const latest = await this.marks.latestText(from);
    if (latest) await this.marks.begin(to, latest);
  }

  private lookAtNews(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const news = [...this.news];
    this.news.clear();
    void this.inTurn(() => this.disk.account(news, this.isWritten));
  }

  private inTurn(work: () => Promise<unknown>): Promise<void> {
    const turn = this.work.then(work).then(() => undefined, this.failed);
    this.work = turn;
    return turn;
  }
}

/** Maximum number of entries examined in a renamed folder; the rest is not tracked. */
const maxEntries = 20_000;

/**
 * Returns the files below a folder, relative to it, with "/": "sub/a.ts". Returns none if it is not a folder. Does not
 * follow links; skips what Git and package managers store.
 */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  let left = maxEntries;
  for (let next = folders.shift(); next !== undefined && left > 0; next = folders.shift()) {
    const entries = await fs.readdir(path.join(folder, next), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, left)) {
      const name = next === '' ? entry.name : `${next}/${entry.name}`;
      if (entry.isFile()) files.push(name);
      else if (entry.isDirectory() && !withoutOwnFiles.has(entry.name)) folders.push(name);
    }
    left -= entries.length;
  }
  return files;
}
