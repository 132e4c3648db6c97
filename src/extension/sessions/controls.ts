import type { ConfirmationMode, Limits, Mode } from '../../protocol/events/event';
import type { LiveSession } from './liveSession';
import type { NextMode } from './nextMode';

/**
 * What a person does with the run that is shown: hold it, let it go, change how it works. Where none is shown
 * or it can only be read, nothing happens.
 */
export class Controls {
  /** `useModel` is false where no model is chosen. */
  constructor(
    private readonly shown: () => Promise<LiveSession | undefined>,
    private readonly useModel: (session: LiveSession) => Promise<boolean>,
    readonly next: NextMode,
  ) {}

  /** Halts at the next checkpoint; nothing that runs is cancelled. */
  async pause(): Promise<void> {
    (await this.writable())?.conversation.pause();
  }

  /** Goes to the next checkpoint and halts there. */
  step(): Promise<void> {
    return this.goOn((session) => session.conversation.step());
  }

  /** Goes on, and halts at checkpoints no more. */
  resume(): Promise<void> {
    return this.goOn((session) => session.conversation.resume());
  }

  /** Before there is a task, the mode of the next one, and of that one alone. */
  async setMode(mode: Mode, confirmation?: ConfirmationMode): Promise<void> {
    const session = await this.shown();
    if (!(await this.next.allows(mode))) return this.next.changed();
    if (!session || session.conversation.history.length === 0)
      return this.next.choose({ mode, ...(confirmation && { confirmation }) });
    if (!session.writable || !(await this.useModel(session))) return;
    const { conversation } = session;
    if (confirmation && confirmation !== session.settings?.confirmation)
      conversation.append({ type: 'settings_changed', confirmation });
    conversation.setMode(mode);
  }

  /** The limits from now on; a run that had reached the old ones goes on. */
  setLimits(limits: Limits): Promise<void> {
    return this.goOn((session) => session.conversation.setLimits(limits));
  }

  /** Makes the conversation shorter before the next reply. */
  condense(): Promise<void> {
    return this.goOn((session) => session.conversation.condense());
  }

  private async writable(): Promise<LiveSession | undefined> {
    const session = await this.shown();
    return session?.writable && session.conversation.history.length > 0 ? session : undefined;
  }

  private async goOn(go: (session: LiveSession) => void): Promise<void> {
    const session = await this.writable();
    if (session && (await this.useModel(session))) go(session);
  }
}
