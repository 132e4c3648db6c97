import { HookMoment } from '../../protocol/events/event';
import { truncate } from '../../protocol/plain/truncate';

export const hookMoments = HookMoment.options;

/** A command line that a hooks file declares for an event. */
export interface Hook {
  readonly on: HookMoment;
  /** Tools it applies to: "" and "*" mean all; otherwise a name or a regular expression that matches the whole name. */
  readonly matcher: string;
  readonly command: string;
  /** Timeout in seconds. */
  readonly timeout: number;
  /** Runs in the background, so it cannot decide anything. */
  readonly async: boolean;
  /** The file that declares it, as displayed. */
  readonly path: string;
  /** Position in that file, such as "PreToolUse/0/1". */
  readonly place: string;
  /** Hash of the current content of that file and the scripts it names. */
  readonly hash: string;
}

/** Display name of a hook: its command line, shortened. */
export const hookName = ({ command }: Pick<Hook, 'command'>): string => {
  const line = command.trim().replace(/\s+/g, ' ');
  return truncate(line, 80);
};

/** Text of a hook for the model. Empty if there is none. */
export const hookWords = ({
  command,
  context,
}: {
  readonly command: string;
  readonly context?: string | undefined;
}): string => (context ? `[The hook ${hookName({ command })} of this folder says:]\n${context}` : '');
