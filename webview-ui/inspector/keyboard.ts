import { post } from '../host';
import { moveTo, refocus, scroll } from './moves';
import { find, focused, helpShown, isOpen, reasoningShown, setOpen, shownRows, tags, view, words } from './store';
import { announce } from './Announcer';
import { say } from './words';

/** Pixels of one `j`: three lines. */
const line = 60;

/** Keys of the inspector, those of mini-swe-agent's among them. Text boxes keep theirs, but for Esc. */
export function onKey(event: KeyboardEvent): void {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as HTMLElement;
  if (event.key === 'Escape') { escape(event, target); return; }
  if (target.closest('input, textarea, select')) return;
  if (helpShown.value && event.key !== '?') return;
  const act = actions[event.key];
  if (!act) return;
  const inside = target.closest('.step-view') !== null;
  if ((event.key === 'Enter' || event.key === ' ') && target.closest('button, a, [data-url], summary')) return;
  // Boxes that scroll keep their arrows.
  if (event.key.startsWith('Arrow') && (target.closest('.long-text, pre, [role=radiogroup], [role=tablist]') || (inside && event.key !== 'ArrowLeft'))) return;
  event.preventDefault();
  act();
}

const step = (): number | undefined => focused.value;

const actions: Record<string, () => void> = {
  l: () => moveTo('next'), ArrowDown: () => moveTo('next'), h: () => moveTo('previous'), ArrowUp: () => moveTo('previous'),
  0: () => moveTo('first'), Home: () => moveTo('first'), $: () => moveTo('last'), End: () => moveTo('last'),
  j: () => scroll(line), k: () => scroll(-line),
  L: () => post({ type: 'neighbour', by: 1 }), H: () => post({ type: 'neighbour', by: -1 }),
  Enter: () => toggle(undefined), ' ': () => toggle(undefined), ArrowRight: () => toggle(true), ArrowLeft: () => { toggle(false); refocus(); },
  r: () => { reasoningShown.value = !reasoningShown.value; announce(say(reasoningShown.value ? 'live.reasoning.on' : 'live.reasoning.off')); },
  R: () => post({ type: 'reload' }),
  e: () => { const seq = step(); if (seq !== undefined) post({ type: 'open_text', seq }); },
  E: () => post({ type: 'open_text' }),
  c: () => { const row = shownRows.value.find(({ seq }) => seq === step()); if (row) post({ type: 'copy', text: row.line }); },
  v: () => { view.value = view.value === 'steps' ? 'charts' : 'steps'; if (view.value === 'charts') post({ type: 'figures' }); },
  '/': () => document.getElementById('find')?.focus(),
  '?': () => { helpShown.value = !helpShown.value; },
};

function toggle(open: boolean | undefined): void {
  const seq = step();
  if (seq !== undefined) setOpen(0, seq, open ?? !isOpen(0, seq));
}

/** Out of what is innermost: the list of keys, the search, what is searched for, the step. */
function escape(event: KeyboardEvent, target: HTMLElement): void {
  event.preventDefault();
  const seq = step();
  if (helpShown.value) helpShown.value = false;
  else if (target.closest('input')) { if (words.value) find(''); else refocus(); }
  else if (target.closest('.step-view')) refocus();
  else if (words.value || tags.value.size > 0) { find(''); tags.value = new Set(); }
  else if (seq !== undefined && isOpen(0, seq)) setOpen(0, seq, false);
}
