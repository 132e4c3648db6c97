import { batch, computed, signal } from '@preact/signals';
import type { FromPanel, ToPanel } from '../../src/protocol/panel/panel';
import { forgetCalls, receiveCall } from './calls';
import { take } from './completion';
import { keepingSame, rowsOf, rowText, waitingIn, type Row, type RowOf } from './rows';
import { saveState, savedState, onMessage, post, type Seen } from '../base/host';
import { cursorOf, emptyState, hasGap, receive } from './state';

export const state = signal(emptyState);
export const facts = computed(() => state.value.facts);
export const events = computed(() => state.value.events);
export const stream = computed(() => state.value.stream);
/** Parts of the facts and of the stream that cards ask for: the rest changes with every event and every word. */
export const running = computed(() => facts.value?.running === true);
export const status = computed(() => facts.value?.status);
export const writable = computed(() => facts.value?.writable);
export const mode = computed(() => facts.value?.mode);
export const liveOutput = computed(() => stream.value.output);
export const liveChildren = computed(() => stream.value.children);
export const sessionId = computed(() => state.value.sessionId);
export const rules = computed(() => state.value.rules);
export const previews = computed(() => state.value.previews);
const reading = computed(() => stream.value.reading);
let before: readonly Row[] = [];
/** Rows that did not change are the objects that they were before: their cards are not drawn again. */
export const rows = computed(() => (before = keepingSame(before, rowsOf(events.value, reading.value))));
/** The messages that wait, beside the composer. */
export const waiting = computed(() => waitingIn(events.value, reading.value));
export const approvals = computed(() => rows.value.filter((row): row is RowOf<'approval'> => row.kind === 'approval'));

/** The question that the composer answers. */
export const question = computed(() =>
  facts.value?.status === 'waiting_for_answer'
    ? rows.value.find((row): row is RowOf<'question'> => row.kind === 'question' && !row.step.observation)
    : undefined,
);

/** What of the session that is shown waits for review; undefined while that is not known. */
export const pendingChanges = computed(() => {
  const { changes } = state.value;
  return changes?.kept && changes.session === sessionId.value ? changes : undefined;
});

/** What the person did to the view: none of it matters to the host. */
export const opened = signal<ReadonlyMap<string, boolean>>(new Map());
export const focusedKey = signal<string | undefined>(undefined);
export const search = signal<string | undefined>(undefined);
export const helpShown = signal(false);
export const stopping = signal(false);
export const escArmed = signal(false);
/** How often the person sent something: what was sent is shown, wherever they had scrolled to. */
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

const mostOpened = 200;

/** A view that was hidden, or another session for a while, is seen again as it was left. */
export function keepSeen(change: Pick<Seen, 'top'>): void {
  const keys = [...opened.value].flatMap(([key, open]) => (open ? [key] : []));
  saveState({ seen: { ...seenOf(sessionId.value), opened: keys.slice(-mostOpened), ...change } });
}

/** How the person left this session in this view. */
export function seenOf(session: string | undefined): Seen {
  const seen = savedState()?.seen;
  return seen?.session === session && seen ? seen : { session, opened: [] };
}

/** A command is running right now. */
export const commandRuns = computed(
  () =>
    facts.value?.running === true &&
    rows.value.some((row) => row.kind === 'step' && row.step.started && !row.step.observation),
);

/** Approvals and answers that were posted and not seen in the log yet: a second click posts nothing. */
export const sent = signal<ReadonlySet<string>>(new Set());

export function postOnce(actionId: string, message: FromPanel): void {
  if (sent.value.has(actionId)) return;
  sent.value = new Set(sent.value).add(actionId);
  post(message);
  // A host that never answers must not leave the card dead; it ignores what it has seen.
  setTimeout(() => {
    sent.value = new Set([...sent.value].filter((id) => id !== actionId));
  }, 5000);
}

export function stop(): void {
  stopping.value = true;
  escArmed.value = false;
  post({ type: 'stop' });
}

let askedBefore = -1;

/** Asks for the page before the first event held, once. */
export function loadEarlier(): void {
  const { from } = state.value;
  if (from === 0 || askedBefore === from) return;
  askedBefore = from;
  post({ type: 'earlier', before: from });
}

let askedAt = -1;

export function connect(): void {
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
