import type * as vscode from 'vscode';
import type { Look } from './sessionReview';

const LOOKS = 'waymark.lastLooks';
/** Maximum number of remembered sessions; the last viewed ones are kept. */
const mostSessions = 100;

/** `at` is absent in entries of earlier versions. */
type KeptLook = readonly [session: string, seq: number, at?: number];

/** How far the user has reviewed each session in the multi-diff editor. Survives a reload. */
export class LastLooks {
  constructor(private readonly workspaceState: vscode.Memento) {}

  /** Returns the start of the session if it was never viewed. */
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
