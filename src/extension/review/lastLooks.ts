import type * as vscode from 'vscode';
import type { Look } from './sessionReview';

const LOOKS = 'waymark.lastLooks';
/** Sessions that are remembered, those that were looked at last. */
const mostSessions = 100;

/** `at` is absent where an earlier version noted it. */
type KeptLook = readonly [session: string, seq: number, at?: number];

/** What of each session a person has reviewed in one editor. Outlives a reload. */
export class LastLooks {
  constructor(private readonly workspaceState: vscode.Memento) {}

  /** Before everything where nobody looked yet. */
  of(session: string): Look {
    const [, seq = -1, at = 0] = this.all.find(([id]) => id === session) ?? [];
    return { session, seq, at };
  }

  async note({ session, seq, at }: Look): Promise<void> {
    const others = this.all.filter(([id]) => id !== session);
    await this.workspaceState.update(LOOKS, [...others, [session, seq, at]].slice(-mostSessions));
  }

  private get all(): readonly KeptLook[] {
    return this.workspaceState.get<readonly KeptLook[]>(LOOKS, []);
  }
}
