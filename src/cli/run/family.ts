import type { Conversation } from '../../core/session/conversation';
import { statusOf, type History } from '../../core/log/history';

/** A session that works for another one in this run. */
export interface Member {
  readonly id: string;
  readonly title: string;
  readonly conversation: Conversation;
}

/** The sessions at work for the one that was asked for, and which of them needs a person. */
export class Family {
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

  /** The first that rests until a person decides, answers or lets it go on. */
  get waiting(): Member | undefined {
    return this.all.find(
      ({ conversation: { running, history } }) =>
        !running && (['waiting_for_confirmation', 'waiting_for_answer'].includes(statusOf(history)) || isHeld(history)),
    );
  }

  /** One of them came to rest or went on. */
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

/** Halted at a checkpoint, from where a signal or a person lets it go on. */
export function isHeld(history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'paused' && last.checkpoint !== undefined;
}
