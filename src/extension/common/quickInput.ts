import * as vscode from 'vscode';

/**
 * Time, in ms, in which VS Code may still move the focus. After a command or a reveal, it focuses the editor tab or view
 * that had the focus before, or was revealed: a webview with a delay and through another document. A list that opened
 * meanwhile loses the focus, which would close it.
 */
const settlesWithin = 600;
/** Time, in ms, in which the next list or box of a sequence opens. */
const replacedWithin = 60;

/** Asks for a text. The box stays open without the focus, because the person may look something up meanwhile. */
export const askText = (options: vscode.InputBoxOptions): Thenable<string | undefined> =>
  vscode.window.showInputBox({ ...options, ignoreFocusOut: true });

interface PickOptions {
  readonly title: string;
  readonly placeHolder?: string;
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
  /** The list stays open without the focus. By default it does so only while VS Code may still move the focus. */
  readonly ignoreFocusOut?: boolean;
}

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
function findFurther<Item extends vscode.QuickPickItem>(
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
  const rest = (): void => {
    pick.busy = false;
    pick.title = title;
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
    pick.busy = false;
    pick.title = title;
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

/** Asks for one of the items, like `showQuickPick`. `further`: searched while the person types. Resolves to undefined if the user closed the list. */
export function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  { title, placeHolder, ignoreFocusOut = false, matchOnDescription = false, matchOnDetail = false }: PickOptions,
  further?: FurtherItems<Item>,
): Promise<Item | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  Object.assign(pick, {
    title,
    items,
    matchOnDescription,
    matchOnDetail,
    ignoreFocusOut: true,
    placeholder: placeHolder,
    keepScrollPosition: true,
  });
  const stopSearch = further && findFurther(pick, items, further);
  const settling = setTimeout(() => {
    pick.ignoreFocusOut = ignoreFocusOut;
  }, settlesWithin);
  return new Promise<Item | undefined>((resolve) => {
    // Enter does nothing if no row matches what was typed.
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item && item !== further?.none) resolve(item);
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => {
    clearTimeout(settling);
    stopSearch?.();
    // A list that follows at once replaces this one. Closing this one first would move the focus away and back.
    setTimeout(() => pick.dispose(), replacedWithin);
  });
}

/** Resolves when every list that was answered has been closed, unless another one replaced it. */
export const listsAreClosed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, replacedWithin));
