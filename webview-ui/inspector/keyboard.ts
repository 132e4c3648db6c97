import { post } from '../base/host';
import { announce } from './Announcer';
import { closeFocused, focusedSeq, moveTo, refocus, scroll, toggleFocused } from './state/moves';
import { nextDifference } from './state/compareStore';
import { searchFor, helpShown, pairs, reasoningShown, runs, showView, tags, view, searchWords } from './state/store';
import { say } from './state/words';

/** Pixels per press of `j`: three lines. */
const line = 60;

/** Handles the keys of the inspector, including those of mini-swe-agent. Text boxes keep theirs, except Esc. */
export function onKey(event: KeyboardEvent): void {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as HTMLElement;
  if (event.key === 'Escape') {
    leaveInnermost(event, target);
    return;
  }
  if (target.closest('input, textarea, select')) return;
  if (helpShown.value && event.key !== '?') return;
  const act = actions[event.key];
  if (!act) return;
  const inside = target.closest('.step-view') !== null;
  if ((event.key === 'Enter' || event.key === ' ') && target.closest('button, a, [data-url], summary')) return;
  // Scrollable elements keep their arrow keys. In an expanded step, the left arrow leaves it.
  if (
    event.key.startsWith('Arrow') &&
    (target.closest('.long-text, pre, .charts') || (inside && event.key !== 'ArrowLeft'))
  )
    return;
  event.preventDefault();
  act();
}

const actions: Record<string, () => void> = {
  l: () => moveTo('next'),
  ArrowDown: () => moveTo('next'),
  h: () => moveTo('previous'),
  ArrowUp: () => moveTo('previous'),
  0: () => moveTo('first'),
  Home: () => moveTo('first'),
  $: () => moveTo('last'),
  End: () => moveTo('last'),
  j: () => scroll(line),
  k: () => scroll(-line),
  L: () => post({ type: 'neighbour', by: 1 }),
  H: () => post({ type: 'neighbour', by: -1 }),
  Enter: () => toggleFocused(),
  ' ': () => toggleFocused(),
  ArrowRight: () => toggleFocused(true),
  ArrowLeft: () => {
    closeFocused();
    refocus();
  },
  r: () => {
    reasoningShown.value = !reasoningShown.value;
    announce(say(reasoningShown.value ? 'live.reasoning.on' : 'live.reasoning.off'));
  },
  R: () => post({ type: 'reload' }),
  e: () => {
    const seq = focusedSeq();
    if (seq !== undefined) post({ type: 'open_text', seq });
  },
  E: () => post({ type: 'open_text' }),
  c: () => {
    const row = runs.value[0]?.rows.find(({ seq }) => seq === focusedSeq());
    if (row) post({ type: 'copy', text: row.line });
  },
  v: () => {
    if (pairs.value.length === 0) showView(view.value === 'steps' ? 'charts' : 'steps');
  },
  d: () => nextDifference(),
  '/': () => document.getElementById('find')?.focus(),
  '?': () => {
    helpShown.value = !helpShown.value;
  },
};

/** Leaves the innermost state: the key list, the search box, the search, or the step. */
function leaveInnermost(event: KeyboardEvent, target: HTMLElement): void {
  event.preventDefault();
  if (helpShown.value) helpShown.value = false;
  else if (target.closest('input')) {
    if (searchWords.value) searchFor('');
    else refocus();
  } else if (target.closest('.step-view')) refocus();
  else if (searchWords.value || tags.value.size > 0) {
    searchFor('');
    tags.value = new Set();
  } else if (!closeFocused() && view.value === 'charts') showView('steps');
}
