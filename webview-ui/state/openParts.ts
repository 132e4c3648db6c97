import { signal } from '@preact/signals';
import { saveState, savedState } from '../base/host';
import { sessionId, state } from './store';

/** What is open beside the conversation: in the editor that has the focus, and in the other tabs. */
export type OpenPart = 'editor' | 'others';

type LeftOut = Readonly<Record<string, readonly OpenPart[]>>;

/**
 * Parts that stay out of messages, by session. Under the empty name what a session
 * begins with: the choice that was made last.
 */
const leftOut = signal<LeftOut>(savedState()?.leftOut ?? {});
const mostSessions = 100;

const chosen = (id = ''): readonly OpenPart[] => leftOut.value[id] ?? leftOut.value[''] ?? [];

function choose(id: string, parts: LeftOut): void {
  const { [id]: _old, ...rest } = leftOut.value;
  leftOut.value = Object.fromEntries(Object.entries({ ...rest, ...parts }).slice(-mostSessions));
  saveState({ leftOut: leftOut.value });
}

/** Whether it is sent with the next message, if it exists. */
export const goesAlong = (part: OpenPart): boolean => !chosen(sessionId.value).includes(part);

/**
 * Takes a part out of the messages of the session that is shown, and of those that begin from now on; or puts it back.
 */
export function turn(part: OpenPart): void {
  const id = sessionId.value ?? '';
  const now = chosen(id);
  const next = now.includes(part) ? now.filter((each) => each !== part) : [...now, part];
  choose(id, { '': next, [id]: next });
}

/** A session keeps what it began with, whatever is chosen in others later. */
export function settleFor(id: string | undefined): void {
  if (id && !leftOut.value[id]) choose(id, { [id]: chosen() });
}

/** What goes along now. */
export function along(): { editor?: true; others?: true } {
  const { editor, others } = state.value;
  return {
    ...(editor !== undefined && goesAlong('editor') && { editor: true }),
    ...(others.length > 0 && goesAlong('others') && { others: true }),
  };
}
