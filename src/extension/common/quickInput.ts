import * as vscode from 'vscode';

/**
 * Moments after opening, in ms, at which an input gets the focus again. After a command or a reveal, VS Code focuses
 * the editor tab or view that had the focus before, or was revealed. For a webview it does so with a delay and through
 * another document, so an input that opened meanwhile can lose the focus.
 */
const moments = [40, 120, 300, 600];

/** Keeps the focus in an open input until VS Code has ended earlier moves of the focus. `settled` is called then. */
export async function keepingFocus<Value>(answer: PromiseLike<Value>, settled = (): void => undefined): Promise<Value> {
  const timers = moments.map((ms, index) =>
    setTimeout(() => {
      vscode.commands.executeCommand('workbench.action.focusQuickOpen').then(
        () => index === moments.length - 1 && settled(),
        () => settled(),
      );
    }, ms),
  );
  try {
    return await answer;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Asks for a text. The box stays open without the focus, because the person may look something up meanwhile. */
export const askText = (options: vscode.InputBoxOptions): Promise<string | undefined> =>
  keepingFocus(vscode.window.showInputBox({ ...options, ignoreFocusOut: true }));

export interface PickOptions {
  readonly title: string;
  readonly placeHolder?: string;
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
  /** The list stays open without the focus. Otherwise it does so only until VS Code has ended moving the focus. */
  readonly ignoreFocusOut?: boolean;
}

/** Asks for one of the items, like `showQuickPick`. Resolves to undefined if the user closed the list. */
export function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  { title, placeHolder, ignoreFocusOut = false, matchOnDescription = false, matchOnDetail = false }: PickOptions,
): Promise<Item | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  Object.assign(pick, {
    title,
    items,
    matchOnDescription,
    matchOnDetail,
    ignoreFocusOut: true,
    placeholder: placeHolder,
  });
  const answer = new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  return keepingFocus(answer, () => {
    pick.ignoreFocusOut = ignoreFocusOut;
  }).finally(() => pick.dispose());
}
