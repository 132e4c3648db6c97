import { signal } from '@preact/signals';
import type { Image } from '../../src/protocol/events/event';
import type { FromPanel } from '../../src/protocol/panel/panel';
import { saveState, savedState, post } from '../base/host';
import { pastes, setPastes } from '../base/pastes';
import { pictures, setAsidePictures, setPictures } from '../base/pictures';
import { editedMessage } from '../state/editing';
import { partsToSend } from '../state/openParts';
import type { PanelState } from '../state/state';

type Pasted = Extract<FromPanel, { type: 'draft' }>['images'];

/** Typed text that was not sent. It is saved here and by the host. */
export const draft = signal(savedState()?.draft ?? '');
/** Reason why typed, pasted or dropped content was refused. */
export const draftProblem = signal<string | undefined>(undefined);

/** Minimum time between two updates to the host while the person types, in ms. The first one is immediate. */
const minSendGapMs = 100;
/** Maximum characters of pasted texts that the host saves, and maximum number of texts. */
const maxSavedCharacters = 1_000_000;
const maxTexts = 100;

/** Set while an update to the host is due. */
let timer: ReturnType<typeof setTimeout> | undefined;
let sentAt = -Infinity;
let sentPastes = pastes.value;
let sentPictures = pictures.value;
/** True if the text typed here is newer than the host's copy. */
let typedHere = false;

/** Sends the draft to the host, which saves it and shows the context that would be sent. */
export function sendDraft(): void {
  clearTimeout(timer);
  timer = undefined;
  sentAt = performance.now();
  const isKept =
    pastes.value.length <= maxTexts &&
    pastes.value.reduce((sum, pasted) => sum + pasted.length, 0) <= maxSavedCharacters;
  const shots = editedMessage.value ? setAsidePictures.value : pictures.value;
  post({
    type: 'draft',
    text: draft.value,
    ...(sentPastes !== pastes.value && { pastes: isKept ? [...pastes.value] : [] }),
    ...partsToSend(),
    ...(pictures.value.length > 0 && { pictures: pictures.value.length }),
    ...(sentPictures !== shots && { images: [...shots] as Pasted }),
  });
  sentPastes = pastes.value;
  sentPictures = shots;
  saveState({ sentDraft: draft.value });
}

export function setDraft(words: string): void {
  typedHere = true;
  writeQuietly(words);
  const wait = sentAt + minSendGapMs - performance.now();
  // Deleted text must not reappear, so the host is told at once.
  if (words === '') sendDraftAfter(0);
  else if (wait > 0) sendDraftAfter(wait);
  else sendDraft();
}

pastes.subscribe((now) => {
  if (now !== sentPastes) sendSoon();
});
pictures.subscribe((now) => {
  if (now !== sentPictures) sendSoon();
});

/** Replaces the images for the next message. Shows the reason if some were refused. */
export function putPictures(all: readonly Image[]): void {
  draftProblem.value = setPictures(all) ?? draftProblem.value;
}

function sendSoon(): void {
  typedHere = true;
  sendDraftAfter(0);
}

function sendDraftAfter(milliseconds: number): void {
  clearTimeout(timer);
  timer = setTimeout(sendDraft, milliseconds);
}

/** A window that reloads ends this script without waiting for timers. */
function sendIfDue(): void {
  if (timer !== undefined) sendDraft();
}
for (const leaving of ['blur', 'pagehide']) window.addEventListener(leaving, sendIfDue);
document.addEventListener('visibilitychange', sendIfDue);
// The key that reloads a browser ends this script before a message of "pagehide" reaches the host.
document.addEventListener(
  'keydown',
  ({ ctrlKey, metaKey, key }) => {
    if (ctrlKey || metaKey || key === 'F5') sendIfDue();
  },
  { capture: true },
);

/** Sets the draft without telling the host. */
function writeQuietly(words: string): void {
  draft.value = words;
  saveState({ draft: words });
}

/**
 * Restores the host's copy of the draft, unless something was typed here since. In a browser, VS Code saves the state
 * of this view only every few seconds, so that after a reload the host's copy may be newer.
 */
export function takeKeptDraft(offered: NonNullable<PanelState['draft']>): void {
  if (typedHere) return;
  if (offered.pictures.length > 0) {
    sentPictures = offered.pictures;
    (editedMessage.value ? setAsidePictures : pictures).value = sentPictures;
  }
  const isNewer = offered.text !== (savedState()?.sentDraft ?? offered.text);
  if (!isNewer && (draft.value !== '' || pastes.value.length > 0)) return;
  writeQuietly(offered.text);
  saveState({ sentDraft: offered.text });
  sentPastes = offered.pastes;
  setPastes(offered.pastes);
}

/** Clears the draft if it is the task that has just started after a model was chosen. */
export function clearStartedTask(task: string): void {
  if (task === draft.value.trim()) writeQuietly('');
}

/** Adds a suggested task to the draft. */
export function takeTask(task: string): void {
  const typed = draft.value.trimEnd();
  setDraft(typed === '' || typed === task ? task : `${typed}\n\n${task}`);
  focusComposer();
}

export const focusComposer = (): void => document.getElementById('composer')?.focus();
