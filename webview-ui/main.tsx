import '@vscode/codicons/dist/codicon.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/cards.css';
import './styles/code.css';
import './styles/call.css';
import { useSignalEffect } from '@preact/signals';
import { render } from 'preact';
import type { PanelFacts } from '../src/protocol/panel/panel';
import { Announcer } from './panel/Announcer';
import { Composer } from './composer/Composer';
import { EmptyState } from './panel/EmptyState';
import { Feed } from './panel/Feed';
import { Header } from './panel/Header';
import { Help } from './panel/Help';
import { onKey } from './panel/keyboard';
import { post } from './base/host';
import { moveToApproval } from './state/moves';
import { Queue } from './panel/Queue';
import { PinnedTodo } from './parts/TodoList';
import { SearchBar } from './panel/SearchBar';
import { connectToHost, facts, focusedKey, helpShown, rows, search, state } from './state/store';
import { Welcome } from './panel/Welcome';

function Panel() {
  useSignalEffect(() => {
    const wish = state.value.focus;
    if (wish && wish !== granted) requestAnimationFrame(() => focusPart(wish.what, wish.actionId));
    granted = wish;
  });
  if (!facts.value) return null;
  return (
    <>
      <Header />
      {search.value !== undefined && <SearchBar />}
      <Conversation {...facts.value} />
      <PinnedTodo />
      <Queue />
      <Composer />
      <Announcer />
      {helpShown.value && <Help />}
    </>
  );
}

/** The rows of the session. Before there are any, what to do first. */
function Conversation({ model, running }: Pick<PanelFacts, 'model' | 'running'>) {
  const isEmpty = rows.value.length === 0;
  if (isEmpty && !model) return <Welcome />;
  return isEmpty && !running ? <EmptyState /> : <Feed />;
}

let granted = state.peek().focus;

function focusPart(what: 'composer' | 'approval' | 'stop' | 'search' | 'help', actionId?: string): void {
  if (what === 'approval') moveToApproval(actionId);
  else if (what === 'search') search.value ??= '';
  else if (what === 'help') helpShown.value = true;
  else document.getElementById(what)?.focus();
}

/** Delay, in ms, after which a focus without pointer or key is reported. */
const restingMs = 500;

let isPressed = false;
/** True if the host was told about the use of this view since it got the focus. */
let isUsed = false;
function reportUse(): void {
  if (!isUsed) post({ type: 'focused' });
  isUsed = true;
}
/** Reports that the view kept the focus without pointer or key. */
function reportFocusKept(): void {
  if (document.hasFocus() && !isUsed) post({ type: 'focused', rests: true });
}
for (const type of ['pointerdown', 'pointerup', 'pointercancel'] as const)
  document.addEventListener(type, () => (isPressed = type === 'pointerdown'), { capture: true });
for (const type of ['pointerdown', 'keydown'] as const) document.addEventListener(type, reportUse, { capture: true });
window.addEventListener('blur', () => {
  // A pointer released outside the view sends no event.
  isPressed = false;
  isUsed = false;
});
// After focusing the view by key or icon, the person can type at once; a click keeps its own target.
window.addEventListener('focus', () => {
  setTimeout(reportFocusKept, restingMs);
  if (!isPressed && document.activeElement === document.body) document.getElementById('composer')?.focus();
});
document.addEventListener('keydown', onKey);

/** The focused element, and the row that it belongs to; for the search, the row that had the focus before. */
let focused: { readonly element: HTMLElement; readonly key: string | undefined } | undefined;
document.addEventListener('focusin', ({ target }) => {
  const element = target as HTMLElement;
  const before = element.closest('[role=search]') ? focusedKey.peek() : undefined;
  focused = { element, key: element.closest<HTMLElement>('[data-key]')?.dataset.key ?? before };
});
document.addEventListener('focusout', ({ target }) =>
  queueMicrotask(() => {
    // The person moved the focus. If the element was removed, they did not.
    if (focused?.element === target && focused?.element.isConnected) focused = undefined;
  }),
);

/** If the focused element was removed, such as a button that decided, moves the focus to its card or to the composer. */
function keepFocus(): void {
  if (!focused || focused.element.isConnected) return;
  const { key } = focused;
  focused = undefined;
  if (!document.hasFocus() || document.activeElement !== document.body) return;
  const card = document.querySelector<HTMLElement>(`article[data-key="${CSS.escape(key ?? '')}"]`);
  (card ?? document.getElementById('composer'))?.focus({ preventScroll: true });
}
new MutationObserver(keepFocus).observe(document.getElementById('root')!, { childList: true, subtree: true });
render(<Panel />, document.getElementById('root')!);
connectToHost();
// The view may have had the focus before this script ran.
if (document.hasFocus()) reportUse();
