import { watchControl } from '../../adapters/log/control';
import { waitsForPerson } from '../../core/log/status';
import type { Conversation } from '../../core/session/conversation';
import { executeControlWord } from '../../core/session/outsideControl';
import { stderr } from '../output/output';
import { isAtCheckpoint, type ActiveChildren } from './activeChildren';
import { onSignals } from './signals';
import { settingsOf } from '../../core/log/runSettings';
import type { History } from '../../core/log/projection';
import type { Ask } from '../consent/ask';

interface ControlledRun {
  /** The log, which other processes use to control the run. */
  readonly file: string;
  readonly conversation: Conversation;
  readonly activeChildren: ActiveChildren;
  readonly attended: boolean;
  /** Number of running processes of its tools. */
  processes(): Promise<number>;
  /** True if nothing is printed when the run is stopped. */
  readonly isQuiet: boolean;
}

/** Controls a run from outside: signals to this process, and `waymark control` in another one. */
export class RunControls {
  private readonly unwanted = new AbortController();
  private readonly ended = new AbortController();
  private letGo = (): void => undefined;
  /** Why the run was stopped. */
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

  /** Aborted as soon as the run is asked to end: nothing more is started then. */
  get unwantedSignal(): AbortSignal {
    return this.unwanted.signal;
  }

  /** Aborted when the run was stopped, or left waiting for the user. */
  get endedSignal(): AbortSignal {
    return this.ended.signal;
  }

  /** Resolves when the run is resumed or ended; keeps the process alive until then. */
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
    const { file, conversation, activeChildren } = this.run;
    return watchControl(file, (word) => {
      executeControlWord(word, {
        main: conversation,
        children: () => activeChildren.all.map((child) => child.conversation),
        isHalted: ({ history }) => isAtCheckpoint(history),
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

  /** Stops a run that was asked to end while it was starting, when nothing could be stopped yet. */
  async stopBegun(): Promise<void> {
    await this.run.conversation.stop(this.reason);
  }

  private async stop(reason: string): Promise<void> {
    this.reason = reason;
    this.unwanted.abort();
    const { conversation, activeChildren, isQuiet } = this.run;
    const members = activeChildren.all.length;
    const processes = this.run.processes();
    await conversation.stop(reason);
    if (!isQuiet) stderr.write(`${stoppedInWords(members, await processes)}\n`);
    this.ended.abort();
    this.letGo();
  }

  /** Leaves as with Ctrl-D: pending questions stay open in the log, and --log continues there. */
  private leave(): boolean {
    const isWaiting = waitsForPerson(this.run.conversation.history);
    if (isWaiting) this.ended.abort();
    return isWaiting;
  }

  private pauseOrResume(): void {
    const { conversation, activeChildren } = this.run;
    const all = [conversation, ...activeChildren.all.map((child) => child.conversation)];
    const held = all.filter(({ history }) => isAtCheckpoint(history));
    if (held.length === 0) {
      for (const one of all) one.pause();
      return;
    }
    for (const one of held) one.resume();
    this.letGo();
  }
}

function stoppedInWords(subagents: number, processes: number): string {
  const counted = [
    [subagents, 'subagent', 'subagents'],
    [processes, 'process', 'processes'],
  ] as const;
  const others = counted.flatMap(([count, one, more]) => (count === 0 ? [] : [`${count} ${count === 1 ? one : more}`]));
  return others.length === 0 ? 'The run was stopped.' : `The run was stopped, and with it ${others.join(' and ')}.`;
}

const reason = 'Interrupted from the command line.';

/**
 * Handles Ctrl-C while the agent works: interrupts it, so that the user can give it a note. Returns false if nothing is
 * running.
 */
function interruptedForNote(conversation: Conversation): boolean {
  if (!conversation.running) return false;
  stderr.write('\nInterrupting. Press Ctrl-C again to end the run.\n');
  void conversation.interrupt(reason);
  return true;
}

/** Returns whether the run rests because the user pressed Ctrl-C, and has said nothing since. */
export function waitsForNote(history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'paused' && last.checkpoint === undefined && last.reason === reason;
}

/** Asks for a note to the agent, and resumes it. */
export async function askForNote(conversation: Conversation, ask: Ask, isUnwanted: () => boolean): Promise<void> {
  // In human mode the user is asked for the next command in any case.
  const isHuman = settingsOf(conversation.history)?.mode === 'human';
  const words = isHuman
    ? ''
    : await ask('\nInterrupted. A note for the agent (Enter = continue without one, Ctrl-C = end the run): ');
  if (isUnwanted()) return;
  if (words.trim() !== '') conversation.say(words.trim());
  else conversation.resume();
}
