import type { ConfirmationMode, Limits, Mode } from '../../protocol/events/event';
import type { LiveSession } from './liveSession';
import type { NextMode } from './nextTask';

/**
 * Controls of the run on display: pause, resume, change settings. They do nothing without a session or if it is
 * read-only.
 */
export class Controls {
  /** `useModel` returns false if no model is chosen. */
  constructor(
    private readonly shown: () => Promise<LiveSession | undefined>,
    private readonly useModel: (session: LiveSession) => Promise<boolean>,
    readonly next: NextMode,
  ) {}

  /** Pauses at the next checkpoint of the run, without cancelling anything that is running. */
  async pause(): Promise<void> {
    (await this.writable())?.conversation.pause();
  }

  /** Runs until the next checkpoint of the run and pauses there. */
  step(): Promise<void> {
    return this.goOn((session) => session.conversation.step());
  }

  /** Resumes, without pausing at the following checkpoints. */
  resume(): Promise<void> {
    return this.goOn((session) => session.conversation.resume());
  }

  /** Sets the mode of the session, or of the next task if none has started. */
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

  /** Sets the limits. A run that had reached the old ones continues. */
  setLimits(limits: Limits): Promise<void> {
    return this.goOn((session) => session.conversation.setLimits(limits));
  }

  /** Condenses the conversation before the next reply. */
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
