import { effect, untracked } from '@preact/signals';
import type { Image } from '../../src/protocol/events/event';
import type { WaitingMessage } from '../../src/protocol/plain/waitingMessages';
import { post } from '../base/host';
import { pastes, setPastes } from '../base/pastes';
import { pictures, setAsidePictures } from '../base/pictures';
import { editedMessage, messageToEdit, type Editing } from '../state/editing';
import { sessionId, waiting } from '../state/store';
import { draft, focusComposer, putPictures, setDraft } from './draft';

/** Images of the edited message before any were added. */
let picturesOfMessage: readonly Image[] = [];
let isRestored = false;

/** Editing a waiting message starts only once the host holds it, so that the agent cannot read it meanwhile. */
effect(() => {
  const wish = messageToEdit.value;
  const held = waiting.value.find(({ event, held: isHeldNow }) => isHeldNow && event.seq === wish?.seq);
  if (!wish || (wish.waiting && !held)) return;
  messageToEdit.value = undefined;
  untracked(() => beginEditing(wish.seq, wish.text, held));
});

/** Starts editing a message. The current draft is set aside. */
function beginEditing(seq: number, words: string, queued?: WaitingMessage): void {
  // The other message stays unchanged, and the text typed for it is kept.
  if (editedMessage.value) leaveEditing(editedMessage.value);
  editedMessage.value = {
    session: sessionId.value,
    seq,
    text: words,
    before: draft.value,
    pastes: pastes.value,
    ...(queued && { waiting: true }),
    ...(queued?.event.delivery === 'steer' && { delivery: 'steer' }),
  };
  setAsidePictures.value = pictures.value;
  showPicturesOf(queued);
  setPastes([]);
  setDraft(words);
  focusComposer();
}

function showPicturesOf(queued: WaitingMessage | undefined): void {
  picturesOfMessage = queued?.event.images ?? [];
  putPictures(picturesOfMessage);
}

/** Restores editing after a reload: the text is saved here, the images come from the message. */
export function editAgainAfterReload(): void {
  if (isRestored) return;
  isRestored = true;
  if (!editedMessage.value?.waiting || pictures.value.length > 0) return;
  showPicturesOf(waiting.value.find(({ event }) => event.seq === editedMessage.value?.seq));
}

/** True if the edited message is still held. */
export const isStillHeld = ({ seq }: Editing): boolean =>
  waiting.value.some(({ held, event }) => held && event.seq === seq);

/** Stops editing because another session or message is shown. Text typed for this one moves to the draft. */
export function leaveEditing({ text: first, before, pastes: pasted }: Editing): void {
  const typed = draft.value === first ? '' : draft.value;
  editedMessage.value = undefined;
  setPastes([...pasted, ...pastes.value]);
  putPictures([...setAsidePictures.value, ...pictures.value.filter((picture) => !picturesOfMessage.includes(picture))]);
  setAsidePictures.value = [];
  setDraft([before, typed].filter(Boolean).join('\n\n'));
}

/** Ends editing and restores the previous draft. */
export function endEditing(): void {
  const { before = '', pastes: pasted = [] } = editedMessage.value ?? {};
  editedMessage.value = undefined;
  setPastes(pasted);
  pictures.value = setAsidePictures.value;
  setAsidePictures.value = [];
  setDraft(before);
  focusComposer();
}

/** Cancels editing. The message stays unchanged; a waiting one is put back into the queue. */
export function cancelEditing(): void {
  const { value: edited } = editedMessage;
  if (edited?.waiting && isStillHeld(edited))
    post({ type: 'queue', session: edited.session ?? '', message: edited.seq, change: 'put_back' });
  endEditing();
}
