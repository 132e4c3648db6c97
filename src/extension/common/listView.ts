import * as vscode from 'vscode';

/** Data provider of a native list, with a callback for its rows. */
export class ListView<Row> implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changes.event;

  /** `rows`: returns the top-level rows, or the children of `parent`. */
  constructor(
    private readonly rows: (parent?: Row) => Row[] | Promise<Row[]>,
    readonly getTreeItem: (row: Row) => vscode.TreeItem,
  ) {}

  getChildren(parent?: Row): Row[] | Promise<Row[]> {
    return this.rows(parent);
  }
  refresh(): void {
    this.changes.fire();
  }

  dispose(): void {
    this.changes.dispose();
  }
}

/** Joins the parts of a row's description, without empty ones. */
export const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

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
    this.quietUntil = Date.now() + maxOpeningMs;
    await vscode.commands.executeCommand('list.selectAndPreserveFocus');
    const [selected] = this.view.selection;
    if (selected === undefined || !this.opens(selected)) this.quietUntil = 0;
    return selected;
  }

  /** Returns true, once, if the row is only being opened because `select` selected it. */
  opensNothing(): boolean {
    const isQuiet = Date.now() < this.quietUntil;
    this.quietUntil = 0;
    return isQuiet;
  }
}
