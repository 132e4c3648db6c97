import type { AskingSession } from '../consent/decide';
import type { Conversation } from '../../core/session/conversation';
import { waitsForPerson } from '../../core/log/status';
import type { History } from '../../core/log/projection';

/** A child session of this run. */
interface Member extends AskingSession {
  readonly id: string;
  readonly title: string;
}

/** The active child sessions, and which of them needs a person. */
export class ActiveChildren {
  private readonly members = new Map<string, Member>();
  private noticed = (): void => undefined;

  add(member: Member): void {
    this.members.set(member.id, member);
  }
  remove(id: string): void {
    this.members.delete(id);
  }

  get all(): Member[] {
    return [...this.members.values()];
  }

  /** The first one that rests until a person decides, answers or resumes it. */
  get waiting(): Member | undefined {
    return this.all.find(
      ({ conversation: { running, history } }) => !running && (waitsForPerson(history) || isAtCheckpoint(history)),
    );
  }

  /** Called when one of them pauses, ends or resumes. */
  changed(): void {
    if (this.waiting) this.noticed();
  }

  /** Resolves when `main` rests, or when one of its children needs a person. */
  async needsPerson(main: Conversation): Promise<void> {
    if (this.waiting) return;
    await Promise.race([
      main.rested(),
      new Promise<void>((resolve) => {
        this.noticed = resolve;
      }),
    ]);
  }
}

/** Returns whether a session is paused at a checkpoint, from where a signal or a person resumes it. */
export function isAtCheckpoint(history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'paused' && last.checkpoint !== undefined;
}
