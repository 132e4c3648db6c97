import { batch, computed, signal } from '@preact/signals';
import type { FromPanel, PastChange, ToPanel } from '../../src/protocol/panel/panel';
import { forgetCalls, receiveCall } from './calls';
import { take } from './completion';
import { reuseUnchanged, rowsOf, rowText, waitingIn, type Row, type RowOf } from './rows';
import { saveState, savedState, onMessage, post, type ScrollState } from '../base/host';
import { cursorOf, emptyState, hasGap, receive } from './state';

export const state = signal(emptyState);
export const facts = computed(() => state.value.facts);
export const events = computed(() => state.value.events);
export const stream = computed(() => state.value.stream);
/** Parts of the facts and of the stream as separate signals, because the rest changes with every event and delta. */
export const isRunning = computed(() => facts.value?.running === true);
export const status = computed(() => facts.value?.status);
export const writable = computed(() => facts.value?.writable);
/** True if nothing can be decided here, for example because another window runs the session. */
export const isReadOnly = computed(() => writable.value === false && facts.value?.loading !== true);
export const mode = computed(() => facts.value?.mode);
export const liveOutput = computed(() => stream.value.output);
export const liveChildren = computed(() => stream.value.children);
export const sessionId = computed(() => state.value.sessionId);
export const rules = computed(() => state.value.rules);
export const previews = computed(() => state.value.previews);
const reading = computed(() => stream.value.reading);
let before: readonly Row[] = [];
/** Unchanged rows keep their object identity, so that their cards are not rendered again. */
export const rows = computed(() => (before = reuseUnchanged(before, rowsOf(events.value, reading.value))));
/** Waiting messages, shown near the composer. */
export const waiting = computed(() => waitingIn(events.value, reading.value));
export const approvals = computed(() => rows.value.filter((row): row is RowOf<'approval'> => row.kind === 'approval'));

/** Question that the composer answers. */
export const question = computed(() =>
  facts.value?.status === 'waiting_for_answer'
    ? rows.value.find((row): row is RowOf<'question'> => row.kind === 'question' && !row.step.observation)
    : undefined,
);

/** Changes of the displayed session that wait for review; undefined while unknown. */
export const pendingChanges = computed(() => {
  const { changes } = state.value;
  return changes?.kept && changes.session === sessionId.value ? changes : undefined;
});

/** What actions of the displayed session changed; empty while unknown. See `askPastChanges`. */
export const pastChanges = computed(() => {
  const { pastChanges: known } = state.value;
  return known && known.session === sessionId.value ? known.files : nothingPast;
});
const nothingPast: readonly PastChange[] = [];

/** The changes to review when the past changes were last asked for. */
let askedWith: object | undefined;

/**
 * Asks for the changes of past actions, once after each change, for a list that shows them. Not during a run: the next
 * change follows soon. `pending`: the changes to review that the list was rendered with; if newer ones arrived since,
 * the list is rendered again and decides anew.
 */
export function askPastChanges(pending: typeof pendingChanges.value): void {
  if (!pending || pending !== pendingChanges.value || askedWith === pending || isRunning.value) return;
  askedWith = pending;
  post({ type: 'past_changes' });
}

/** View state, of no interest to the host. */
export const opened = signal<ReadonlyMap<string, boolean>>(new Map());
export const focusedKey = signal<string | undefined>(undefined);
export const search = signal<string | undefined>(undefined);
export const helpShown = signal(false);
export const stopping = signal(false);
export const escArmed = signal(false);
/** Number of messages sent. Each one scrolls the feed to the end. */
export const sends = signal(0);

const searchable = new WeakMap<Row, string>();
const lower = (row: Row): string =>
  searchable.get(row) ?? (searchable.set(row, rowText(row).toLowerCase()), searchable.get(row)!);
export const shownRows = computed(() =>
  search.value ? rows.value.filter((row) => lower(row).includes(search.value!.toLowerCase())) : rows.value,
);

export const isOpen = (key: string): boolean => opened.value.get(key) ?? false;
export const setOpen = (key: string, open: boolean): void => {
  opened.value = new Map(opened.value).set(key, open);
  keepSeen({});
};

const maxOpened = 200;

/** Saves the scroll position, to restore it after the view was hidden or another session was shown. */
export function keepSeen(change: Pick<ScrollState, 'top'>): void {
  const keys = [...opened.value].flatMap(([key, open]) => (open ? [key] : []));
  saveState({ seen: { ...seenOf(sessionId.value), opened: keys.slice(-maxOpened), ...change } });
}

/** Returns the saved view state of this session. */
export function seenOf(session: string | undefined): ScrollState {
  const seen = savedState()?.seen;
  return seen?.session === session && seen ? seen : { session, opened: [] };
}

/** True while a command runs. */
export const commandRuns = computed(
  () =>
    facts.value?.running === true &&
    rows.value.some((row) => row.kind === 'step' && row.step.started && !row.step.observation),
);

/** Approvals and answers that were posted but are not in the log yet, so that a second click posts nothing. */
export const sent = signal<ReadonlySet<string>>(new Set());

export function postOnce(actionId: string, message: FromPanel): void {
  if (sent.value.has(actionId)) return;
  sent.value = new Set(sent.value).add(actionId);
  post(message);
  // A host that never answers must not leave the card disabled. The host ignores duplicates.
  setTimeout(() => {
    sent.value = new Set([...sent.value].filter((id) => id !== actionId));
  }, 5000);
}

/** The question of an approval card, as an answer names it. Logs of earlier versions have no hash. */
interface Question {
  readonly actionId: string;
  readonly hash?: string;
}

/** Identifies a question. A repeated request is a new question. */
export const keyOfQuestion = ({ actionId, hash }: Question): string => hash ?? actionId;

/** How a person runs an approved action: outside the sandbox, or as a command that they edited. */
export interface ApprovalOptions {
  readonly outside?: true;
  readonly edited?: string;
}

/** Approves an action, once per question. */
export const approveAction = (question: Question, options: ApprovalOptions = {}): void =>
  postOnce(keyOfQuestion(question), { type: 'decide', approved: true, ...options, ...question });

/** Refuses an action, once per question. The agent reads the comment. */
export const refuseAction = (question: Question, comment?: string): void =>
  postOnce(keyOfQuestion(question), {
    type: 'decide',
    approved: false,
    ...(comment !== undefined && { comment }),
    ...question,
  });

export function stop(): void {
  stopping.value = true;
  escArmed.value = false;
  post({ type: 'stop' });
}

let askedBefore = -1;

/** Requests the page before the first loaded event, once. */
export function loadEarlier(): void {
  const { from } = state.value;
  if (from === 0 || askedBefore === from) return;
  askedBefore = from;
  post({ type: 'earlier', before: from });
}

let askedAt = -1;

export function connectToHost(): void {
  onMessage((message: ToPanel) =>
    batch(() => {
      if (message.type === 'details' || message.type === 'request' || message.type === 'message') {
        receiveCall(message);
        return;
      }
      if (message.type === 'completions') return take(message.id, message.length, message.items);
      const before = state.value;
      state.value = receive(before, message);
      if (!state.value.facts?.running) stopping.value = false;
      if (state.value.epoch !== before.epoch) {
        askedBefore = askedAt = -1;
        sent.value = new Set();
        forgetCalls();
        if (state.value.sessionId !== before.sessionId) {
          saveState({ session: state.value.sessionId });
          opened.value = new Map(seenOf(state.value.sessionId).opened.map((key) => [key, true]));
          search.value = undefined;
          focusedKey.value = undefined;
        }
      }
      if (!hasGap(state.value)) askedAt = -1;
      else if (askedAt !== cursorOf(state.value)) {
        askedAt = cursorOf(state.value);
        post(ready());
      }
    }),
  );
  post(ready());
}

function ready(): FromPanel {
  const { sessionId } = state.value;
  return { type: 'ready', cursor: cursorOf(state.value), ...(sessionId !== undefined && { sessionId }) };
}
