import type { NewEvent, EventOf } from '../../protocol/events/event';
import { viewOf } from '../model/messages';
import { type History, projection } from '../log/projection';
import { isProgress, rangeToForget, type CondensationGoal } from './range';
import { isHeldBack, isReadByModel, readEvents, type ReadEvent, eventText } from './readEvents';
import { shorterMayHelp, SummaryFailed, type SummaryWriter } from './summaryWriter';
import { errorMessage } from '../text/errorMessage';
import { withoutMiddle } from '../text/withoutMiddle';

const retriesOfReset = 5;
const shrinking = 0.8;

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
   * Returns the resulting event. Undefined if the number of events is the only reason and nothing may be forgotten yet.
   */
  async event(): Promise<NewEvent | undefined> {
    const range = rangeToForget(this.read, this.goal);
    if (!range && !this.hard) return undefined;
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

  /** Summarizes everything except the first task and unread messages. Each retry uses a shorter record. */
  private async reset(): Promise<NewEvent> {
    const events = this.read.filter((event, index) => index > 0 && !this.isUnread(event));
    if (!isProgress(events, this.read.length, this.goal)) throw new SummaryFailed('Too little of it can be removed.');
    for (let retry = 0; ; retry++) {
      try {
        return await this.condensation(events, shrinking ** retry);
      } catch (thrown) {
        if (retry === retriesOfReset || this.signal.aborted || !shorterMayHelp(thrown)) throw thrown;
      }
    }
  }

  private async condensation(events: readonly ReadEvent[], share: number): Promise<NewEvent> {
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
    return {
      type: 'condensation',
      forgotten: [...forgotten],
      summary,
      reasons: [...this.goal.reasons],
      ...this.writer.usedTokens(),
      durationMs: performance.now() - this.began,
    };
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
    const tools = new Map(
      this.read.flatMap((event) =>
        event.type === 'agent_response' ? event.actions.map(({ id, tool }) => [id, tool] as const) : [],
      ),
    );
    return events.filter(({ type }) => type !== 'condensation').map((event) => eventText(event, (id) => tools.get(id)));
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

const opening = 'This summary replaces earlier messages of this conversation:';
/** The opening in logs of earlier versions. */
const earlierOpening = 'Earlier messages of this conversation were replaced by this summary of them:';
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
    todos?.details?.kind === 'todo' && isForgotten(todos.seq)
      ? todos.details.items.filter(({ state }) => state !== 'done')
      : [];
  const kept = [
    ...(request && isForgotten(request.seq)
      ? [`The latest request of the user:\n${withoutMiddle(request.text, maxRequestLength)}`]
      : []),
    ...(open.length > 0 ? [`Open todos:\n${open.map(({ text, state }) => `- [${state}] ${text}`).join('\n')}`] : []),
  ];
  return [opening, summary, ...(kept.length > 0 ? [[heading, ...kept].join('\n')] : [])].join('\n\n');
}

/** Returns the part of a summary that a model wrote, to be updated. */
export function withoutPreservedParts(summary: string): string {
  const begun = [opening, earlierOpening].find((line) => summary.startsWith(line)) ?? '';
  const words = summary.slice(begun.length);
  const end = words.lastIndexOf(`\n${heading}\n`);
  return (end < 0 ? words : words.slice(0, end)).trim();
}
