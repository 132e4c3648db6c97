import type { Action, Event, EventOf, EventType, Mode, Sampling } from '../../src/protocol/events/event';
import { takenBackIn, waitingAfter, type WaitingMessage } from '../../src/protocol/plain/waitingMessages';
import { summarizeRun, type Summary } from '../base/summary';

/** Rows of the feed, computed from the loaded events. */

export interface Step {
  readonly action: Action;
  readonly seq: number;
  /** Reply that contains the action. */
  readonly reply: EventOf<'agent_response'>;
  readonly started?: EventOf<'action_started'>;
  readonly observation?: EventOf<'observation'>;
  readonly decision?: EventOf<'confirmation_resolved'>;
  readonly question?: EventOf<'question_asked'>;
  readonly confirmation?: EventOf<'confirmation_requested'>;
  /** Sessions that it started, in order. */
  readonly children?: readonly { readonly session: string; readonly title: string }[];
  /** Working directory of a command, as far as the previous events show it. */
  readonly cwd?: string;
}

/** Risk of a step when approval was requested, which may be later than when it was proposed. */
export const riskAtApproval = ({ action, confirmation }: Step): Action['risk'] =>
  confirmation?.risks?.[action.id] ?? action.risk;

/** `key` is stable for the lifetime of a row; `type` is that of the latest event in it. */
interface Base<Kind extends string> {
  readonly kind: Kind;
  readonly key: string;
  readonly seq: number;
  readonly type: EventType;
}
/** One row of the conversation, computed from the events. */
export type Row =
  | (Base<'message'> & {
      readonly event: EventOf<'task_started' | 'user_message'>;
      readonly text: string;
      readonly queued: boolean;
      /** True for a command that a person typed and that has not run yet. */ readonly command: boolean;
    })
  /** `hidden`: the model does not read it anymore. */
  | (Base<'reply'> & { readonly event: EventOf<'agent_response'>; readonly hidden: boolean })
  | (Base<'candidates'> & { readonly event: EventOf<'agent_response'>; readonly sampling: Sampling })
  | (Base<'step'> & { readonly step: Step })
  | (Base<'reads'> & { readonly steps: readonly Step[] })
  | (Base<'approval'> & { readonly step: Step; readonly position: number; readonly count: number })
  | (Base<'question'> & { readonly step: Step })
  | (Base<'notice'> & {
      readonly event: EventOf<'notice' | 'hook_ran' | 'settings_changed' | 'allow_rule_added' | 'feedback'>;
    })
  | (Base<'condensation'> & {
      readonly event: EventOf<'condensation'>;
      /** Events that it removed, as far as they are loaded. */ readonly forgotten: readonly Forgotten[];
    })
  | (Base<'retry'> & { readonly event: EventOf<'retry_scheduled'> })
  | (Base<'paused'> & { readonly event: EventOf<'paused'>; readonly last: boolean })
  /** `last`: the run has not continued since, although another model may have been chosen. */
  | (Base<'finished'> & { readonly event: EventOf<'finished'>; readonly summary: Summary; readonly last: boolean });
/** Something that the model does not read anymore, and the row that still shows it. */
interface Forgotten {
  readonly key: string;
  readonly words: string;
}
/** A row of one kind. */
export type RowOf<Kind extends Row['kind']> = Extract<Row, { kind: Kind }>;

/**
 * Returns the messages that the agent has not read, in reading order. `reading`: the current request includes all
 * messages before that event.
 */
export function waitingIn(events: readonly Event[], reading = 0): readonly WaitingMessage[] {
  let waiting: readonly WaitingMessage[] = [];
  // A message sent while nothing ran starts a request, which also contains those that waited.
  const delivered = Math.max(-1, ...deliveredAtOnce(events));
  for (const event of events) waiting = waitingAfter(waiting, event);
  return waiting.filter(({ held, event: { seq } }) => held || (seq >= reading && seq > delivered));
}

/** What a person may do, or a notice may say, while a retry is pending. */
const allowedDuringRetry: ReadonlySet<EventType> = new Set<EventType>([
  'allow_rule_added',
  'message_changed',
  'notice',
  'pause_requested',
  'settings_changed',
  'user_message',
]);
/** What the agent is told because of what a person did. */
const toldByPerson: ReadonlySet<EventOf<'feedback'>['cause']> = new Set<EventOf<'feedback'>['cause']>([
  'changes_undone',
  'edits_applied',
  'mode_changed',
]);

function isAllowedDuringRetry(event: Event): boolean {
  if (event.type === 'feedback') return toldByPerson.has(event.cause);
  if (event.type === 'condensation_requested') return event.by === 'person';
  return allowedDuringRetry.has(event.type);
}

/** Returns the retry that the run waits for. What a person does meanwhile does not end the wait. */
export function pendingRetry(events: readonly Event[]): EventOf<'retry_scheduled'> | undefined {
  const last = events.findLast((event) => !isAllowedDuringRetry(event));
  if (last?.type !== 'retry_scheduled') return undefined;
  // An event after the wait belongs to the next request, or to a run that was resumed.
  return events.at(-1)!.at <= last.at + last.delayMs ? last : undefined;
}

/** Messages sent while nothing ran: they are delivered at once. */
function deliveredAtOnce(events: readonly Event[]): ReadonlySet<number> {
  const delivered = new Set<number>();
  let atRest = true;
  let unread: number[] = [];
  let open = 0;
  let byPerson = false;
  for (const event of events)
    switch (event.type) {
      case 'user_message':
        if (atRest) delivered.add(event.seq);
        unread.push(event.seq);
        atRest = false;
        break;
      case 'message_changed':
        if (event.change !== 'moved') unread = unread.filter((seq) => seq !== event.message);
        break;
      case 'agent_response':
        unread = unread.filter((seq) => seq >= event.readUpTo);
        open = event.actions.length;
        byPerson = event.by === 'person';
        atRest = open === 0 && unread.length === 0;
        break;
      case 'observation':
        open--;
        if (byPerson && open === 0 && unread.length === 0) atRest = true;
        break;
      case 'paused':
      case 'finished':
        atRest = true;
        break;
      case 'task_started':
      case 'resumed':
        atRest = false;
        break;
    }
  return delivered;
}

/**
 * Computes the rows. Waiting messages are shown near the composer; a message appears in the feed at the point where it
 * was read.
 */
export function rowsOf(events: readonly Event[], reading = 0): Row[] {
  const feed = new FeedRows(events);
  events.forEach((event, index) => feed.add(event, index));
  const waiting = new Set(waitingIn(events, reading).map(({ event }) => event.seq));
  return withPositions(folded(feed.allExcept(waiting)));
}

/** The rows of a log, built event by event. */
class FeedRows {
  private readonly rows: Row[] = [];
  /** Messages sent during a run, until the event that read them. */
  private readonly unread = new Map<number, Row>();
  private waiting: readonly WaitingMessage[] = [];
  private mode: Mode = 'confirm';
  private isStepping = false;
  private readonly steps: ReadonlyMap<string, Step>;
  private readonly takenBack: ReadonlySet<number>;
  private readonly atOnce: ReadonlySet<number>;
  private readonly reading: Reading;
  /** Index of the last event of the run itself; settings and notices may follow it. */
  private readonly lastOfRun: number;

  constructor(private readonly events: readonly Event[]) {
    this.steps = stepsById(events);
    this.takenBack = takenBackIn(events);
    this.atOnce = deliveredAtOnce(events);
    this.reading = readingOf(events);
    this.lastOfRun = events.findLastIndex(
      ({ type }) =>
        type !== 'settings_changed' && type !== 'allow_rule_added' && type !== 'notice' && type !== 'hook_ran',
    );
  }

  add(event: Event, index: number): void {
    this.moveRead(waitingAfter(this.waiting, event));
    this.addRowsOf(event, index);
    // Messages sent while nothing ran appear where they were sent, after those that waited: all are read together.
    if (this.atOnce.has(event.seq)) this.moveRead(this.waiting.filter(({ held }) => held));
  }

  /** Returns all rows, without the messages that are shown near the composer. */
  allExcept(waiting: ReadonlySet<number>): readonly Row[] {
    const retry = pendingRetry(this.events);
    return [
      ...this.rows,
      ...[...this.unread].flatMap(([seq, row]) => (waiting.has(seq) ? [] : [row])),
      ...(retry
        ? [{ key: `e${retry.seq}`, seq: retry.seq, kind: 'retry' as const, type: retry.type, event: retry }]
        : []),
    ];
  }

  private addRowsOf(event: Event, index: number): void {
    const { rows } = this;
    const base = { key: `e${event.seq}`, seq: event.seq };
    switch (event.type) {
      case 'task_started':
        this.mode = event.mode ?? this.mode;
        rows.push({ ...messageOf(event, event.task), queued: false, command: false });
        break;
      case 'user_message':
        this.addMessage(event);
        break;
      case 'agent_response':
        this.addReply(event);
        break;
      case 'paused':
        // In step mode, each pause would add a line, although the steps already show it.
        if (index >= this.lastOfRun || !(this.isStepping && event.checkpoint))
          rows.push({ ...base, kind: 'paused', type: event.type, event, last: index >= this.lastOfRun });
        break;
      case 'finished': {
        const summary = summarizeRun(this.events.slice(0, index + 1));
        rows.push({ ...base, kind: 'finished', type: event.type, event, summary, last: index === this.lastOfRun });
        break;
      }
      case 'condensation': {
        const forgotten = forgottenBy(event, this.events);
        rows.push({ ...base, kind: 'condensation', type: event.type, event, forgotten });
        break;
      }
      case 'settings_changed':
        this.addSettings(event);
        break;
      case 'feedback':
        // The row of the setting says the same.
        if (event.cause === 'mode_changed' && this.events[index - 1]?.type === 'settings_changed') break;
        rows.push({ ...base, kind: 'notice', type: event.type, event });
        break;
      case 'notice':
      case 'hook_ran':
      case 'allow_rule_added':
        rows.push({ ...base, kind: 'notice', type: event.type, event });
        break;
      case 'confirmation_requested':
      case 'confirmation_resolved':
      case 'question_asked':
      case 'action_started':
      case 'observation':
      case 'condensation_requested':
      case 'pause_requested':
      case 'child_started':
      case 'retry_scheduled': // the one that is pending is the last row
      case 'skill_woken':
      case 'resumed':
      case 'message_changed':
        break;
    }
  }

  private addMessage(event: EventOf<'user_message'>): void {
    const { readUpTo, typed } = this.reading;
    // A command that ran is represented by its step.
    if (typed.has(event.seq) || this.takenBack.has(event.seq)) return;
    this.unread.set(event.seq, {
      ...messageOf(event, event.text),
      queued: !this.atOnce.has(event.seq) && event.seq >= readUpTo,
      command: this.mode === 'human' && event.seq >= readUpTo,
    });
  }

  /** Adds the candidates, the text and the actions of a reply. */
  private addReply(event: EventOf<'agent_response'>): void {
    const { seq, type, sampling } = event;
    if (sampling) this.rows.push({ key: `s${seq}`, seq, kind: 'candidates', type, event, sampling });
    if (event.text.trim() || event.reasoning?.text.trim() || (event.actions.length === 0 && hasMore(event)))
      this.rows.push({ key: `e${seq}`, seq, kind: 'reply', type, event, hidden: this.reading.hidden.has(seq) });
    for (const action of event.actions) {
      const step = this.steps.get(action.id)!;
      if (!isEnd(step, this.events)) this.rows.push(stepRow(step));
    }
  }

  private addSettings(event: EventOf<'settings_changed'>): void {
    const { seq, type, at: _, stepping, ...otherSettings } = event;
    this.mode = event.mode ?? this.mode;
    const isWithdrawnPause = stepping === this.isStepping && Object.keys(otherSettings).length === 0;
    if (stepping !== undefined) this.isStepping = stepping;
    if (!isWithdrawnPause) this.rows.push({ key: `e${seq}`, seq, kind: 'notice', type, event });
  }

  /** Moves the messages that no longer wait to the rows. `still`: those that do. */
  private moveRead(still: readonly WaitingMessage[]): void {
    for (const { event } of this.waiting) {
      const row = this.unread.get(event.seq);
      if (!row || still.some((each) => each.event.seq === event.seq)) continue;
      this.rows.push(row);
      this.unread.delete(event.seq);
    }
    this.waiting = still;
  }
}

const messageOf = (event: EventOf<'task_started' | 'user_message'>, text: string) =>
  ({ kind: 'message', key: `e${event.seq}`, seq: event.seq, type: event.type, event, text }) as const;

/** What the model has read. */
interface Reading {
  /** It has read all messages before this event. */
  readonly readUpTo: number;
  /** Messages that became commands. */
  readonly typed: ReadonlySet<number>;
  /** Replies that are hidden from it. */
  readonly hidden: ReadonlySet<number>;
}

function readingOf(events: readonly Event[]): Reading {
  const typed = new Set<number>();
  const hidden = new Set<number>();
  let last: EventOf<'agent_response'> | undefined;
  for (const event of events) {
    if (event.type === 'agent_response') last = event;
    if (event.type === 'agent_response' && event.by === 'person' && event.instead === undefined)
      typed.add(event.readUpTo - 1);
    if (event.type === 'feedback' && event.hidesReply && last) hidden.add(last.seq);
  }
  return { readUpTo: last?.readUpTo ?? 0, typed, hidden };
}

/** True if a reply contains more than its text and its actions. */
export const hasMore = ({ written, unreadCalls, taskState }: EventOf<'agent_response'>): boolean =>
  written !== undefined || taskState !== undefined || (unreadCalls?.length ?? 0) > 0;

function forgottenBy({ forgotten }: EventOf<'condensation'>, events: readonly Event[]): Forgotten[] {
  const from = events[0]?.seq ?? 0;
  const line = (words: string): string => words.trim().split('\n', 1)[0]!.slice(0, 200);
  return forgotten.flatMap((seq) => {
    const event = events[seq - from];
    switch (event?.type) {
      case 'task_started':
        return [{ key: `e${seq}`, words: line(event.task) }];
      case 'user_message':
      case 'feedback':
        return [{ key: `e${seq}`, words: line(event.text) }];
      case 'condensation':
        return [{ key: `e${seq}`, words: line(event.summary) }];
      case 'agent_response':
        return [
          ...(event.text.trim() ? [{ key: `e${seq}`, words: line(event.text) }] : []),
          ...event.actions.map(({ id, summary }) => ({ key: `a${id}`, words: summary })),
        ];
      default:
        return [];
    }
  });
}

/** Returns the actions of these events with everything known about them, by id. */
export function stepsById(events: readonly Event[]): Map<string, Step> {
  const steps = new Map<string, Step>();
  let cwd: string | undefined;
  const change = (id: string, more: Partial<Step>): void => {
    const step = steps.get(id);
    if (step) steps.set(id, { ...step, ...more });
  };
  for (const event of events) {
    switch (event.type) {
      case 'task_started':
        cwd = event.cwd;
        break;
      case 'agent_response':
        for (const action of event.actions)
          steps.set(action.id, { action, seq: event.seq, reply: event, ...(cwd !== undefined && { cwd }) });
        break;
      case 'confirmation_requested':
        for (const id of event.actionIds) {
          const { decision: _before, ...step } = steps.get(id) ?? {};
          if ('action' in step)
            steps.set(id, { ...(step as Step), confirmation: event, ...(cwd !== undefined && { cwd }) });
        }
        break;
      case 'confirmation_resolved':
        for (const id of event.actionIds) change(id, { decision: event });
        break;
      case 'question_asked':
        change(event.actionId, { question: event });
        break;
      case 'action_started':
        change(event.actionId, { started: event });
        break;
      case 'child_started':
        change(event.actionId, {
          children: [...(steps.get(event.actionId)?.children ?? []), { session: event.session, title: event.title }],
        });
        break;
      case 'observation':
        if (event.details?.kind === 'command') cwd = event.details.cwd;
        change(event.actionId, { observation: event });
        break;
    }
  }
  return steps;
}

function stepRow(step: Step): Row {
  const base = { key: `a${step.action.id}`, seq: step.seq };
  if (step.question) return { ...base, kind: 'question', type: 'question_asked', step };
  if (step.confirmation && !step.decision && !step.observation)
    return { ...base, kind: 'approval', type: 'confirmation_requested', step, position: 1, count: 1 };
  return { ...base, kind: 'step', type: latestOf(step), step };
}

/** Type of the latest event about a step. */
function latestOf({ observation, started, decision }: Step): Event['type'] {
  if (observation) return 'observation';
  if (started) return 'action_started';
  return decision ? 'confirmation_resolved' : 'agent_response';
}

/** The call that ended the task is represented by the finished card. */
function isEnd(step: Step, events: readonly Event[]): boolean {
  const seen = step.observation;
  if (!seen || seen.outcome !== 'ok' || seen.details) return false;
  const next = events[seen.seq + 1 - (events[0]?.seq ?? 0)];
  return next?.type === 'finished' && next.status === 'submitted';
}

const isRead = (row: Row | undefined): row is RowOf<'step'> =>
  row?.kind === 'step' && row.step.observation?.outcome === 'ok' && row.step.observation.details?.kind === 'read';

/** Folds two or more consecutive reads into one row. */
function folded(rows: readonly Row[]): Row[] {
  const result: Row[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    let end = index;
    while (isRead(rows[end])) end++;
    if (end - index < 2) {
      result.push(row);
      continue;
    }
    const steps = rows.slice(index, end).map((read) => (read as RowOf<'step'>).step);
    result.push({ kind: 'reads', key: row.key, seq: row.seq, type: 'observation', steps });
    index = end - 1;
  }
  return result;
}

function withPositions(rows: readonly Row[]): Row[] {
  const count = rows.filter((row) => row.kind === 'approval').length;
  let position = 0;
  return count < 2
    ? [...rows]
    : rows.map((row) => (row.kind === 'approval' ? { ...row, position: ++position, count } : row));
}

/** Reuses the previous objects for unchanged rows, or the previous list if nothing changed. */
export function reuseUnchanged(before: readonly Row[], now: readonly Row[]): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  const rows = now.map((row) => {
    const old = known.get(row.key);
    return old && isDeepEqual(old, row) ? old : row;
  });
  return rows.length === before.length && rows.every((row, index) => row === before[index]) ? before : rows;
}

/** Compares two values deeply. Events are shared by both lists and compared by reference. */
function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => isDeepEqual(one[key as keyof typeof one], other[key as keyof typeof other]))
  );
}

/** Returns the text that a search within the feed matches. */
export function rowText(row: Row): string {
  const ofStep = (step: Step): string =>
    [step.action.summary, JSON.stringify(step.action.input), step.observation?.content, step.question?.question].join(
      '\n',
    );
  switch (row.kind) {
    case 'message':
      return row.text;
    case 'reply':
      return `${row.event.reasoning?.text ?? ''}\n${row.event.text}`;
    case 'step':
    case 'approval':
    case 'question':
      return ofStep(row.step);
    case 'reads':
      return row.steps.map(ofStep).join('\n');
    case 'candidates':
      return row.sampling.candidates
        .map(({ text, summary, problem = '' }) => `${text}\n${summary}\n${problem}`)
        .join('\n');
    default:
      return JSON.stringify(row.event);
  }
}
