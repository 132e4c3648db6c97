import * as vscode from 'vscode';

/** How long VS Code may take to open a selected row, in ms. */
const maxOpeningMs = 1000;

/**
 * The focused row of a native list. VS Code only reports the selected row to extensions, and arrow keys move the focus
 * without selecting.
 */
export class FocusedRow<Row> {
  private quietUntil = 0;

  /** `opens`: returns whether selecting a row runs its command. */
  constructor(
    private readonly view: vscode.TreeView<Row>,
    private readonly opens: (row: Row) => boolean = () => true,
  ) {}

  /**
   * Selects the focused row of the list that has the focus, and returns it. Returns undefined if no row has the focus.
   * VS Code also opens a selected row, which is not wanted here: `opensNothing` reports that once.
   */
  async select(): Promise<Row | undefined> {
    this.quietUntil = performance.now() + maxOpeningMs;
    await vscode.commands.executeCommand('list.selectAndPreserveFocus');
    const [selected] = this.view.selection;
    if (selected === undefined || !this.opens(selected)) this.quietUntil = 0;
    return selected;
  }

  /** Returns true, once, if the row is only being opened because `select` selected it. */
  opensNothing(): boolean {
    const isQuiet = performance.now() < this.quietUntil;
    this.quietUntil = 0;
    return isQuiet;
  }
}
