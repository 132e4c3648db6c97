import type { Action, Event, EventOf } from '../../protocol/events/event';
import type { RowKind, StepRow, StepTag } from '../../protocol/inspector/inspector';
import { projection, type History } from '../log/projection';
import { truncate } from '../../protocol/plain/truncate';
import { withoutMarkup } from '../../protocol/plain/withoutMarkup';

/** A log as a list: one row for each model call with all its results, and one for each other event. */
interface Steps {
  readonly rows: StepRow[];
  /** For each event, the index of its row in `rows`. */
  readonly owner: number[];
}

interface Writing extends Steps {
  readonly byAction: Map<string, { readonly place: number; readonly action: Action }>;
  /** Events that precede the row they belong to: failed attempts. */
  ahead: number[];
  steps: number;
  /** Number of unfinished actions per row. */
  readonly open: Map<number, number>;
  /** Worst outcome of the actions so far, by row. */
  readonly worst: Map<number, StepRow['outcome']>;
}

const writing = projection<Writing>(
  () => ({ rows: [], owner: [], byAction: new Map(), ahead: [], steps: 0, open: new Map(), worst: new Map() }),
  (state, event) => {
    const place = updateRow(state, event);
    if (place === undefined) {
      state.ahead.push(event.seq);
      state.owner.push(Math.max(0, state.rows.length - 1));
      return;
    }
    state.owner.push(place);
  },
);

/** Returns the rows of a log. Incremental: only new events are processed. */
export const stepsOf = (history: History): Steps => writing(history);

/** Creates or updates the row of the event. Returns its index. */
function updateRow(state: Writing, event: Event): number | undefined {
  switch (event.type) {
    case 'task_started':
      return addRow(state, event, 'task', { words: event.task, tags: ['person'] });
    case 'user_message':
      return addRow(state, event, 'message', { words: event.text, tags: ['person'] });
    case 'message_changed':
      return addRow(state, event, 'settings', {
        words: `message ${event.message}: ${event.change.replace('_', ' ')}`,
        tags: ['person'],
      });
    case 'agent_response':
      return putStep(state, event);
    case 'feedback':
      return addRow(state, event, 'feedback', {
        words: event.text,
        tags: ['format_error', 'bad_arguments', 'going_in_circles'].includes(event.cause) ? ['error'] : [],
      });
    case 'notice':
      return addRow(state, event, 'notice', { words: event.text, tags: event.level === 'warning' ? ['error'] : [] });
    case 'settings_changed':
      // Waymark itself records which tools servers and extensions offer.
      return addRow(state, event, 'settings', {
        words: settingsWords(event),
        tags: event.addedTools ? [] : ['person'],
      });
    case 'allow_rule_added':
      return addRow(state, event, 'settings', { words: `${event.rule.tool} ${event.rule.key}`, tags: ['person'] });
    case 'condensation':
      return putCondensation(state, event);
    case 'paused':
      return addRow(state, event, 'paused', { words: event.reason });
    case 'finished':
      return addRow(state, event, 'finished', {
        words: event.problem?.what ?? withoutMarkup(event.summary),
        tags: event.status === 'failed' ? ['error'] : [],
      });
    case 'hook_ran':
      return addRow(state, event, 'notice', { words: event.text, tags: event.level === 'warning' ? ['error'] : [] });
    case 'retry_scheduled':
    case 'skill_woken':
      return undefined;
    case 'observation':
      return addObservation(state, event);
    case 'confirmation_requested':
    case 'confirmation_resolved': {
      const known = event.actionIds.map((id) => state.byAction.get(id)).filter((found) => found !== undefined);
      if (event.type === 'confirmation_requested') for (const { place } of known) tag(state.rows[place]!, 'asked');
      return known[0]?.place ?? lastRow(state);
    }
    case 'question_asked':
    case 'action_started':
    case 'child_started': {
      const place = state.byAction.get(event.actionId)?.place ?? lastRow(state);
      const row = state.rows[place];
      if (row && event.type === 'question_asked') tag(row, 'asked');
      if (row && event.type === 'child_started') tag(row, 'child');
      return place;
    }
    default:
      return lastRow(state);
  }
}

const lastRow = ({ rows }: Writing): number => Math.max(0, rows.length - 1);

/** Adds a row about an event, and returns its index. `words`: shown on one line. */
function addRow(
  state: Writing,
  { seq, at }: Event,
  kind: RowKind,
  { words, tags = [], ...more }: { readonly words: string; readonly tags?: StepTag[] } & Partial<StepRow>,
): number {
  return state.rows.push({ seq, at, kind, line: oneLine(words), tags, ...more }) - 1;
}

function putStep(state: Writing, event: EventOf<'agent_response'>): number {
  const { actions, usage, text, sampling, durationMs, by } = event;
  const words =
    actions.length > 0
      ? actions.map(({ summary }) => summary).join(' · ')
      : withoutMarkup(text.trim() || event.reasoning?.text || event.written || '');
  const tags = new Set<StepTag>(actions.flatMap((action) => tagsOf(action)));
  if (sampling) tags.add('candidates');
  if (by === 'person') tags.add('person');
  if (event.unreadCalls?.length) tags.add('error');
  const place = addRow(state, event, 'step', {
    words,
    tags: [...tags],
    number: ++state.steps,
    durationMs,
    tokens:
      usage.inputTokens === null && usage.outputTokens === null
        ? null
        : (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
    cost: usage.cost,
    ...(actions.length > 0 && { actions: actions.length, outcome: 'open' as const }),
  });
  for (const action of actions) state.byAction.set(action.id, { place, action });
  if (actions.length > 0) state.open.set(place, actions.length);
  for (const seq of state.ahead) state.owner[seq] = place;
  state.ahead = [];
  return place;
}

function putCondensation(state: Writing, event: EventOf<'condensation'>): number {
  const { usage, durationMs } = event;
  return addRow(state, event, 'condensation', {
    words: withoutMarkup(event.summary),
    tags: ['condensed'],
    ...(durationMs !== undefined && { durationMs }),
    ...(usage && {
      tokens: usage.inputTokens === null ? null : usage.inputTokens + (usage.outputTokens ?? 0),
      cost: usage.cost,
    }),
  });
}

function tagsOf({ effect, problem }: Action): StepTag[] {
  const tags: StepTag[] = problem === undefined ? [] : ['error'];
  if (effect === 'writes') tags.push('edit');
  else if (effect === 'executes') tags.push('command');
  else if (effect === 'reads') tags.push('look');
  else if (effect === 'delegates') tags.push('child');
  else if (effect === 'asks') tags.push('asked');
  return tags;
}

const badness: readonly NonNullable<StepRow['outcome']>[] = [
  'ok',
  'skipped',
  'rejected',
  'interrupted',
  'unknown',
  'timeout',
  'error',
];

function addObservation(
  state: Writing,
  { actionId, outcome, details, durationMs, branch }: EventOf<'observation'>,
): number {
  const place = state.byAction.get(actionId)?.place ?? lastRow(state);
  const row = state.rows[place];
  if (!row) return place;
  const failed =
    outcome === 'error' || outcome === 'timeout' || (details?.kind === 'command' && details.exitCode !== 0);
  const before = state.worst.get(place) ?? 'ok';
  const worst = badness.indexOf(outcome) > badness.indexOf(before) ? outcome : before;
  state.worst.set(place, worst);
  const left = (state.open.get(place) ?? 1) - 1;
  state.open.set(place, left);
  if (left <= 0) {
    if (worst === 'ok') delete row.outcome;
    else row.outcome = worst;
  }
  if (durationMs !== undefined) row.durationMs = (row.durationMs ?? 0) + durationMs;
  if (failed) tag(row, 'error');
  if (branch || details?.kind === 'delegate') tag(row, 'child');
  if (details?.kind === 'command') {
    row.exitCode = details.exitCode;
    tag(row, 'command');
  }
  if (details?.kind === 'edit') {
    tag(row, 'edit');
    row.added = details.changes.reduce((sum, { added }) => sum + added, row.added ?? 0);
    row.removed = details.changes.reduce((sum, { removed }) => sum + removed, row.removed ?? 0);
  }
  return place;
}

function tag(row: StepRow, name: StepTag): void {
  if (!row.tags.includes(name)) row.tags.push(name);
}

function settingsWords({
  seq: _seq,
  at: _at,
  type: _type,
  model,
  limits,
  container,
  addedTools,
  ...rest
}: EventOf<'settings_changed'>): string {
  const words = Object.entries({
    ...rest,
    ...(container !== undefined && { container: container?.image ?? 'none' }),
    ...(model && { model: model.name }),
    ...(limits && { limits: JSON.stringify(limits) }),
    ...(addedTools && { 'tools of servers and extensions': addedTools.length }),
  });
  return words
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

const maxCharacters = 200;

/** Returns the beginning of a text without line breaks. */
export function oneLine(words: string): string {
  const line = words
    .slice(0, 4 * maxCharacters)
    .trim()
    .replace(/\s+/g, ' ');
  return truncate(line, maxCharacters);
}

/**
 * Returns the rows, by `seq`, whose events contain all the words, ignoring case. Searches every string of an event,
 * including arguments and reasoning.
 */
export function findSteps(history: History, words: string): number[] {
  const { rows, owner } = stepsOf(history);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows.map(({ seq }) => seq);
  /** Words found so far, by row. */
  const found = new Map<number, Set<string>>();
  history.forEach((event, index) => {
    const place = owner[index]!;
    const known = found.get(place) ?? new Set<string>();
    if (known.size === wanted.length) return;
    visit(event, (text) => {
      const lower = text.toLowerCase();
      for (const word of wanted) if (!known.has(word) && lower.includes(word)) known.add(word);
    });
    if (known.size > 0) found.set(place, known);
  });
  return rows.filter((_row, place) => found.get(place)?.size === wanted.length).map(({ seq }) => seq);
}

function visit(value: unknown, onText: (text: string) => void, left = 300): void {
  if (typeof value === 'string') onText(value);
  else if (left === 0) return;
  else if (Array.isArray(value)) for (const part of value) visit(part, onText, left - 1);
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value))
      if (name !== 'images' && name !== 'type' && name !== 'hashes') visit(part, onText, left - 1);
}
