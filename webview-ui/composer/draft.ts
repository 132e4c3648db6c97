import { signal } from '@preact/signals';
import type { Image } from '../../src/protocol/events/event';
import type { FromPanel } from '../../src/protocol/panel/panel';
import { saveState, savedState, post } from '../base/host';
import { pastes, setPastes } from '../base/pastes';
import { pictures, picturesAside, setPictures } from '../base/pictures';
import { editing } from '../state/editing';
import { along } from '../state/openParts';
import type { PanelState } from '../state/state';

type Pasted = Extract<FromPanel, { type: 'draft' }>['images'];

/** What is typed and was not sent. Nothing of it is lost: it is kept here, and by the host. */
export const draft = signal(savedState()?.draft ?? '');
/** Why something that was typed, pasted or dropped was not taken. */
export const problem = signal<string | undefined>(undefined);

/** So long after the last key the host hears of it. Milliseconds. */
const toldAfter = 300;
/** Characters of pasted texts that the host keeps, and how many texts. */
const mostKept = 1_000_000;
const mostTexts = 100;

let timer: ReturnType<typeof setTimeout> | undefined;
let toldPastes = pastes.value;
let toldPictures = pictures.value;
/** What is typed here is newer than what the host kept of it. */
let typedHere = false;

/** The host keeps what is typed, and shows what would be sent with it. */
export function tellDraft(): void {
  clearTimeout(timer);
  const isKept =
    pastes.value.length <= mostTexts && pastes.value.reduce((sum, pasted) => sum + pasted.length, 0) <= mostKept;
  const shots = editing.value ? picturesAside.value : pictures.value;
  post({
    type: 'draft',
    text: draft.value,
    ...(toldPastes !== pastes.value && { pastes: isKept ? [...pastes.value] : [] }),
    ...along(),
    ...(pictures.value.length > 0 && { pictures: pictures.value.length }),
    ...(toldPictures !== shots && { images: [...shots] as Pasted }),
  });
  toldPastes = pastes.value;
  toldPictures = shots;
}

export function write(words: string): void {
  typedHere = true;
  writeQuietly(words);
  // What was taken away does not come back.
  tellDraftAfter(words === '' ? 0 : toldAfter);
}

pastes.subscribe((now) => {
  if (now !== toldPastes) tellSoon();
});
pictures.subscribe((now) => {
  if (now !== toldPictures) tellSoon();
});

/** These go with the next message. A person is told where that are too many. */
export function putPictures(all: readonly Image[]): void {
  problem.value = setPictures(all) ?? problem.value;
}

function tellSoon(): void {
  typedHere = true;
  tellDraftAfter(0);
}

function tellDraftAfter(milliseconds: number): void {
  clearTimeout(timer);
  timer = setTimeout(tellDraft, milliseconds);
}

/** The host knows it, or need not know. */
function writeQuietly(words: string): void {
  draft.value = words;
  saveState({ draft: words });
}

/** What the host kept, where nothing was typed here since. */
export function takeKeptDraft(offered: NonNullable<PanelState['draft']>): void {
  if (typedHere) return;
  if (offered.pictures.length > 0) {
    toldPictures = offered.pictures;
    (editing.value ? picturesAside : pictures).value = toldPictures;
  }
  if (draft.value !== '' || pastes.value.length > 0) return;
  writeQuietly(offered.text);
  toldPastes = offered.pastes;
  setPastes(offered.pastes);
}

/** A task that waited here for a model has begun. */
export function leaveBegunTask(task: string): void {
  if (task === draft.value.trim()) writeQuietly('');
}

/** Puts a task that is offered into the message, beside whatever was typed. */
export function takeTask(task: string): void {
  const typed = draft.value.trimEnd();
  write(typed === '' || typed === task ? task : `${typed}\n\n${task}`);
  focusComposer();
}

export const focusComposer = (): void => document.getElementById('composer')?.focus();
