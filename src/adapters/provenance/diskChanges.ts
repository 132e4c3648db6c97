import path from 'node:path';
import { markedText } from '../../core/trajectory/provenance';
import type { VersionedText } from '../../core/trajectory/provenance/fileHistory';
import type { CommandTime, CommandTimes } from './commandTimes';
import { diskText, type DiskText, type EarlierTexts } from './earlierTexts';
import type { FileMarks } from './fileMarks';

/** Maximum number of files examined in one burst; more means a branch switch or a build, not an edit. */
const maxAtOnce = 500;
/** In ms: a file that appears within this time after another vanished may be the same file. */
const renameMs = 5000;
/** In ms: a command of another window is left to that window, unless it ended longer ago than this. */
const othersMs = 5000;

/** A file that changed on disk without a report of who changed it. */
interface Changed extends DiskText {
  readonly relative: string;
  readonly command: CommandTime | undefined;
}

/** Determines who changed files on disk: the command that ran at that time, or somebody else. */
export class DiskChanges {
  /** When each missing file was first noticed. */
  private readonly missingSince = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly marks: FileMarks,
    private readonly earlier: EarlierTexts,
    private readonly commands: CommandTimes,
  ) {}

  async account(all: readonly string[], isWritten: (relative: string) => boolean): Promise<void> {
    if (all.length === 0) return;
    await this.earlier.readOnce();
    if (all.length > maxAtOnce) await this.earlier.readOnce({ anew: true });
    const now = Date.now();
    for (const [name, at] of this.missingSince) if (now - at > renameMs) this.missingSince.delete(name);
    const changes: Changed[] = [];
    for (const relative of all.slice(0, maxAtOnce)) {
      const change = isWritten(relative) ? undefined : await this.unknownChange(relative);
      if (change) changes.push(change);
    }
    const commands = new Set(changes.map(({ command }) => command));
    for (const command of commands) {
      const its = changes.filter((change) => change.command === command);
      if (command) await this.byCommand(its, command);
      else for (const change of its) await this.byOthers(change);
    }
  }

  /** Returns undefined if the text is known, another window will report it, or the file is not tracked text. */
  private async unknownChange(relative: string): Promise<Changed | undefined> {
    const read = await diskText(path.join(this.folder, relative));
    if (read === 'missing') this.missingSince.set(relative, Date.now());
    if (read === undefined || read === 'missing') return undefined;
    const history = await this.marks.history(relative);
    if ((history?.latest ?? this.earlier.version(relative)) === read.version) return undefined;
    if (history?.text(read.version)) {
      await this.marks.recordVersionAgain(relative, read.version);
      return undefined;
    }
    const command = await this.commands.commandAt(read.changedAt);
    if (command && !command.ranHere && (command.to === undefined || Date.now() - command.to < othersMs))
      return undefined;
    return { ...read, relative, command };
  }

  private async byCommand(changes: readonly Changed[], command: CommandTime): Promise<void> {
    const known = new Set<string>();
    for (const { relative } of changes) if (await this.marks.latestText(relative)) known.add(relative);
    const paths = changes.map(({ relative }) => relative).filter((relative) => !known.has(relative));
    const ignored = await this.ignoredPaths(paths);
    const before = command.isComplete
      ? await this.earlier.textsBefore(
          paths.filter((each) => !ignored.has(each)),
          command.head,
        )
      : new Map<string, VersionedText | null>();
    const restored = await this.restoredFiles(changes, command);
    for (const { relative, text, version } of changes) {
      const by = restored.has(relative) ? 'unknown' : command.by;
      const was = known.has(relative)
        ? await this.marks.latestText(relative)
        : ((await this.textUnderOldName(relative, version, text)) ??
          (by === 'unknown' ? undefined : before.get(relative)));
      if (was === undefined) {
        if (!ignored.has(relative)) this.earlier.store(relative, version, markedText(text, 'unknown'));
        continue;
      }
      this.earlier.forget(relative);
      if (was && !known.has(relative)) await this.marks.begin(relative, was);
      await this.marks.keep(relative, was ?? undefined, text, by);
    }
  }

  private async byOthers({ relative, text, version }: Changed): Promise<void> {
    const latest = await this.marks.latestText(relative);
    const was = latest ?? (await this.textUnderOldName(relative, version, text));
    if (!was) return this.earlier.store(relative, version, markedText(text, 'unknown'));
    if (!latest) await this.marks.begin(relative, was);
    await this.marks.keep(relative, was, text, 'unknown');
  }

  private async textUnderOldName(relative: string, version: string, text: string): Promise<VersionedText | undefined> {
    return (
      (await this.marks.underAnotherName(relative, version)) ?? this.marks.goneFrom(this.missingSince.keys(), text)
    );
  }

  /**
   * Returns the paths that .gitignore excludes; all of them if that cannot be determined, as in a nested repository.
   */
  private async ignoredPaths(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const { git } = this.earlier;
    return git && paths.length > 0 ? ((await git.ignoredPaths(paths)) ?? new Set(paths)) : new Set();
  }

  /**
   * Returns the files that match a commit from before the command: the command restored their text and did not write
   * it.
   */
  private async restoredFiles(changes: readonly Changed[], command: CommandTime): Promise<ReadonlySet<string>> {
    const { git } = this.earlier;
    const head = await git?.head();
    if (!git || head === undefined) return new Set();
    if (head !== command.head && ((await git.timeOf(head)) ?? Infinity) + 1000 > command.from) return new Set();
    const texts = await git.texts(
      head,
      changes.map(({ relative }) => relative),
    );
    return new Set(
      changes
        .filter(({ relative, text }) => texts?.get(relative)?.replace(/(?<!\r)\r+\n/g, '\n') === text)
        .map(({ relative }) => relative),
    );
  }
}
