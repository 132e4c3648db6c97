import type { History } from '../../core/log/projection';
import { alignSteps } from '../../core/trajectory/alignSteps';
import { figuresOf } from '../../core/trajectory/figures';
import { findSteps, stepsOf } from '../../core/trajectory/steps';
import {
  FromInspector,
  type FromInspectorHandlers,
  type RunFacts,
  type ToInspector,
} from '../../protocol/inspector/inspector';
import { MessageRate } from '../common/messageRate';
import { StepAnswers, type StepQuestion } from './stepAnswers';
import { errorMessage } from '../../core/text/errorMessage';

/** Number of rows in the first message, which the view can show immediately, and in each further one. */
const FIRST_ROWS = 400;
const PAGE_ROWS = 4000;

/** Throttle interval for new events of a live run, in ms. */
const FOLLOW_MS = 200;

/** A log on display. `history` may grow; `facts` is then called again. */
export interface Run {
  readonly history: History;
  /**
   * Returns the same events with everything that a foreign file contains beyond them, which takes longer to read. If
   * absent, `history` has it.
   */
  complete?(): Promise<History>;
  facts(): RunFacts;
}

/** Actions that are handled elsewhere: in editors, the clipboard, other files. */
export type InspectorActions = Pick<
  FromInspectorHandlers,
  'neighbour' | 'open_text' | 'open_file' | 'open_diff' | 'open_link' | 'open_session' | 'fork' | 'restore' | 'copy'
>;

/** What an inspector needs from its window or from the page that replaces it. */
export interface InspectorParts {
  post(message: ToInspector): void;
  /** Reads one log, or two to compare, from disk on every call. */
  load(): Promise<readonly Run[]>;
  /** False if the first run must be loaded again to see its new events. If absent, its history grows. */
  isLive?(): boolean;
  readonly actions: InspectorActions;
  onProblem(problem: unknown): void;
}

/**
 * Host side of the connection to one inspector: sends rows in pages, and the content of a row on request. Does not
 * depend on VS Code.
 */
export class InspectorChannel {
  runs: readonly Run[] = [];
  private readonly rate = new MessageRate();
  private attached = false;
  private loading: Promise<void> | undefined;
  private followTimer: NodeJS.Timeout | undefined;
  /** Number of events of the first run that the view has received. */
  private sentCount = 0;
  private readonly answers = new StepAnswers();
  /** Event of the first run whose row to open. */
  private wantedSeq: number | undefined;

  constructor(private readonly parts: InspectorParts) {}

  /** Handles a message from the view. Invalid messages are reported and dropped. Never rejects. */
  async receive(raw: unknown): Promise<void> {
    try {
      const allowed = this.rate.next();
      if (allowed === 'drop') return;
      if (allowed === 'refuse')
        throw new Error(
          'The inspector sends more messages than a person can cause, so Waymark ignores further ones for a moment.',
        );
      const message = FromInspector.safeParse(raw);
      if (!message.success)
        throw new Error(
          'The inspector sent an unknown message, so Waymark ignored it. If it does not react, close and reopen the editor.',
          { cause: message.error },
        );
      await this.handle(message.data);
    } catch (error) {
      this.parts.post({ type: 'problem', words: errorMessage(error) });
      this.parts.onProblem(error);
    }
  }

  /** Opens the row of event `seq` of the first run, now or as soon as the view is ready. */
  show(seq: number): void {
    this.wantedSeq = seq;
    this.postWanted();
  }

  /** Tells the view that the file has changed since it was read. */
  grown(): void {
    if (this.attached) this.parts.post({ type: 'grown' });
  }

  /** Called when events were added to the log on display. Throttled. */
  appended(): void {
    if (this.runs.length > 0 && this.attached) this.followTimer ??= setTimeout(() => this.follow(), FOLLOW_MS);
  }

  /** Sends the position among the trajectories to the view. */
  sendPosition(position: number, count: number): void {
    this.parts.post({ type: 'place', position, count });
  }

  dispose(): void {
    clearTimeout(this.followTimer);
  }

  private handle(message: FromInspector): void | Promise<void> {
    switch (message.type) {
      case 'ready':
        this.attached = true;
        return this.load({ stay: false });
      case 'reload':
        return this.load({ stay: true });
      case 'details':
      case 'request':
      case 'message':
        return this.answer(message);
      case 'find':
        return this.find(message);
      case 'figures':
        this.parts.post({ type: 'figures', run: message.run, figures: figuresOf(this.history(message.run)) });
        return undefined;
      default:
        return (this.parts.actions[message.type] as (message: FromInspector) => void | Promise<void>)(message);
    }
  }

  private async answer(question: StepQuestion): Promise<void> {
    const { type, run } = question;
    const history = type === 'details' ? await this.completeHistory(run) : this.history(run);
    const answer = await this.answers.answer(history, question);
    if (answer) this.parts.post(answer);
  }

  private async find({ run, words }: Extract<FromInspector, { type: 'find' }>): Promise<void> {
    this.parts.post({ type: 'found', run, words, seqs: findSteps(await this.completeHistory(run), words) });
  }

  /** Returns the events of a run with everything that its file contains. */
  async completeHistory(run: number): Promise<History> {
    // The file may be gone since.
    const complete = await this.runs[run]?.complete?.().catch(() => undefined);
    return complete ?? this.history(run);
  }

  private history(run: number): History {
    return this.runs[run]?.history ?? [];
  }

  /** Reloads the runs. `stay`: keep open rows open. A concurrent call joins the one in progress. */
  load({ stay = false }: { readonly stay?: boolean } = {}): Promise<void> {
    return (this.loading ??= this.read(stay).finally(() => {
      this.loading = undefined;
    }));
  }

  private async read(stay: boolean): Promise<void> {
    this.runs = await this.parts.load();
    this.answers.forget();
    this.sentCount = this.history(0).length;
    this.runs.forEach(({ history, facts }, run) => {
      const { rows } = stepsOf(history);
      this.parts.post({
        type: 'run',
        run,
        facts: facts(),
        total: rows.length,
        rows: rows.slice(0, FIRST_ROWS),
        ...(stay && { stay }),
      });
    });
    this.postWanted();
    for (const [run, { history }] of this.runs.entries()) await this.sendRemainingRows(run, history);
    const [left, right] = this.runs;
    if (left && right) this.parts.post({ type: 'pairs', pairs: await alignSteps(left.history, right.history) });
  }

  /** Sends the remaining rows, and lets other messages be handled in between. */
  private async sendRemainingRows(run: number, history: History): Promise<void> {
    const { rows } = stepsOf(history);
    for (let from = FIRST_ROWS; from < rows.length && this.runs[run]?.history === history; from += PAGE_ROWS) {
      this.parts.post({ type: 'rows', run, from, rows: rows.slice(from, from + PAGE_ROWS) });
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Sends the rows that new events changed, and all after them. */
  private follow(): void {
    this.followTimer = undefined;
    if (this.parts.isLive?.() === false)
      return void this.load({ stay: true }).catch((problem: unknown) => this.parts.onProblem(problem));
    const run = this.runs[0];
    if (!run || run.history.length <= this.sentCount) return;
    const { rows, owner } = stepsOf(run.history);
    const from = owner.slice(this.sentCount).reduce((least, row) => Math.min(least, row), rows.length);
    this.sentCount = run.history.length;
    this.parts.post({ type: 'rows', run: 0, from, rows: rows.slice(from), facts: run.facts() });
  }

  private postWanted(): void {
    if (this.wantedSeq === undefined || !this.attached || this.runs.length === 0) return;
    const { rows, owner } = stepsOf(this.history(0));
    const row = rows[owner[this.wantedSeq] ?? -1];
    this.wantedSeq = undefined;
    if (row) this.parts.post({ type: 'show', run: 0, seq: row.seq });
  }
}
