import { signal } from '@preact/signals';
import { saveState, savedState } from '../base/host';
import { sessionId, state } from './store';

/** Editor context: the active editor, and the other tabs. */
export type OpenPart = 'editor' | 'others';

type LeftOut = Readonly<Record<string, readonly OpenPart[]>>;

/** Parts excluded from messages, by session. The empty key contains the last choice, which new sessions start with. */
const leftOut = signal<LeftOut>(savedState()?.leftOut ?? {});
const maxSessions = 100;

const leftOutParts = (id = ''): readonly OpenPart[] => leftOut.value[id] ?? leftOut.value[''] ?? [];

function setLeftOutParts(id: string, parts: LeftOut): void {
  const { [id]: _old, ...rest } = leftOut.value;
  leftOut.value = Object.fromEntries(Object.entries({ ...rest, ...parts }).slice(-maxSessions));
  saveState({ leftOut: leftOut.value });
}

/** True if the part is sent with the next message, provided that it exists. */
export const isPartSent = (part: OpenPart): boolean => !leftOutParts(sessionId.value).includes(part);

/** Toggles whether a part is included in messages of the current session and of new ones. */
export function togglePart(part: OpenPart): void {
  const id = sessionId.value ?? '';
  const now = leftOutParts(id);
  const next = now.includes(part) ? now.filter((each) => each !== part) : [...now, part];
  setLeftOutParts(id, { '': next, [id]: next });
}

/** Stores the initial choice of a session, so that later choices in other sessions do not affect it. */
export function keepChoiceFor(id: string | undefined): void {
  if (id && !leftOut.value[id]) setLeftOutParts(id, { [id]: leftOutParts() });
}

/** Returns the parts to include in the next message. */
export function partsToSend(): { editor?: true; others?: true } {
  const { editor, others } = state.value;
  return {
    ...(editor !== undefined && isPartSent('editor') && { editor: true }),
    ...(others.length > 0 && isPartSent('others') && { others: true }),
  };
}
