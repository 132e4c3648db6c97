import * as vscode from 'vscode';

/** How long VS Code may take to open what was selected. Milliseconds. */
const longestOpeningMs = 1000;

/**
 * The row of a native list that has the focus. VS Code tells an extension only which row is selected, and arrow keys
 * select none.
 */
export class FocusedRow<Row> {
  private quietUntil = 0;

  /** `opens`: whether selecting a row runs its command. */
  constructor(
    private readonly view: vscode.TreeView<Row>,
    private readonly opens: (row: Row) => boolean = () => true,
  ) {}

  /**
   * Selects the row with the focus in the list that a person is in, and returns it; undefined if no row has the focus.
   * VS Code opens a selected row, which nobody asked for here: `opensNothing` prevents that once.
   */
  async select(): Promise<Row | undefined> {
    this.quietUntil = Date.now() + longestOpeningMs;
    await vscode.commands.executeCommand('list.selectAndPreserveFocus');
    const [selected] = this.view.selection;
    if (selected === undefined || !this.opens(selected)) this.quietUntil = 0;
    return selected;
  }

  /** Whether opening a row comes from `select`. True once. */
  opensNothing(): boolean {
    const isQuiet = Date.now() < this.quietUntil;
    this.quietUntil = 0;
    return isQuiet;
  }
}
