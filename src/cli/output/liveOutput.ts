import { stripVTControlCharacters } from 'node:util';

/** Shorter commands show their output when they end. In ms. */
const patience = 2_000;
/** Lines of one command that are shown while it runs; the log has all. */
const maxLines = 400;

interface Running {
  readonly timer: NodeJS.Timeout;
  /** Output that is not shown yet: at most the last lines until the command is shown, then an incomplete line. */
  waiting: string;
  isShown: boolean;
  lines: number;
}

/** The output of commands that take long, line by line while they run. `print` prints a line of its own. */
export class LiveOutputPrinter {
  private readonly running = new Map<string, Running>();

  constructor(private readonly print: (line: string) => void) {}

  /** Notes that a command began; `title` is shown once it takes long. */
  commandBegan(id: string, title: string): void {
    const timer = setTimeout(() => {
      this.print(title);
      command.isShown = true;
      this.showLines(command);
    }, patience);
    timer.unref();
    const command: Running = { timer, waiting: '', isShown: false, lines: 0 };
    this.running.set(id, command);
  }

  add(id: string, text: string): void {
    const command = this.running.get(id);
    if (!command) return;
    command.waiting += stripVTControlCharacters(text.replace(/\r\n/g, '\n'));
    if (command.isShown) this.showLines(command);
    else command.waiting = command.waiting.split('\n').slice(-20).join('\n');
  }

  /** Returns whether all output of the command was shown while it ran. */
  commandEnded(id: string): boolean {
    const command = this.running.get(id);
    if (!command) return false;
    clearTimeout(command.timer);
    this.running.delete(id);
    if (command.isShown && command.waiting !== '') this.showLine(command, command.waiting);
    return command.isShown && command.lines < maxLines;
  }

  private showLines(command: Running): void {
    const lines = command.waiting.split('\n');
    command.waiting = lines.pop()!.slice(-10_000);
    for (const line of lines) this.showLine(command, line);
  }

  /** Shows only the last state of a line that was overwritten in place, such as a progress bar. */
  private showLine(command: Running, line: string): void {
    command.lines++;
    if (command.lines < maxLines) this.print(`  ${line.slice(line.lastIndexOf('\r', line.length - 2) + 1).trimEnd()}`);
    else if (command.lines === maxLines) this.print('  … the rest is shown when the command ends …');
  }
}
