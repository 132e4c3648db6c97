import type { FromPanel } from '../../src/protocol/panel/panel';
import { maxMessageCharacters } from '../../src/protocol/plain/messageLength';
import { post } from '../base/host';
import { setPastes, withPastes } from '../base/pastes';
import { pictures, takePictures } from '../base/pictures';
import { text } from '../base/text';
import { close } from '../state/completion';
import { editedMessage, type Editing } from '../state/editing';
import { partsToSend } from '../state/openParts';
import type { Step } from '../state/rows';
import {
  approvals,
  events,
  facts,
  keyOfQuestion,
  postOnce,
  question,
  refuseAction,
  sends,
  sent,
  status,
} from '../state/store';
import { draft, draftProblem, setDraft } from './draft';
import { endEditing, isStillHeld } from './editMessage';

/** True if the person types commands, which run exactly as written. */
export const typesCommands = (): boolean =>
  facts.value?.mode === 'human' && events.value.length > 0 && question.value === undefined;

/** Sends the draft as a task, message, answer, command, or replacement of the edited message. */
export function send(delivery?: 'steer'): void {
  // Pasted texts are meant for the agent and are kept back from commands.
  const isCommand = typesCommands() && !editedMessage.value;
  const words = isCommand ? draft.value.trim() : withPastes(draft.value.trim());
  // Until a session is open, it is unknown whether its composer sends messages, answers or commands.
  if (!words || !facts.value || facts.value.loading) return;
  // The draft stays for when a model is chosen.
  if (!facts.value.model) return post({ type: 'command', id: 'waymark.chooseModel' });
  const asked = question.value?.step.action.id;
  // An answer is already on its way, so the draft is kept.
  if (asked !== undefined && sent.value.has(asked)) return;
  if (!canBeSent(words)) return;
  close();
  sends.value++;
  if (editedMessage.value) {
    sendEdited(words, editedMessage.value, delivery);
    endEditing();
    return;
  }
  if (asked === undefined) sendMessage(words, delivery);
  else postOnce(asked, { type: 'answer', actionId: asked, text: words });
  if (!isCommand) setPastes([]);
  setDraft('');
}

/** Says so if the host would drop a message because of its length. Then the draft is kept. */
function canBeSent(words: string): boolean {
  const isTooLong = words.length > maxMessageCharacters;
  draftProblem.value = isTooLong ? text('composer.tooLong') : undefined;
  return !isTooLong;
}

function sendEdited(words: string, edited: Editing, delivery?: 'steer'): void {
  if (edited.waiting) sendMessage(words, delivery ?? edited.delivery, edited);
  else post({ type: 'edit_message', session: edited.session ?? '', seq: edited.seq, text: words });
}

function sendMessage(words: string, delivery?: 'steer', edited?: Editing): void {
  const images = takePictures(words) as Extract<FromPanel, { type: 'send' }>['images'];
  post({
    type: 'send',
    text: words,
    ...(delivery && { delivery }),
    ...partsToSend(),
    ...(images?.length && { images }),
    ...(edited && isStillHeld(edited) && { instead: { session: edited.session ?? '', message: edited.seq } }),
  });
}

/** The action that the draft can refuse: the only one that waits for approval. */
export function refusableStep(): Step | undefined {
  const [row, another] = approvals.value;
  const isMeant = status.value === 'waiting_for_confirmation' && another === undefined && !editedMessage.value;
  return isMeant && pictures.value.length === 0 ? row?.step : undefined;
}

/** Refuses an action, with the draft as the reason that the agent reads. */
export function refuseWithDraft({ action, confirmation }: Step): void {
  const comment = withPastes(draft.value.trim());
  const hash = confirmation?.hashes?.[action.id];
  const about = { actionId: action.id, ...(hash !== undefined && { hash }) };
  if (!comment || sent.value.has(keyOfQuestion(about)) || !canBeSent(comment)) return;
  close();
  refuseAction(about, comment);
  setPastes([]);
  setDraft('');
}

/** Returns the last task or message that the person sent. */
export function lastSentText(): string | undefined {
  const last = events.value.findLast((event) => event.type === 'user_message' || event.type === 'task_started');
  return last?.type === 'user_message' ? last.text : last?.task;
}
