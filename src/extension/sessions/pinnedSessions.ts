import type * as vscode from 'vscode';

const key = 'waymark.pinnedSessions';

/** The sessions that the user keeps at the top of the list, in this workspace. Survives a reload. */
export class PinnedSessions {
  /** `changed`: called to update the list. */
  constructor(
    private readonly workspaceState: vscode.Memento,
    private readonly changed: () => void,
  ) {}

  /** Their IDs, in the order in which they were pinned. */
  get ids(): readonly string[] {
    return this.workspaceState.get<readonly string[]>(key, []);
  }

  async pin(id: string): Promise<void> {
    if (!this.ids.includes(id)) await this.store([...this.ids, id]);
  }

  async unpin(id: string): Promise<void> {
    if (this.ids.includes(id)) await this.store(this.ids.filter((each) => each !== id));
  }

  private async store(ids: readonly string[]): Promise<void> {
    await this.workspaceState.update(key, ids);
    this.changed();
  }
}
