import type { History } from '../../core/agent/history';
import { findSteps } from '../../core/trajectory/findSteps';
import { outlineOf, requestPair, wholeMessage, type RequestPair } from '../../core/trajectory/requestDiff';
import { stepDetails } from '../../core/trajectory/stepDetails';
import { stepsOf } from '../../core/trajectory/steps';
import { FromInspector, type FromInspectorHandlers, type RunFacts, type ToInspector } from '../../protocol/inspector';

/** Rows of the first message, which the view can show at once, and of each that follows. */
const FIRST = 400;
const PAGE = 4000;

/** A log that is looked at. `history` may grow. */
export interface Run { readonly history: History; readonly facts: RunFacts }

/** What is done elsewhere: in editors, the clipboard, other files. */
export type InspectorActions = Pick<FromInspectorHandlers, 'neighbour' | 'open_text' | 'open_file' | 'open_diff' | 'open_link' | 'open_session' | 'copy'>;

export interface InspectorParts {
  post(message: ToInspector): void;
  /** One log, or two to be compared. Read anew each time. */
  load(): Promise<readonly Run[]>;
  readonly actions: InspectorActions;
  onProblem(problem: unknown): void;
}

/** The host's end of the wire to one inspector: rows in pages, and on request what lies behind a row. Knows nothing of VS Code. */
export class InspectorChannel {
  runs: readonly Run[] = [];
  private attached = false;
  private loading: Promise<void> | undefined;
  private readonly pairs = new Map<number, RequestPair | undefined>();
  private wanted: { readonly run: number; readonly seq: number } | undefined;

  constructor(private readonly parts: InspectorParts) {}

  /** A message from the view: checked, then answered. Anything else is reported and dropped. Never rejects. */
  async receive(raw: unknown): Promise<void> {
    try {
      const message = FromInspector.safeParse(raw);
      if (!message.success) throw new Error('The inspector sent a message that is not known here, so it was ignored. Close the editor and open it again if it does not react.', { cause: message.error });
      await this.handle(message.data);
    } catch (error) {
      this.parts.post({ type: 'problem', words: error instanceof Error ? error.message : String(error) });
      this.parts.onProblem(error);
    }
  }

  /** Opens the row that event `seq` belongs to, now or as soon as the view is there. */
  show(seq: number, run = 0): void {
    this.wanted = { run, seq };
    this.tell();
  }

  /** The file is not any more what was read. */
  grown(): void { if (this.attached) this.parts.post({ type: 'grown' }); }

  private handle(message: FromInspector): void | Promise<void> {
    switch (message.type) {
      case 'ready': this.attached = true; return this.load(false);
      case 'reload': return this.load(true);
      case 'details': {
        const details = stepDetails(this.history(message.run), message.seq);
        if (details) this.parts.post({ type: 'details', run: message.run, details });
        return undefined;
      }
      case 'request': {
        const pair = this.pair(message.run, message.seq);
        if (pair) this.parts.post({ type: 'request', run: message.run, seq: message.seq, request: outlineOf(this.history(message.run), pair, message.from) });
        return undefined;
      }
      case 'message': return this.message(message.run, message.seq, message.index);
      case 'find': this.parts.post({ type: 'found', run: message.run, words: message.words, seqs: findSteps(this.history(message.run), message.words) }); return undefined;
      case 'figures': return undefined;
      default: return (this.parts.actions[message.type] as (message: FromInspector) => void | Promise<void>)(message);
    }
  }

  private history(run: number): History { return this.runs[run]?.history ?? []; }

  /** Reads anew. `stay`: what is open stays so. Two at once are one. */
  load(stay = false): Promise<void> {
    return (this.loading ??= this.read(stay).finally(() => { this.loading = undefined; }));
  }

  private async read(stay: boolean): Promise<void> {
    this.runs = await this.parts.load();
    this.pairs.clear();
    this.runs.forEach(({ history, facts }, run) => {
      const { rows } = stepsOf(history);
      this.parts.post({ type: 'run', run, facts, total: rows.length, rows: rows.slice(0, FIRST), ...(stay && { stay }) });
    });
    this.tell();
    for (const [run, { history }] of this.runs.entries()) await this.rest(run, history);
  }

  /** The rows that the first message did not hold; in between other messages get their turn. */
  private async rest(run: number, history: History): Promise<void> {
    const { rows } = stepsOf(history);
    for (let from = FIRST; from < rows.length && this.runs[run]?.history === history; from += PAGE) {
      this.parts.post({ type: 'rows', run, from, rows: rows.slice(from, from + PAGE) });
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  private tell(): void {
    if (!this.wanted || !this.attached || this.runs.length === 0) return;
    const { run, seq } = this.wanted;
    this.wanted = undefined;
    const { rows, owner } = stepsOf(this.history(run));
    const row = rows[owner[seq] ?? -1];
    if (row) this.parts.post({ type: 'show', run, seq: row.seq });
  }

  private async message(run: number, seq: number, index: number): Promise<void> {
    const pair = this.pair(run, seq);
    const message = pair && await wholeMessage(pair, index);
    if (message) this.parts.post({ type: 'message', run, seq, message });
  }

  /** Of each run the latest that was asked for is kept. */
  private pair(run: number, seq: number): RequestPair | undefined {
    const known = this.pairs.get(run);
    if (known?.seq === seq) return known;
    const pair = requestPair(this.history(run), seq);
    this.pairs.set(run, pair);
    return pair;
  }
}
