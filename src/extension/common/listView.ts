import * as vscode from 'vscode';

/** A native list that is asked for its rows and told when they changed. */
export class ListView<Row> implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changes.event;

  /** `rows` of the list itself, or below one of them. */
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
