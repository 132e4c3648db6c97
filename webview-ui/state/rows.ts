import type { Action, Event, EventOf, EventType, Mode, Sampling } from '../../src/protocol/events/event';
import { takenBackIn, waitingAfter, type WaitingMessage } from '../../src/protocol/plain/waitingMessages';
import { summaryOf, type Summary } from '../base/summary';

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
  readonly asked?: EventOf<'confirmation_requested'>;
  /** Sessions that it started, in order. */
  readonly children?: readonly { readonly session: string; readonly title: string }[];
  /** Working directory of a command, as far as the previous events show it. */
  readonly cwd?: string;
}

/** Risk of a step when approval was requested, which may be later than when it was proposed. */
export const riskAsked = ({ action, asked }: Step): Action['risk'] => asked?.risks?.[action.id] ?? action.risk;

/** `key` is stable for the lifetime of a row; `type` is that of the latest event in it. */
interface Base<Kind extends string> {
  readonly kind: Kind;
  readonly key: string;
  readonly seq: number;
  readonly type: EventType;
}
export type Row =
  | (Base<'message'> & {
      readonly event: EventOf<'task_started' | 'user_message'>;
      readonly text: string;
      readonly queued: boolean;
      /** True for a command that a person typed and that has not run yet. */ readonly command: boolean;
    })
  /** `hidden`: the model does not read it any more. */
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
/** Something that the model does not read any more, and the row that still shows it. */
export interface Forgotten {
  readonly key: string;
  readonly words: string;
}
export type RowOf<Kind extends Row['kind']> = Extract<Row, { kind: Kind }>;

/**
 * Returns the messages that the agent has not read, in reading order. `reading`: the current request includes all
 * messages before that event.
 */
export function waitingIn(events: readonly Event[], reading = 0): readonly WaitingMessage[] {
  let waiting: readonly WaitingMessage[] = [];
  const atOnce = saidAtRest(events);
  for (const event of events) waiting = waitingAfter(waiting, event);
  return waiting.filter(({ held, event: { seq } }) => held || (seq >= reading && !atOnce.has(seq)));
}

/** Messages sent while nothing ran: they are delivered at once. */
function saidAtRest(events: readonly Event[]): ReadonlySet<number> {
  const said = new Set<number>();
  let atRest = true;
  let unread: number[] = [];
  let open = 0;
  let byPerson = false;
  for (const event of events)
    switch (event.type) {
      case 'user_message':
        if (atRest) said.add(event.seq);
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
  return said;
}

/**
 * Computes the rows. Waiting messages are shown near the composer; a message appears in the feed at the point where it
 * was read.
 */
export function rowsOf(events: readonly Event[], reading = 0): Row[] {
  const wait = new Set(waitingIn(events, reading).map(({ event }) => event.seq));
  const takenBack = takenBackIn(events);
  const atOnce = saidAtRest(events);
  /** Messages sent during a run, until the event that read them. */
  const unread = new Map<number, Row>();
  let waiting: readonly WaitingMessage[] = [];
  const place = (still: readonly WaitingMessage[]): void => {
    for (const { event } of waiting) {
      const row = unread.get(event.seq);
      if (!row || still.some((each) => each.event.seq === event.seq)) continue;
      rows.push(row);
      unread.delete(event.seq);
    }
    waiting = still;
  };
  const steps = stepsOf(events);
  const lastIndex = events.length - 1;
  const lastOfRun = events.findLastIndex(
    (event) =>
      event.type !== 'settings_changed' &&
      event.type !== 'allow_rule_added' &&
      event.type !== 'notice' &&
      event.type !== 'hook_ran',
  );
  const rows: Row[] = [];
  const { readUpTo, typed, hidden } = readingOf(events);
  let mode: Mode = 'confirm';
  let stepping = false;

  events.forEach((event, index) => {
    const base = { key: `e${event.seq}`, seq: event.seq };
    place(waitingAfter(waiting, event));
    switch (event.type) {
      case 'task_started':
        mode = event.mode ?? mode;
        rows.push({
          ...base,
          kind: 'message',
          type: event.type,
          event,
          text: event.task,
          queued: false,
          command: false,
        });
        break;
      case 'user_message':
        // A command that ran is represented by its step.
        if (typed.has(event.seq) || takenBack.has(event.seq)) break;
        unread.set(event.seq, {
          ...base,
          kind: 'message',
          type: event.type,
          event,
          text: event.text,
          queued: !atOnce.has(event.seq) && event.seq >= readUpTo,
          command: mode === 'human' && event.seq >= readUpTo,
        });
        break;
      case 'agent_response':
        if (event.sampling)
          rows.push({
            ...base,
            key: `s${event.seq}`,
            kind: 'candidates',
            type: event.type,
            event,
            sampling: event.sampling,
          });
        if (event.text.trim() || event.reasoning?.text.trim() || (event.actions.length === 0 && hasMore(event)))
          rows.push({ ...base, kind: 'reply', type: event.type, event, hidden: hidden.has(event.seq) });
        for (const action of event.actions) {
          const step = steps.get(action.id)!;
          if (!isEnd(step, events)) rows.push(stepRow(step));
        }
        break;
      case 'retry_scheduled':
        if (index === lastIndex) rows.push({ ...base, kind: 'retry', type: event.type, event });
        break;
      case 'paused':
        // In step mode, each pause would add a line, although the steps already show it.
        if (index >= lastOfRun || !(stepping && event.checkpoint))
          rows.push({ ...base, kind: 'paused', type: event.type, event, last: index >= lastOfRun });
        break;
      case 'finished':
        rows.push({
          ...base,
          kind: 'finished',
          type: event.type,
          event,
          summary: summaryOf(events.slice(0, index + 1)),
          last: index === lastOfRun,
        });
        break;
      case 'condensation':
        rows.push({ ...base, kind: 'condensation', type: event.type, event, forgotten: forgottenBy(event, events) });
        break;
      case 'settings_changed':
        mode = event.mode ?? mode;
        if (event.stepping !== undefined && event.stepping !== stepping) stepping = event.stepping;
        else if (event.stepping !== undefined && Object.keys(event).length === 4) break; // a pause request that was withdrawn
        rows.push({ ...base, kind: 'notice', type: event.type, event });
        break;
      case 'notice':
      case 'hook_ran':
      case 'allow_rule_added':
      case 'feedback':
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
      case 'skill_woken':
      case 'resumed':
      case 'message_changed':
        break;
    }
    // Messages sent while nothing ran appear where they were sent.
    if (atOnce.has(event.seq)) place(waiting.filter((each) => each.event.seq !== event.seq));
  });
  for (const [seq, row] of unread) if (!wait.has(seq)) rows.push(row);
  return withPositions(folded(rows));
}

/** Returns what the model has read, which messages became commands, and which replies are hidden from it. */
function readingOf(events: readonly Event[]): {
  readonly readUpTo: number;
  readonly typed: ReadonlySet<number>;
  readonly hidden: ReadonlySet<number>;
} {
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
export function stepsOf(events: readonly Event[]): Map<string, Step> {
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
          if ('action' in step) steps.set(id, { ...(step as Step), asked: event, ...(cwd !== undefined && { cwd }) });
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
  if (step.asked && !step.decision && !step.observation)
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
    return old && isSame(old, row) ? old : row;
  });
  return rows.length === before.length && rows.every((row, index) => row === before[index]) ? before : rows;
}

/** Compares two values deeply. Events are shared by both lists and compared by reference. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => isSame(one[key as keyof typeof one], other[key as keyof typeof other]))
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
