import { heedControl } from '../../adapters/log/control';
import { statusOf } from '../../core/log/history';
import type { Conversation } from '../../core/session/conversation';
import { heedWord } from '../../core/session/outsideControl';
import { stderr } from '../output/output';
import { isHeld, type Family } from './family';
import { interruptedForNote } from './noteAfterInterruption';
import { onSignals } from './signals';

interface ControlledRun {
  /** The log, to which other processes say what should happen. */
  readonly file: string;
  readonly conversation: Conversation;
  readonly family: Family;
  readonly attended: boolean;
  /** How many processes of its tools run. */
  processes(): Promise<number>;
  /** Whether nothing is to be printed when it is stopped. */
  readonly isQuiet: boolean;
}

/** What a person does to a run from outside: signals of this process, and `waymark control` in another one. */
export class RunControls {
  private readonly unwanted = new AbortController();
  private readonly ended = new AbortController();
  private letGo = (): void => undefined;
  /** Why it was stopped. */
  private reason = '';
  private readonly stopListening: () => void;

  constructor(private readonly run: ControlledRun) {
    const stopHeeding = this.heedOtherProcesses();
    const stopHearingSignals = this.hearSignals();
    this.stopListening = () => {
      stopHeeding();
      stopHearingSignals();
    };
  }

  /** Aborted as soon as somebody wants the end: what would only begin then is not begun. */
  get unwantedSignal(): AbortSignal {
    return this.unwanted.signal;
  }

  /** Aborted when the run was stopped, or left to wait for its person. */
  get endedSignal(): AbortSignal {
    return this.ended.signal;
  }

  /** Resolves when the run is let go on or ended; keeps the process alive until then. */
  async whileHeld(): Promise<void> {
    const alive = setInterval(() => undefined, 2 ** 30);
    await new Promise<void>((resolve) => {
      this.letGo = resolve;
    });
    clearInterval(alive);
  }

  dispose(): void {
    this.stopListening();
  }

  private heedOtherProcesses(): () => void {
    const { file, conversation, family } = this.run;
    return heedControl(file, (word) => {
      heedWord(word, {
        main: conversation,
        children: () => family.all.map((child) => child.conversation),
        isHalted: ({ history }) => isHeld(history),
        letGo: (_conversation, goOn) => goOn(),
        stop: (reason) => void this.stop(reason),
      });
      if (word === 'resume' || word === 'step') this.letGo();
      return undefined;
    });
  }

  private hearSignals(): () => void {
    const { conversation, attended } = this.run;
    return onSignals({
      stop: (reason) => this.stop(reason),
      interrupt: () => attended && interruptedForNote(conversation),
      leave: () => this.leave(),
      pause: () => this.pauseOrResume(),
    });
  }

  /** Somebody wanted the end while the task was begun: nothing of it could be stopped then. */
  async stopBegun(): Promise<void> {
    await this.run.conversation.stop(this.reason);
  }

  private async stop(reason: string): Promise<void> {
    this.reason = reason;
    this.unwanted.abort();
    const { conversation, family, isQuiet } = this.run;
    const members = family.all.length;
    const processes = this.run.processes();
    await conversation.stop(reason);
    if (!isQuiet)
      stderr.write(`Stopped: the run, sessions that worked for it: ${members}, processes: ${await processes}.\n`);
    this.ended.abort();
    this.letGo();
  }

  /** As with Ctrl-D: what waits for a person stays open in the log, and --log continues there. */
  private leave(): boolean {
    const isWaiting = ['waiting_for_confirmation', 'waiting_for_answer'].includes(
      statusOf(this.run.conversation.history),
    );
    if (isWaiting) this.ended.abort();
    return isWaiting;
  }

  private pauseOrResume(): void {
    const { conversation, family } = this.run;
    const all = [conversation, ...family.all.map((child) => child.conversation)];
    const held = all.filter(({ history }) => isHeld(history));
    if (held.length === 0) {
      for (const one of all) one.pause();
      return;
    }
    for (const one of held) one.resume();
    this.letGo();
  }
}
