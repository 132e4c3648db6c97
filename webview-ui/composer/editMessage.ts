import { effect, untracked } from '@preact/signals';
import type { Image } from '../../src/protocol/events/event';
import type { WaitingMessage } from '../../src/protocol/plain/waitingMessages';
import { post } from '../base/host';
import { pastes, setPastes } from '../base/pastes';
import { pictures, picturesAside } from '../base/pictures';
import { editing, wishToEdit, type Editing } from '../state/editing';
import { sessionId, waiting } from '../state/store';
import { draft, focusComposer, putPictures, write } from './draft';

/** Those of the message that is edited, before anything was added. */
let picturesOfMessage: readonly Image[] = [];
let isRestored = false;

/** A message that waits is edited once the host holds it: then the agent cannot take it meanwhile. */
effect(() => {
  const wish = wishToEdit.value;
  const held = waiting.value.find(({ event, held: isHeldNow }) => isHeldNow && event.seq === wish?.seq);
  if (!wish || (wish.waiting && !held)) return;
  wishToEdit.value = undefined;
  untracked(() => beginEditing(wish.seq, wish.text, held));
});

/** A message is written anew; what was typed meanwhile waits. */
function beginEditing(seq: number, words: string, queued?: WaitingMessage): void {
  // Another message is unchanged, and so is the text that was typed for it.
  if (editing.value) leaveEditing(editing.value);
  editing.value = {
    session: sessionId.value,
    seq,
    text: words,
    before: draft.value,
    pastes: pastes.value,
    ...(queued && { waiting: true }),
    ...(queued?.event.delivery === 'steer' && { delivery: 'steer' }),
  };
  picturesAside.value = pictures.value;
  showPicturesOf(queued);
  setPastes([]);
  write(words);
  focusComposer();
}

function showPicturesOf(queued: WaitingMessage | undefined): void {
  picturesOfMessage = queued?.event.images ?? [];
  putPictures(picturesOfMessage);
}

/** After a reload the words are kept here; the pictures are those of the message. */
export function editAgainAfterReload(): void {
  if (isRestored) return;
  isRestored = true;
  if (!editing.value?.waiting || pictures.value.length > 0) return;
  showPicturesOf(waiting.value.find(({ event }) => event.seq === editing.value?.seq));
}

/** Whether the message that is edited still waits for that. */
export const isHeld = ({ seq }: Editing): boolean => waiting.value.some(({ held, event }) => held && event.seq === seq);

/** Another session is shown, or another message is edited: this one is left, but what was typed for it stays. */
export function leaveEditing({ text: first, before, pastes: pasted }: Editing): void {
  const typed = draft.value === first ? '' : draft.value;
  editing.value = undefined;
  setPastes([...pasted, ...pastes.value]);
  putPictures([...picturesAside.value, ...pictures.value.filter((picture) => !picturesOfMessage.includes(picture))]);
  picturesAside.value = [];
  write([before, typed].filter(Boolean).join('\n\n'));
}

/** What was typed before is there again. */
export function endEditing(): void {
  const { before = '', pastes: pasted = [] } = editing.value ?? {};
  editing.value = undefined;
  setPastes(pasted);
  pictures.value = picturesAside.value;
  picturesAside.value = [];
  write(before);
  focusComposer();
}

/** The message is unchanged; one that waited waits again. */
export function cancelEditing(): void {
  const { value: edited } = editing;
  if (edited?.waiting && isHeld(edited))
    post({ type: 'queue', session: edited.session ?? '', message: edited.seq, change: 'put_back' });
  endEditing();
}
