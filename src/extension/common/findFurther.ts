import * as vscode from 'vscode';

/** Pause after the last key before more items are searched, in ms. */
const typingPause = 250;
/** Interval between updates of the progress of a search, in ms. */
const progressInterval = 200;

interface TypedSearch {
  /** Aborted when the person types something else or closes the list. */
  readonly signal: AbortSignal;
  onProgress(done: number, of: number): void;
}

/** Yields items for a text that a person typed, each of which replaces the item that `isSame` names. */
interface FurtherItems<Item> {
  find(text: string, search: TypedSearch): AsyncIterable<Item>;
  isSame(one: Item, other: Item): boolean;
  /** True if a text is long enough to search for. */
  isEnough(text: string): boolean;
  /** Shown if no item matches what was typed. Choosing it does nothing. */
  readonly none: Item;
}

/** Searches further items while a person types. Returns a function that stops it. */
export function findFurther<Item extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<Item>,
  items: readonly Item[],
  { find, isSame, isEnough, none }: FurtherItems<Item>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isSearching = false;
  let found: Item[] = [];
  const { title } = pick;
  let current = new AbortController();
  const search = async (text: string): Promise<void> => {
    const { signal } = current;
    let toldAt = performance.now();
    const onProgress = (done: number, of: number): void => {
      if (signal.aborted || performance.now() < toldAt + progressInterval) return;
      toldAt = performance.now();
      pick.title = vscode.l10n.t('{0} ({1} of {2} searched)', title ?? '', done, of);
    };
    pick.busy = true;
    try {
      for await (const item of find(text, { signal, onProgress })) {
        if (signal.aborted) return;
        found.push(item);
        const [active] = pick.activeItems;
        pick.items = [...items.filter((one) => !found.some((other) => isSame(one, other))), ...found];
        if (active) pick.activeItems = pick.items.filter((one) => isSame(one, active));
      }
    } finally {
      if (!signal.aborted) rest();
    }
  };
  const showIdle = (): void => {
    pick.busy = false;
    pick.title = title;
  };
  const rest = (): void => {
    showIdle();
    isSearching = false;
    sayIfNone();
  };
  /** VS Code makes no item active if all of them are filtered out. */
  const sayIfNone = (): void => {
    const isNone = found.length === 0 && pick.activeItems.length === 0;
    if (!isSearching && isNone && pick.value.trim() !== '') pick.items = [...items, none];
  };
  const typed = pick.onDidChangeValue((text) => {
    clearTimeout(timer);
    current.abort();
    current = new AbortController();
    showIdle();
    pick.items = items;
    found = [];
    isSearching = isEnough(text.trim());
    if (isSearching) timer = setTimeout(() => void search(text), typingPause);
  });
  const filtered = pick.onDidChangeActive(sayIfNone);
  return () => {
    clearTimeout(timer);
    current.abort();
    typed.dispose();
    filtered.dispose();
  };
}
