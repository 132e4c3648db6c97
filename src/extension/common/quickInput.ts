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

/** What a list shows besides its items while a person types. */
export interface Further<Item extends vscode.QuickPickItem> {
  /** Begins to add to the list. Returns a function that ends it. */
  begin(pick: vscode.QuickPick<Item>): () => void;
  /** An item that cannot be chosen. */
  readonly none: Item;
}

/** Asks for one of the items, like `showQuickPick`. `further`: searched while the person types. Resolves to undefined if the user closed the list. */
export function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  { title, placeHolder, ignoreFocusOut = false, matchOnDescription = false, matchOnDetail = false }: PickOptions,
  further?: Further<Item>,
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
  const stopSearch = further?.begin(pick);
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
