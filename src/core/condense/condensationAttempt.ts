import type { NewEvent, EventOf } from '../../protocol/events/event';
import { viewOf } from '../model/messages';
import { type History, projection } from '../log/projection';
import { isProgress, newestStep, rangeToForget, type CondensationGoal } from './range';
import { isHeldBack, isReadByModel, readEvents, lengthThatFits, type ReadEvent, eventText } from './readEvents';
import { shorterMayHelp, SummaryFailed, type SummaryWriter } from './summaryWriter';
import { errorMessage } from '../text/errorMessage';
import { isUnfinished, todoInWords } from '../tools/native/todo';
import { withoutMiddle } from '../text/withoutMiddle';

const retriesOfReset = 5;
const shrinking = 0.8;

const shortenedNote =
  '[Shortened, because the whole result does not fit into the context window. Ask for the part that was left out in smaller pieces, such as line ranges.]';

type Shortened = NonNullable<EventOf<'condensation'>['shortened']>;

/** One attempt to condense one log. */
export class CondensationAttempt {
  private readonly read: readonly ReadEvent[];
  private readonly hard: boolean;
  private readonly began = performance.now();

  constructor(
    private readonly history: History,
    private readonly goal: CondensationGoal,
    private readonly writer: SummaryWriter,
    private readonly signal: AbortSignal,
  ) {
    this.read = readEvents(history);
    this.hard = goal.reasons.some((reason) => reason !== 'events');
  }

  /**
   * Returns the resulting event. Undefined if nobody asked for it and nothing may be forgotten before the model has read
   * its newest results.
   */
  async event(): Promise<NewEvent | undefined> {
    const range = rangeToForget(this.read, this.goal);
    if (!range && !this.hard) return undefined;
    if (!range && !this.isWorthwhile(this.forgettableEvents())) {
      const shortened = this.shortenedResults(new Set(), 0);
      if (shortened) return this.condensationEvent(new Set(), '', shortened);
      if (!this.goal.reasons.includes('request') && this.waitsForNewest()) return undefined;
    }
    try {
      return range ? await this.forget(this.read.slice(range.start, range.end)) : await this.reset();
    } catch (thrown) {
      if (this.signal.aborted) throw thrown;
      return this.failure(thrown);
    }
  }

  private async forget(events: readonly ReadEvent[]): Promise<NewEvent> {
    try {
      return await this.condensation(events, 1);
    } catch (thrown) {
      if (!this.hard || this.signal.aborted || !shorterMayHelp(thrown)) throw thrown;
      return this.reset();
    }
  }

  /** Everything except the first task and what the model has not read yet. */
  private forgettableEvents(): ReadEvent[] {
    const newest = newestStep(this.read);
    return this.read.filter(
      (event, index) => index > 0 && (index < newest || event.type === 'condensation') && !this.isUnread(event),
    );
  }

  /** True if there will be enough to forget once the model has read its newest step. */
  private waitsForNewest(): boolean {
    return isProgress(this.read.slice(newestStep(this.read)), 0, this.goal);
  }

  private isWorthwhile(events: readonly ReadEvent[]): boolean {
    return isProgress(events, this.read.length, this.goal);
  }

  /** Summarizes all that may be forgotten. Each retry uses a shorter record. */
  private async reset(): Promise<NewEvent> {
    const events = this.forgettableEvents();
    if (!this.isWorthwhile(events)) throw new SummaryFailed('Too little of it can be removed.');
    for (let retry = 0; ; retry++) {
      try {
        return await this.condensation(events, shrinking ** retry);
      } catch (thrown) {
        if (retry === retriesOfReset || this.signal.aborted || !shorterMayHelp(thrown)) throw thrown;
      }
    }
  }

  /** There is only one summary: it replaces all earlier ones. */
  private async condensation(range: readonly ReadEvent[], share: number): Promise<NewEvent> {
    const summaries = this.read.filter(({ type }) => type === 'condensation');
    const events = [...summaries.filter((event) => !range.includes(event)), ...range];
    const earlier = events.flatMap((event) =>
      event.type === 'condensation' ? [withoutPreservedParts(event.summary)] : [],
    );
    const written = await this.writer.summary(this.textsOf(events), earlier.join('\n\n'), share, this.signal);
    const forgotten = this.withWhatBelongs(events);
    const kept = new Set(
      viewOf(this.history)
        .map(({ seq }) => seq)
        .filter((seq) => !forgotten.has(seq)),
    );
    const summary = withPreservedParts(written, this.history, (seq) => !kept.has(seq));
    if (
      this.goal.reasons.includes('tokens') &&
      this.writer.tokensOf(summary) >= events.reduce((sum, event) => sum + this.goal.tokensOf(event), 0)
    ) {
      throw new SummaryFailed('The summary was as long as the text it should replace.');
    }
    return this.condensationEvent(forgotten, summary, this.shortenedResults(forgotten, this.writer.tokensOf(summary)));
  }

  private condensationEvent(
    forgotten: ReadonlySet<number>,
    summary: string,
    shortened: Shortened | undefined,
  ): NewEvent {
    return {
      type: 'condensation',
      forgotten: [...forgotten],
      summary,
      ...(shortened && { shortened }),
      reasons: [...this.goal.reasons],
      ...this.writer.usedTokens(),
      durationMs: performance.now() - this.began,
    };
  }

  /**
   * Returns the results that no request has contained, shortened so that the next one fits. Undefined if they fit.
   * `added`: tokens of the summary.
   */
  private shortenedResults(forgotten: ReadonlySet<number>, added: number): Shortened | undefined {
    const { room, tokensOf, totalTokens } = this.goal;
    const gone = this.read.filter(({ seq }) => forgotten.has(seq)).reduce((sum, event) => sum + tokensOf(event), 0);
    const excess = totalTokens - gone + added - room;
    if (!(excess > 0)) return undefined;
    const results = this.read
      .slice(newestStep(this.read))
      .flatMap((event) =>
        event.type === 'observation' ? [{ seq: event.seq, text: event.worded ?? event.content }] : [],
      );
    const texts = results.map(({ text }) => text);
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    const notes = texts.length * shortenedNote.length * 1.5;
    const longest = lengthThatFits(texts, characters - excess / this.writer.tokensOf('x') - notes);
    const shortened = results.flatMap(({ seq, text }) =>
      text.length > longest + 2 * shortenedNote.length
        ? [{ seq, content: `${withoutMiddle(text, longest)}\n${shortenedNote}` }]
        : [],
    );
    return shortened.length > 0 ? shortened : undefined;
  }

  /** Returns a notice. The conversation stays unchanged. */
  private failure(thrown: unknown): NewEvent {
    const why = errorMessage(thrown);
    const { usage } = this.writer.usedTokens();
    return {
      type: 'notice',
      level: 'warning',
      about: 'condensation_failed',
      ...(usage && { usage }),
      text: `The conversation could not be condensed, so all of it is kept. ${why} Waymark tries again some steps later, or when you ask for it.`,
    };
  }

  private textsOf(events: readonly ReadEvent[]): string[] {
    const calls = new Map(
      this.read.flatMap((event) =>
        event.type === 'agent_response'
          ? event.actions.map(({ id, tool, summary }) => [id, `${tool} (${summary})`] as const)
          : [],
      ),
    );
    return events.filter(({ type }) => type !== 'condensation').map((event) => eventText(event, (id) => calls.get(id)));
  }

  private isUnread(event: ReadEvent): boolean {
    return (
      isHeldBack(event) && !this.read.some((later) => later.type === 'agent_response' && later.readUpTo > event.seq)
    );
  }

  /**
   * Returns the `seq` of these events and of the events between them that are not sent to the model: notices,
   * decisions, starts.
   */
  private withWhatBelongs(events: readonly ReadEvent[]): Set<number> {
    const forgotten = new Set(events.map(({ seq }) => seq));
    let inside = false;
    for (const event of viewOf(this.history)) {
      if (isReadByModel(event)) inside = forgotten.has(event.seq);
      else if (inside) forgotten.add(event.seq);
    }
    return forgotten;
  }
}

const opening = 'This summary replaces the messages that were here:';
/** The openings in logs of earlier versions. */
const earlierOpenings = [
  'This summary replaces earlier messages of this conversation:',
  'Earlier messages of this conversation were replaced by this summary of them:',
];
const heading = '## Kept word for word';
const maxRequestLength = 4000;

interface Latest {
  todos: EventOf<'observation'> | undefined;
  request: EventOf<'user_message'> | undefined;
}

const latestOf = projection<Latest>(
  () => ({ todos: undefined, request: undefined }),
  (latest, event) => {
    if (event.type === 'user_message') latest.request = event;
    if (event.type === 'observation' && event.details?.kind === 'todo') latest.todos = event;
  },
);

/**
 * Returns the summary for the agent. Adds forgotten open todos and the latest request, because they must not depend on
 * the model.
 */
export function withPreservedParts(summary: string, history: History, isForgotten: (seq: number) => boolean): string {
  const { todos, request } = latestOf(history);
  const open =
    todos?.details?.kind === 'todo' && isForgotten(todos.seq) ? todos.details.items.filter(isUnfinished) : [];
  const kept = [
    ...(request && isForgotten(request.seq)
      ? [`The latest request of the user:\n${withoutMiddle(request.text, maxRequestLength)}`]
      : []),
    ...(open.length > 0 ? [`Open todos:\n${open.map(todoInWords).join('\n')}`] : []),
  ];
  return [opening, summary, ...(kept.length > 0 ? [[heading, ...kept].join('\n')] : [])].join('\n\n');
}

/** Returns the part of a summary that a model wrote, to be updated. */
export function withoutPreservedParts(summary: string): string {
  const begun = [opening, ...earlierOpenings].find((line) => summary.startsWith(line)) ?? '';
  const words = summary.slice(begun.length);
  const end = words.lastIndexOf(`\n${heading}\n`);
  return (end < 0 ? words : words.slice(0, end)).trim();
}
