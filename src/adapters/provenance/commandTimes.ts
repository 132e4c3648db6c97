import * as z from 'zod';
import type { StepOrigin } from '../../core/trajectory/provenance';
import { GrowingFile } from '../storage/growingFile';

/**
 * In ms: a file's timestamp may lie a kernel tick before the clock's time, and the end of a command is reported a
 * moment later.
 */
const before = 20;
const after = 10;
/** Maximum number of commands remembered, in memory and on disk. */
const maxCommands = 400;

const Begin = z.object({ id: z.string(), pid: z.number(), from: z.number(), session: z.string(), action: z.string() });
const End = z.object({ id: z.string(), to: z.number() });

/** When a command ran, in ms since 1970; `to` is absent while it is running. */
export interface CommandTime {
  readonly by: StepOrigin;
  readonly from: number;
  readonly to?: number;
  /** True if it ran in this process. */
  readonly ranHere: boolean;
  /** True if the content of every file, and the commit that was checked out, were known when it began. */
  readonly isComplete: boolean;
  readonly head?: string | undefined;
}

interface RunningCommand extends CommandTime {
  to?: number;
  readonly pid: number;
}

/**
 * Records when commands of the agent ran, in this and other windows on the same folder. File timestamps then tell what
 * the commands changed.
 */
export class CommandTimes {
  private readonly file: GrowingFile;
  private readonly times = new Map<string, RunningCommand>();
  private writing: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.file = new GrowingFile(file);
  }

  /** Returns the function to call when the command ends. Neither waits for the disk. */
  began(by: StepOrigin, isComplete: boolean, head: string | undefined): () => void {
    const id = crypto.randomUUID();
    const time: RunningCommand = { by, from: Date.now(), ranHere: true, pid: process.pid, isComplete, head };
    this.times.set(id, time);
    this.forgetOld();
    this.write({ id, pid: process.pid, from: time.from, ...by });
    return () => {
      time.to = Date.now();
      this.write({ id, to: time.to });
    };
  }

  /**
   * Returns the command that was running at this time; of several, the one that started last. Commands of this process
   * are known without disk access.
   */
  async commandAt(moment: number): Promise<CommandTime | undefined> {
    const own = this.latest(moment, { ranHere: true });
    if (own) return own;
    await this.readOthers();
    return this.latest(moment, { ranHere: false });
  }

  /** Keeps only the latest commands once there are too many on disk. */
  async shorten(): Promise<void> {
    const { lines } = await new GrowingFile(this.file.file).newLines();
    if (lines.length > 10 * maxCommands) await this.file.replace(lines.slice(-2 * maxCommands));
  }

  /** Resolves when everything is on disk. */
  async settled(): Promise<void> {
    await this.writing;
  }

  private latest(moment: number, { ranHere }: { readonly ranHere: boolean }): CommandTime | undefined {
    return [...this.times.values()]
      .filter(
        (time) =>
          time.ranHere === ranHere &&
          time.from - before <= moment &&
          (time.to === undefined ? time.ranHere || isProcessAlive(time.pid) : moment <= time.to + after),
      )
      .sort((a, b) => b.from - a.from)[0];
  }

  private async readOthers(): Promise<void> {
    for (const line of (await this.file.newLines()).lines) {
      const begin = Begin.safeParse(line);
      if (begin.success && !this.times.has(begin.data.id)) {
        const { id, pid, from, session, action } = begin.data;
        this.times.set(id, { by: { session, action }, from, ranHere: false, pid, isComplete: false });
      }
      const end = End.safeParse(line);
      const known = end.success ? this.times.get(end.data.id) : undefined;
      if (end.success && known && !known.ranHere) known.to = end.data.to;
    }
    this.forgetOld();
  }

  private forgetOld(): void {
    for (const id of this.times.keys()) {
      if (this.times.size <= maxCommands) break;
      this.times.delete(id);
    }
  }

  private write(line: object): void {
    // If the write fails, only other windows miss the entry.
    this.writing = this.writing.then(() => this.file.append(line)).catch(() => undefined);
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
