import { batch, computed, signal } from '@preact/signals';
import type {
  AlignedPair,
  Figures,
  RunFacts,
  StepRow,
  StepTag,
  ToInspector,
} from '../../../src/protocol/inspector/inspector';
import { onMessage, post } from '../../base/host';
import { forgetCalls, callKey, receiveCall } from '../../state/calls';

/** A run with the rows loaded so far. */
interface RunState {
  readonly facts: RunFacts;
  readonly total: number;
  readonly rows: readonly StepRow[];
}

/** The inspected run, and a second one if two are compared. */
export const runs = signal<readonly RunState[]>([]);
export const first = computed(() => runs.value[0]);

// View state.

/** The `seq` of the row that has the focus. */
export const focused = signal<number | undefined>(undefined);
/** Keys of the expanded rows, by `callKey`. */
export const opened = signal<ReadonlySet<string>>(new Set());
export const searchWords = signal('');
/** Only rows with one of these tags are shown, or all rows if there are none. */
export const tags = signal<ReadonlySet<StepTag>>(new Set());
export const reasoningShown = signal(false);
export const helpShown = signal(false);
export const view = signal<'steps' | 'charts'>('steps');
/** True if the log has changed since it was read. */
export const grown = signal(false);
/** What went wrong, as a message for people. */
export const hostProblem = signal<string | undefined>(undefined);

/** Rows that contain the search words, by run; undefined until the host has answered. */
const found = signal<ReadonlyMap<number, { readonly words: string; readonly seqs: ReadonlySet<number> }>>(new Map());
export const figures = signal<Figures | undefined>(undefined);
export const pairs = signal<readonly AlignedPair[]>([]);

export const shownRows = computed((): readonly StepRow[] => matchingRows(0));

/** Returns the rows of a run that contain the words and have one of the tags. */
export function matchingRows(run: number): readonly StepRow[] {
  const rows = runs.value[run]?.rows ?? [];
  const hits = found.value.get(run)?.seqs;
  const isSearching = searchWords.value.trim() !== '' && hits !== undefined;
  const hasTag = (row: StepRow): boolean => tags.value.size === 0 || row.tags.some((tag) => tags.value.has(tag));
  if (!isSearching && tags.value.size === 0) return rows;
  return rows.filter((row) => (!isSearching || hits.has(row.seq)) && hasTag(row));
}

export const isOpen = (run: number, seq: number): boolean => opened.value.has(callKey(run, seq));

export function setOpen(run: number, seq: number, open: boolean): void {
  const key = callKey(run, seq);
  if (opened.peek().has(key) === open) return;
  const next = new Set(opened.value);
  if (open) next.add(key);
  else next.delete(key);
  opened.value = next;
  if (open) post({ type: 'details', run, seq });
}

let searchTimer: ReturnType<typeof setTimeout> | undefined;

/** Searches via the host, which has the whole log. */
export function searchFor(text: string): void {
  searchWords.value = text;
  clearTimeout(searchTimer);
  if (text.trim() === '') {
    found.value = new Map();
    return;
  }
  searchTimer = setTimeout(requestSearch, 150);
}

const requestSearch = (): void =>
  runs.value.forEach((_run, run) => post({ type: 'find', run, words: searchWords.value }));

export function showView(name: 'steps' | 'charts'): void {
  view.value = name;
  if (name === 'charts' && !figures.value) post({ type: 'figures' });
}

/** Step to reveal; the list watches this and scrolls to it. */
export const stepToReveal = signal<{ readonly run: number; readonly seq: number } | undefined>(undefined);

/** Replaces a run. `stay`: the expanded rows and the focus stay. */
function receiveRun({ run, facts, total, rows, stay }: Extract<ToInspector, { type: 'run' }>): void {
  const next = [...runs.value];
  next[run] = { facts, total, rows };
  runs.value = next;
  forgetCalls(run);
  figures.value = undefined;
  grown.value = false;
  const isOfRun = (key: string): boolean => key.startsWith(`${run}:`);
  if (stay) {
    for (const key of [...opened.value].filter(isOfRun)) post({ type: 'details', run, seq: Number(key.split(':')[1]) });
  } else {
    opened.value = new Set([...opened.value].filter((key) => !isOfRun(key)));
    if (run === 0) focused.value = rows[0]?.seq;
  }
  if (searchWords.value.trim() !== '') post({ type: 'find', run, words: searchWords.value });
}

function receive(message: ToInspector): void {
  switch (message.type) {
    case 'run':
      receiveRun(message);
      break;
    case 'rows': {
      const { run, from, rows, facts } = message;
      const known = runs.value[run];
      if (!known) break;
      const next = [...runs.value];
      next[run] = {
        ...known,
        ...(facts && { facts: { ...facts, ...(known.facts.place && { place: known.facts.place }) } }),
        total: Math.max(known.total, from + rows.length),
        rows: [...known.rows.slice(0, from), ...rows, ...known.rows.slice(from + rows.length)],
      };
      runs.value = next;
      if (!facts) break;
      // The log may contain more about expanded rows.
      for (const { seq } of rows) if (isOpen(run, seq)) post({ type: 'details', run, seq });
      figures.value = undefined;
      break;
    }
    case 'place': {
      const [known, ...others] = runs.value;
      if (known)
        runs.value = [
          { ...known, facts: { ...known.facts, place: { position: message.position, count: message.count } } },
          ...others,
        ];
      break;
    }
    case 'details':
    case 'request':
    case 'message':
      receiveCall(message);
      break;
    case 'found':
      if (message.words === searchWords.value)
        found.value = new Map(found.value).set(message.run, { words: message.words, seqs: new Set(message.seqs) });
      break;
    case 'figures':
      if (message.run === 0) figures.value = message.figures;
      break;
    case 'pairs':
      pairs.value = message.pairs;
      break;
    case 'show':
      searchWords.value = '';
      found.value = new Map();
      tags.value = new Set();
      view.value = 'steps';
      setOpen(message.run, message.seq, true);
      stepToReveal.value = { run: message.run, seq: message.seq };
      break;
    case 'grown':
      grown.value = true;
      break;
    case 'problem':
      hostProblem.value = message.words;
      break;
  }
}

export function connectToHost(): void {
  onMessage<ToInspector>((message) => batch(() => receive(message)));
  post({ type: 'ready' });
}
