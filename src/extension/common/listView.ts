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
export const joinWithDots = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
