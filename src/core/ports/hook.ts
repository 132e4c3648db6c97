import { HookMoment } from '../../protocol/events/event';

export const hookEvents = HookMoment.options;
export type HookEvent = HookMoment;

/** A command line that a hooks file names for a moment. */
export interface Hook {
  readonly on: HookEvent;
  /** Of which tools: "" and "*" mean all, else a name or a regular expression for the whole of one. */
  readonly matcher: string;
  readonly command: string;
  /** Seconds, after which it is ended. */
  readonly timeout: number;
  /** Nobody waits for it, so it decides nothing. */
  readonly async: boolean;
  /** The file that names it, as people are shown it. */
  readonly path: string;
  /** Its place in that file: "PreToolUse/0/1". */
  readonly place: string;
  /** Hash of that file and the scripts that it names, as they are now. */
  readonly hash: string;
}

/** What it is called before people: its command line, shortened. */
export const hookName = ({ command }: Pick<Hook, 'command'>): string => {
  const line = command.trim().replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};

/** What a hook tells the model, in the words that the model reads; empty if it tells nothing. */
export const hookWords = ({
  command,
  context,
}: {
  readonly command: string;
  readonly context?: string | undefined;
}): string => (context ? `[The hook ${hookName({ command })} of this folder says:]\n${context}` : '');
