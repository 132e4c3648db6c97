import { progressLine, type BatchProgressFacts } from '../../core/batch/batchProgress';
import type { TaskResult } from '../../core/batch/taskResult';
import { shownName } from '../../core/text/shownName';
import { escapeForTerminal } from '../output/escapeForTerminal';
import { stderr, stdout } from '../output/output';
import { truncate } from '../../protocol/plain/truncate';

const redrawMs = 200;
const barWidth = 24;
/** Maximum length of a task name in a line. */
const maxIdLength = 80;

/** Shows the progress of a batch. */
export interface ProgressView {
  ended(result: TaskResult): void;
  /** Shows a sentence between the lines. */
  say(words: string): void;
  close(): void;
}

/** Creates a view: a progress bar on a terminal, otherwise a line per task, or JSON lines on stdout if requested. */
export function progressView(facts: () => BatchProgressFacts, { json }: { readonly json: boolean }): ProgressView {
  if (json)
    return {
      ended: (result) => stdout.write(`${JSON.stringify(result)}\n`),
      say: (words) => stderr.write(`${words}\n`),
      close: () => undefined,
    };
  return stderr.isTTY ? drawnBar(facts) : plainLines(facts);
}

function plainLines(facts: () => BatchProgressFacts): ProgressView {
  return {
    ended: (result) => stderr.write(`${endLine(result)}  (${progressLine(facts())})\n`),
    say: (words) => stderr.write(`${words}\n`),
    close: () => undefined,
  };
}

function drawnBar(facts: () => BatchProgressFacts): ProgressView {
  const clear = '\r\u001b[K';
  const draw = (): void => {
    // A terminal with unknown width reports 0.
    const width = process.stderr.columns || 80;
    stderr.write(`${clear}${progressLine(facts(), barWidth).slice(0, width - 1)}`);
  };
  const above = (words: string): void => {
    stderr.write(`${clear}${words}\n`);
    draw();
  };
  const timer = setInterval(draw, redrawMs);
  draw();
  return {
    ended: (result) => (result.status === 'done' ? draw() : above(endLine(result))),
    say: above,
    close() {
      clearInterval(timer);
      draw();
      stderr.write('\n');
    },
  };
}

function endLine({ id, status, reason, steps, seconds }: TaskResult): string {
  const why = reason === '' ? '' : `: ${reason.split('\n', 1)[0]!}`;
  const name = shownName(truncate(id, maxIdLength));
  return escapeForTerminal(
    `${name}  ${status}${why}  ${steps === 1 ? '1 step' : `${steps} steps`}, ${seconds.toFixed(1)} s`,
  );
}
