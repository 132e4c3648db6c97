import { stripVTControlCharacters } from 'node:util';
import type { ConversationListener } from '../../core/session/publication';
import { secrets } from '../../core/secrets/secrets';
import type { Action, Event, EventOf, Outcome } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';
import { firstChangeLines } from '../output/changeLines';
import { LiveOutputPrinter } from '../output/liveOutput';
import { erasePassing, showPassing, stderr, type Printer } from '../output/output';
import { escapeForTerminal } from '../output/escapeForTerminal';
import { paintFor, type Paint } from '../output/paint';
import { replyTextFor, type ReplyText } from '../output/styledMarkdown';

/** Prints one event per line, as in the log. Events of a child session have its id in `child`. */
export function jsonLines(out: Printer, child?: string): ConversationListener {
  return {
    onEvent: (event) => out.write(`${JSON.stringify(child === undefined ? event : { ...event, child })}\n`),
    onUnkept: printUnkept,
    onFailure: printFailure,
  };
}

/** Prints what a child session does: one line per event, prefixed with the title of the session. */
export function childLines(out: Printer, title: string): ConversationListener {
  const actions = new Map<string, Action>();
  const shownTitle = paintFor(out)('dim', title);
  const line = (text: string): void => void out.write(`  ${shownTitle} │ ${escapeForTerminal(text)}\n`);
  return {
    onEvent(event) {
      if (event.type === 'agent_response') for (const action of event.actions) actions.set(action.id, action);
      else if (event.type === 'observation') {
        const summary = actions.get(event.actionId)?.summary ?? event.actionId;
        line(`▸ ${summary}${event.outcome === 'ok' ? '' : `  ${event.outcome}`}`);
      } else if (event.type === 'confirmation_requested')
        line(`? ${event.actionIds.map((id) => actions.get(id)?.summary ?? id).join(', ')} needs approval`);
      else if (event.type === 'retry_scheduled') line(`… ${event.why}`);
      else if (event.type === 'finished') {
        const sign = event.status === 'submitted' ? '✓' : '✗';
        const words = event.problem ? `${event.problem.what} ${event.problem.why}` : event.summary;
        line(`${sign} ${words}`.split('\n', 1)[0]!);
      }
    },
    onUnkept: printUnkept,
    onFailure: printFailure,
  };
}

const problemOf = ({ problem, summary }: EventOf<'finished'>): string =>
  problem ? [problem.what, problem.why, problem.next].join(' ') : summary;

const samplingWords = ({ candidates, chosen, reason }: NonNullable<EventOf<'agent_response'>['sampling']>): string =>
  `${candidates.length} candidates; number ${chosen + 1} was chosen. ${reason}`;

/** The result of an action in a few words; empty if it succeeded and there is nothing to add. */
function factsOf({
  details,
  durationMs,
  outcome,
}: Pick<EventOf<'observation'>, 'details' | 'outcome'> & { readonly durationMs: number }): string {
  switch (details?.kind) {
    case 'command': {
      const end = details.exitCode === null ? details.end.replaceAll('_', ' ') : `exit ${details.exitCode}`;
      return `${end} · ${(durationMs / 1000).toFixed(1)} s`;
    }
    case 'edit': {
      const changes = details.changes.map(({ from, added, removed }) =>
        from === undefined ? `+${added} −${removed}` : 'moved',
      );
      return changes.join(' ').concat(details.held ? ' held back' : '');
    }
    case 'search':
      return `${details.files} ${details.files === 1 ? 'file' : 'files'}`;
    default:
      return outcome === 'ok' ? '' : outcome;
  }
}

/** Prints text to a terminal in pieces and in whole lines. */
class TerminalLines {
  /** True if the next piece starts a line. */
  isAtStart = true;

  constructor(private readonly out: Printer) {
    this.paint = paintFor(out);
    this.replyText = replyTextFor(out);
  }

  write(text: string): void {
    if (!text) return;
    this.out.write(text);
    this.isAtStart = text.endsWith('\n');
  }

  /** Returns a whole text of the model as it is shown. */
  reply(text: string): string {
    return this.replyText.add(text) + this.replyText.end();
  }

  /** Prints the text as lines of their own. */
  line(text: string): void {
    this.write(`${this.isAtStart ? '' : '\n'}${text}\n`);
  }

  readonly paint: Paint;
  /** Text of the model, as it is shown. */
  readonly replyText: ReplyText;
}

/** A faster reply shows no wait. In ms. */
const patience = 2_000;

/** Shows at a terminal for how long the run has been waiting for the model, until a text or another line replaces it. */
class ModelWait {
  private timer: NodeJS.Timeout | undefined;
  private words = '';

  constructor(private readonly terminal: TerminalLines) {}

  /** `delayMs`: how long the request is put off. */
  start(delayMs = 0): void {
    this.stop();
    this.words = 'Waiting for the model';
    const from = performance.now() + delayMs;
    this.timer = setInterval(() => {
      const waited = performance.now() - from;
      if (waited >= patience && this.terminal.isAtStart) showPassing(`… ${this.words}  ${Math.floor(waited / 1000)} s`);
    }, 1_000);
    this.timer.unref();
  }

  /** Updates the waiting message with what the model is doing, such as thinking, which is not printed. */
  noteDelta({ kind }: Delta): void {
    if (kind === 'reasoning') this.words = 'The model is thinking';
    else if (kind === 'tool') this.words = 'The model is writing';
  }

  stop(): void {
    clearInterval(this.timer);
    erasePassing();
  }
}

/**
 * Prints a run for people: text as it streams, a line per action, the output of commands indented. `before`: earlier
 * events of the log; a pending action was proposed there.
 */
export function transcript(out: Printer, before: readonly Event[] = []): ConversationListener {
  const terminal = new TerminalLines(out);
  const reply = new StreamedReply(terminal);
  const wait = new ModelWait(terminal);
  const results = new ResultsInOrder();
  const live = out.isTTY ? new LiveOutputPrinter((line) => terminal.line(terminal.paint('dim', line))) : undefined;
  const events = new EventLines({ terminal, reply, wait, results, live });
  for (const event of before) if (event.type === 'agent_response') events.remember(event.actions);
  return {
    onEvent(event) {
      if (endsWait.has(event.type)) wait.stop();
      if (!withinGroup.has(event.type)) results.showAll();
      events.show(event);
    },
    onDelta(delta) {
      wait.noteDelta(delta);
      if (delta.kind === 'reading') wait.start();
      else if (delta.kind === 'text') {
        wait.stop();
        reply.add(delta.text);
      } else if (delta.kind === 'output') live?.add(delta.actionId, delta.text);
      else if (delta.kind === 'discard') reply.discard();
    },
    onRunning(running) {
      if (running) return;
      wait.stop();
      results.showAll();
    },
    onUnkept: printUnkept,
    onFailure: printFailure,
  };
}

interface EventLinesParts {
  readonly terminal: TerminalLines;
  readonly reply: StreamedReply;
  readonly wait: ModelWait;
  readonly results: ResultsInOrder;
  /** Absent if the output is not a terminal. */
  readonly live: LiveOutputPrinter | undefined;
}

/** Prints the events of a run. */
class EventLines {
  private readonly actions = new Map<string, Action>();
  /** Ids of actions that the user approved. */
  private readonly approved = new Set<string>();

  constructor(private readonly parts: EventLinesParts) {}

  /** Notes proposed actions, which later events refer to. */
  remember(actions: readonly Action[]): void {
    for (const action of actions) this.actions.set(action.id, action);
  }

  show(event: Event): void {
    switch (event.type) {
      case 'task_started':
        return this.showTask(event);
      case 'agent_response':
        return this.showReply(event);
      case 'action_started':
        return this.showStart(event);
      case 'observation':
        return this.addResult(event);
      case 'confirmation_resolved':
        if (event.by === 'person') for (const id of event.actionIds) this.approved.add(id);
        return undefined;
      case 'confirmation_requested':
        return this.line('yellow', `? ${this.summaries(event.actionIds)} needs approval`);
      case 'retry_scheduled':
        return this.showRetry(event);
      case 'notice':
        return saidOnStderr.has(event.about) ? undefined : this.line('dim', `! ${event.text}`);
      case 'hook_ran':
        return this.line('dim', `! ${event.text}`);
      case 'paused':
        return this.line('yellow', `■ ${event.reason}`);
      case 'finished':
        return this.showEnd(event);
      default:
        return undefined;
    }
  }

  private line(style: Parameters<Paint>[0], text: string): void {
    const { terminal } = this.parts;
    terminal.line(terminal.paint(style, text));
  }

  private summaries(ids: readonly string[]): string {
    return ids.map((id) => this.actions.get(id)?.summary ?? id).join(', ');
  }

  private showTask({ title, model, cwd }: EventOf<'task_started'>): void {
    const { terminal } = this.parts;
    const facts = terminal.paint('dim', `  ${model.name} · ${model.provider} · ${cwd}`);
    terminal.line(terminal.paint('bold', `● ${title}`) + facts);
  }

  private showReply({ actions, text, written, sampling }: EventOf<'agent_response'>): void {
    const { terminal, reply, results } = this.parts;
    this.remember(actions);
    results.expect(actions);
    if (!reply.ends(written ?? text) && text.trim() !== '') terminal.line(terminal.reply(text.trim()));
    if (sampling) this.line('dim', samplingWords(sampling));
    if (!terminal.isAtStart) terminal.write('\n');
  }

  private showStart({ actionId }: EventOf<'action_started'>): void {
    const action = this.actions.get(actionId);
    if (action?.effect === 'executes') this.parts.live?.commandBegan(action.id, `… ${action.summary}`);
  }

  private addResult(event: EventOf<'observation'>): void {
    const { terminal, results, live } = this.parts;
    const wasLive = live?.commandEnded(event.actionId) ?? false;
    const action = this.actions.get(event.actionId);
    if (!action) return;
    results.add(action, () =>
      showObservation(terminal, event, { action, wasLive, wasAsked: this.approved.has(action.id) }),
    );
  }

  private showRetry({ delayMs, why, attempt }: EventOf<'retry_scheduled'>): void {
    this.parts.wait.start(delayMs);
    this.line('yellow', `… ${why} Next try in ${(delayMs / 1000).toFixed(1)} s (attempt ${attempt}).`);
  }

  private showEnd(event: EventOf<'finished'>): void {
    const { terminal } = this.parts;
    // The answer was already shown while it streamed.
    if (event.cause === 'answer') return;
    if (event.status === 'submitted') terminal.line(`${terminal.paint('green', '✓')} ${terminal.reply(event.summary)}`);
    else this.line('red', `✗ ${problemOf(event)}`);
  }
}

/**
 * Shows the results of calls that only read, and run together, in the order of the calls: two calls can look the same.
 * Results of other calls are never held back by a call that still runs.
 */
class ResultsInOrder {
  private calls: readonly Action[] = [];
  private readonly arrived = new Map<string, () => void>();
  private readonly shown = new Set<string>();

  /** Starts with the calls of a new reply. */
  expect(calls: readonly Action[]): void {
    this.calls = calls;
    this.shown.clear();
  }

  add({ id }: Action, show: () => void): void {
    this.arrived.set(id, show);
    if (!this.calls.some((call) => call.id === id)) return this.showAll();
    for (const call of this.calls) {
      if (this.shown.has(call.id) || this.show(call.id)) continue;
      if (call.effect === 'reads') return;
    }
  }

  /** Shows everything that was held back. */
  showAll(): void {
    for (const { id } of this.calls) this.show(id);
    for (const id of [...this.arrived.keys()]) this.show(id);
  }

  private show(id: string): boolean {
    const show = this.arrived.get(id);
    if (!show) return false;
    this.arrived.delete(id);
    this.shown.add(id);
    show();
    return true;
  }
}

/** Events that may occur while a group of calls runs. */
const withinGroup: ReadonlySet<Event['type']> = new Set(['observation', 'action_started', 'notice', 'hook_ran']);

/** Shows the text of a reply as it arrives, without the empty lines with which some models begin and end. */
class StreamedReply {
  #text = '';
  #hasShown = false;
  /** Space at the end of what has arrived, shown only if text follows. */
  #heldSpace = '';

  constructor(private readonly terminal: TerminalLines) {}

  add(piece: string): void {
    this.#text += piece;
    const shown = piece.trimEnd();
    if (shown === '') return void (this.#heldSpace += piece);
    const text = this.#heldSpace + shown;
    this.#heldSpace = piece.slice(shown.length);
    this.terminal.write(this.terminal.replyText.add(this.#hasShown ? text : withoutEmptyLinesBefore(text)));
    this.#hasShown = true;
  }

  /** Ends the reply. Returns whether all of this text was shown, perhaps after reasoning. */
  ends(text: string): boolean {
    const wasShown = this.#text.endsWith(text);
    this.#clear();
    return wasShown;
  }

  discard(): void {
    if (!this.#text) return;
    this.#clear();
    this.terminal.line('(cut off; the reply starts again)');
  }

  #clear(): void {
    this.terminal.write(this.terminal.replyText.end());
    this.#text = this.#heldSpace = '';
    this.#hasShown = false;
  }
}

const withoutEmptyLinesBefore = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '');

interface Observed {
  readonly action: Action;
  /** True if all of its output was shown while it ran. */
  readonly wasLive: boolean;
  /** True if the user approved it. */
  readonly wasAsked: boolean;
}

function showObservation(
  terminal: TerminalLines,
  { outcome, content, durationMs = 0, details }: EventOf<'observation'>,
  { action, wasLive, wasAsked }: Observed,
): void {
  if (action.tool === 'finish') return;
  const facts = factsOf({ details, durationMs, outcome });
  const purpose = action.purpose ? terminal.paint('dim', `  (${action.purpose})`) : '';
  const shownFacts = facts && `  ${terminal.paint('dim', facts)}`;
  terminal.line(`${terminal.paint('cyan', '▸')} ${escapeForTerminal(action.summary)}${purpose}${shownFacts}`);
  if (details?.kind === 'edit' && !wasAsked)
    for (const line of firstChangeLines(details.changes, terminal.paint, mostChangeLines)) terminal.line(line);
  if (details?.kind === 'command' || outcome !== 'ok')
    terminal.line(terminal.paint('dim', indentedExcerpt(wasLive ? withoutOutput(content) : content)));
  const hasRun = ranOutcomes.has(outcome) && !(outcome === 'error' && isWithoutEffect(details));
  const warning = wasAsked || !hasRun ? undefined : ranAlthough(action);
  if (warning !== undefined) terminal.line(terminal.paint('yellow', `! ${warning}`));
}

/** Lines of a change that are shown. `waymark changes --diff` shows all of them. */
const mostChangeLines = 12;

/** Notices whose words the run already printed to stderr, before it began. */
const saidOnStderr: ReadonlySet<EventOf<'notice'>['about']> = new Set<EventOf<'notice'>['about']>([
  'hooks_left_out',
  'skills_left_out',
]);

const endsWait: ReadonlySet<Event['type']> = new Set(['agent_response', 'paused', 'finished']);

/** Outcomes of actions that ran. */
const ranOutcomes: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'error', 'timeout', 'interrupted']);

/** True for a call that failed before it did anything. */
const isWithoutEffect = (details: EventOf<'observation'>['details']): boolean =>
  details === undefined || (details.kind === 'command' && details.end === 'not_run');

/** A warning about a medium-risk action that ran without a question, with the first reason. */
function ranAlthough({ risk }: Action): string | undefined {
  if (risk.level !== 'medium') return undefined;
  return `ran, medium risk: ${risk.reasons[0] ?? 'no reason was given'}`;
}

/** Returns the end of the result of a command, after the output, which was already shown. */
const withoutOutput = (content: string): string => content.slice(content.lastIndexOf('\n[') + 1);

const indentedExcerpt = (text: string) => {
  const lines = stripVTControlCharacters(text).trimEnd().split('\n');
  const shown =
    lines.length <= 12 ? lines : [...lines.slice(0, 5), `… ${lines.length - 10} lines …`, ...lines.slice(-5)];
  return shown.map((each) => `  ${each}`).join('\n');
};

/** Printed at once and to stderr: the log, and everything printed from it, is delayed. */
function printUnkept(problem: string | undefined): void {
  const words = problem ?? 'The log can be written again.';
  stderr.write(`${secrets.mask(escapeForTerminal(words))}\n`);
}

function printFailure(thrown: unknown): void {
  if (process.env['WAYMARK_DEBUG'])
    stderr.write(`${secrets.mask(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))}\n`);
}
