import type { FromPanel } from '../../src/protocol/panel/panel';
import { post } from '../base/host';
import { setPastes, withPastes } from '../base/pastes';
import { takePictures } from '../base/pictures';
import { close } from '../state/completion';
import { editing, type Editing } from '../state/editing';
import { along } from '../state/openParts';
import { events, facts, postOnce, question, sends, sent } from '../state/store';
import { draft, problem, write } from './draft';
import { endEditing, isHeld } from './editMessage';

/** Whether the person types commands themselves: the message is run as it is written. */
export const typesCommands = (): boolean =>
  facts.value?.mode === 'human' && events.value.length > 0 && question.value === undefined;

/** Sends what is typed: as a task, a message, an answer, a command, or in the place of the message that is edited. */
export function send(delivery?: 'steer'): void {
  // What was pasted for the agent to read is no part of a command. It waits.
  const isCommand = typesCommands() && !editing.value;
  const words = isCommand ? draft.value.trim() : withPastes(draft.value.trim());
  if (!words || !facts.value?.model) return;
  const asked = question.value?.step.action.id;
  // An answer is on its way; these words stay.
  if (asked !== undefined && sent.value.has(asked)) return;
  problem.value = undefined;
  close();
  sends.value++;
  if (editing.value) {
    sendEdited(words, editing.value, delivery);
    endEditing();
    return;
  }
  if (asked === undefined) sendMessage(words, delivery);
  else postOnce(asked, { type: 'answer', actionId: asked, text: words });
  if (!isCommand) setPastes([]);
  write('');
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
    ...along(),
    ...(images?.length && { images }),
    ...(edited && isHeld(edited) && { instead: { session: edited.session ?? '', message: edited.seq } }),
  });
}

/** What the person sent last, as a task or a message. */
export function lastWords(): string | undefined {
  const last = events.value.findLast((event) => event.type === 'user_message' || event.type === 'task_started');
  return last?.type === 'user_message' ? last.text : last?.type === 'task_started' ? last.task : undefined;
}
