import type * as vscode from 'vscode';

const LOOKS = 'waymark.lastLooks';
/** Sessions that are remembered, those that were looked at last. */
const mostSessions = 100;

type Look = readonly [session: string, seq: number];

/** Up to which event of each session a person has reviewed its changes in one editor. Outlives a reload. */
export class LastLooks {
  constructor(private readonly workspaceState: vscode.Memento) {}

  /** Before every event where nobody looked yet. */
  at(session: string): number {
    return this.all.find(([id]) => id === session)?.[1] ?? -1;
  }

  async note(session: string, seq: number): Promise<void> {
    const others = this.all.filter(([id]) => id !== session);
    await this.workspaceState.update(LOOKS, [...others, [session, seq]].slice(-mostSessions));
  }

  private get all(): readonly Look[] {
    return this.workspaceState.get<readonly Look[]>(LOOKS, []);
  }
}
