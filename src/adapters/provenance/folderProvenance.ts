import path from 'node:path';
import fs from 'node:fs/promises';
import { afterChange, markedText, type MarkedText, type StepOrigin } from '../../core/trajectory/provenance';
import { fingerprints } from '../../core/trajectory/provenance/fingerprints';
import { textVersion } from '../files/textVersion';
import { CommandTimes } from './commandTimes';
import { DiskChanges } from './diskChanges';
import { EarlierTexts } from './earlierTexts';
import { FileMarks } from './fileMarks';
import { ProvenanceStore } from './provenanceStore';

/** News of files wait this long for company. */
const companyMs = 150;

/** What a tool wrote. `before` is null for a new file; `typed`: a person had typed in it since it was saved. */
export interface Written {
  readonly before: string | null;
  readonly after: string;
  readonly by: StepOrigin;
  readonly typed: boolean;
}

/**
 * Who wrote the lines of the files of one workspace folder. It is told what tools write, when commands
 * run, what is saved, and which files changed on disk, and keeps what follows from it. Only files that
 * the agent had a hand in are kept. Work is done in turn and nobody waits for it, neither tool nor
 * command. Paths are relative to the folder, with "/".
 */
export class FolderProvenance {
  private readonly store: ProvenanceStore;
  private readonly marks: FileMarks;
  private readonly earlier: EarlierTexts;
  private readonly commands: CommandTimes;
  private readonly disk: DiskChanges;
  private readonly news = new Set<string>();
  /** How many tools write a file at this moment: they tell what became of it. */
  private readonly writers = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<unknown> = Promise.resolve();

  /**
   * `folder` is absolute, links resolved; its records are in `storageFolder`. `changed` hears of files whose
   * marks may be others now, `failed` of what went wrong.
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
   * Before the first command: reads what is there, beside other work. Resolves when that is known; a
   * command that begins earlier is not held up.
   */
  async begin(): Promise<void> {
    void this.inTurn(() => this.store.prune());
    void this.inTurn(() => this.commands.shorten());
    await this.earlier.begun();
  }

  /** A tool is about to write the file; the returned function tells what it wrote, or that it wrote nothing. */
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

  /** A command of the agent begins; resolves, after two small reads, to what is to be called when it ended. */
  async commandBegan(by: StepOrigin): Promise<() => void> {
    const { complete } = this.earlier;
    return this.commands.began(by, complete, complete ? await this.earlier.git?.head() : undefined);
  }

  /** A person saved the file in the editor. */
  saved(relative: string, text: string): void {
    if (this.isWritten(relative)) return;
    void this.inTurn(async () => {
      if (await this.marks.history(relative)) await this.marks.settleOn(relative, text, 'person');
      else this.earlier.keep(relative, textVersion(text), markedText(text, 'unknown'));
    });
  }

  /** The file is another than before, or gone. Many at once are cheap. */
  fileChanged(relative: string): void {
    this.news.add(relative);
    this.timer ??= setTimeout(() => this.lookAtNews(), companyMs);
  }

  /** A person renamed the file in the editor, or a folder with all that is in it. */
  renamed(from: string, to: string): void {
    void this.inTurn(async () => {
      await this.renamedFile(from, to);
      for (const name of await filesBelow(path.join(this.folder, to)))
        await this.renamedFile(`${from}/${name}`, `${to}/${name}`);
    });
  }

  /**
   * The lines of a file with who wrote them; undefined for one that the agent had no hand in. `typed`: the text is that
   * of an editor and not saved yet, so what differs from the disk is the person's.
   */
  async marksOf(relative: string, text: string, typed: boolean): Promise<MarkedText | undefined> {
    const version = textVersion(text);
    const history = await this.marks.history(relative);
    const known = history?.text(version) ?? (history ? undefined : await this.adopted(relative, version));
    if (known || !history) return known;
    if (!typed) {
      // It changed while nobody looked.
      await this.inTurn(() => this.disk.account([relative], this.isWritten));
      const found = (await this.marks.history(relative))?.text(version);
      if (found) return found;
    }
    const lines = fingerprints(text);
    const base = (typed ? await this.marks.latest(relative) : undefined) ?? history.nearest(lines);
    return base && afterChange(base.text, lines, typed ? 'person' : 'unknown');
  }

  /** When all that was told is kept. */
  async settled(): Promise<void> {
    this.lookAtNews();
    await this.work;
    await this.settledCommands();
  }

  /** When other windows can know which commands run here. */
  settledCommands(): Promise<void> {
    return this.commands.settled();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private readonly isWritten = (relative: string): boolean => (this.writers.get(relative) ?? 0) > 0;

  /** A file that got another name while nobody looked keeps its marks under the new one. */
  private async adopted(relative: string, version: string): Promise<MarkedText | undefined> {
    const found = await this.marks.underAnotherName(relative, version);
    if (found)
      await this.inTurn(async () => {
        if (!(await this.marks.history(relative))) await this.marks.begin(relative, found);
      });
    return found?.text;
  }

  private async renamedFile(from: string, to: string): Promise<void> {
    const latest = await this.marks.latest(from);
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

/** Entries that are looked at in a folder that was renamed; what is beyond them is not followed. */
const mostEntries = 20_000;

/**
 * The files below a folder, relative to it, with "/": "sub/a.ts". Nothing where it is no folder; links are not
 * followed, and what Git and packages keep is left out.
 */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  let left = mostEntries;
  for (let next = folders.shift(); next !== undefined && left > 0; next = folders.shift()) {
    const entries = await fs.readdir(path.join(folder, next), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, left)) {
      const name = next === '' ? entry.name : `${next}/${entry.name}`;
      if (entry.isFile()) files.push(name);
      else if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') folders.push(name);
    }
    left -= entries.length;
  }
  return files;
}
