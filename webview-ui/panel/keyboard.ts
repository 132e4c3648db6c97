import { post } from '../base/host';
import { rowText } from '../state/rows';
import { moveTo, moveToApproval } from '../state/moves';
import { canStop } from '../state/status';
import { approvals, commandRuns, escArmed, facts, focusedKey, helpShown, rows, search, stop } from '../state/store';

let lastG = 0;

/** Handles the keys of the conversation. Text boxes keep theirs, except Esc and the two that decide. */
export function onKey(event: KeyboardEvent): void {
  if (event.isComposing) return;
  const target = event.target as HTMLElement;
  if (event.altKey && (event.key === 'Enter' || event.key === 'Backspace')) {
    pressDecision(event.key === 'Enter' ? 'run-once' : 'refuse', event);
    return;
  }
  if (event.key === 'Escape') {
    leaveInnermost(event);
    return;
  }
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f') {
    event.preventDefault();
    startSearch();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select')) return;
  const act = actions[event.key];
  if (!act || (event.key === 'Enter' && target.closest('button, a, [data-url]'))) return;
  if (event.key.startsWith('Arrow') && scrollsElement(target, event.key)) return;
  event.preventDefault();
  act();
}

/** True if an arrow key scrolls the focused element: long code, a table, a diagram. */
function scrollsElement(target: HTMLElement, key: string): boolean {
  const box = target.closest('pre, .long-text, .diagram, .table, .circumstances');
  if (key === 'ArrowDown' || key === 'ArrowUp')
    return box?.matches('pre, .long-text, .diagram, .circumstances') === true;
  return box !== null && box.scrollWidth > box.clientWidth;
}

const actions: Record<string, () => void> = {
  j: () => moveTo('next'),
  ArrowDown: () => moveTo('next'),
  k: () => moveTo('previous'),
  ArrowUp: () => moveTo('previous'),
  G: () => moveTo('last'),
  End: () => moveTo('last'),
  Home: () => moveTo('first'),
  g: () => {
    const now = Date.now();
    if (now - lastG < 600) moveTo('first');
    lastG = now;
  },
  Enter: () => toggleFocused(undefined),
  ArrowRight: () => toggleFocused(true),
  ArrowLeft: () => toggleFocused(false),
  '/': () => startSearch(),
  '?': () => {
    helpShown.value = !helpShown.value;
  },
  r: () => {
    const row = rows.value.find((one) => one.key === focusedKey.value);
    if (row) post({ type: 'restore', seq: row.seq });
  },
  c: () => {
    const row = rows.value.find((one) => one.key === focusedKey.value);
    if (row) post({ type: 'copy', text: rowText(row) });
  },
};

/** Opens the search bar, which takes the focus, or moves the focus to it. */
function startSearch(): void {
  if (search.value === undefined) search.value = '';
  else document.querySelector<HTMLInputElement>('[data-testid="search"]')?.select();
}

function toggleFocused(open: boolean | undefined): void {
  const button = document.querySelector<HTMLButtonElement>(
    `[data-key="${CSS.escape(focusedKey.value ?? '')}"] [data-toggle]`,
  );
  if (button && (open === undefined || (button.getAttribute('aria-expanded') === 'true') !== open)) button.click();
}

/** Clicks the card's own button, so that its delay and its protection against double clicks apply. */
function pressDecision(button: 'run-once' | 'refuse', event: KeyboardEvent): void {
  const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset.key;
  const row = approvals.value.find((one) => one.key === focused) ?? approvals.value[0];
  const element =
    row && document.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(row.key)}"] [data-testid="${button}"]`);
  if (!row) return;
  // A card outside the view is scrolled into view first, never decided unseen.
  if (!element) {
    event.preventDefault();
    moveToApproval(row.step.action.id);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) element.click();
}

function leaveInnermost(event: KeyboardEvent): void {
  event.preventDefault();
  if (helpShown.value) helpShown.value = false;
  else if (search.value !== undefined) search.value = undefined;
  else if (canStop()) {
    // Stopping loses a running command or a pending approval, so that Esc has to be pressed twice.
    if (escArmed.value || (facts.value?.running && !commandRuns.value)) {
      stop();
      return;
    }
    escArmed.value = true;
    setTimeout(() => {
      escArmed.value = false;
    }, 3000);
  } else post({ type: 'command', id: 'workbench.action.focusActiveEditorGroup' });
}
