import { signal } from '@preact/signals';
import type { Image } from '../../src/protocol/events/event';
import { text } from './text';

const kinds = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Bytes; providers refuse more. */
const largest = 5_000_000;
/** The host refuses a message with more. */
const most = 8;

/** Pictures that go with the next message. */
export const pictures = signal<readonly Image[]>([]);
/** Those of the draft, while a message is edited that has pictures of its own. */
export const picturesAside = signal(pictures.value);

let sent: { readonly words: string; readonly pictures: readonly Image[] } | undefined;

/** These go with the next message. Answers why some of them were not taken. */
export function setPictures(all: readonly Image[]): string | undefined {
  pictures.value = all.slice(0, most);
  return all.length > most ? text('composer.pictureRefused') : undefined;
}

/** Takes them for a message with these words; they come back with the words. */
export function takePictures(words: string): Image[] {
  sent = { words, pictures: pictures.value };
  pictures.value = [];
  return [...sent.pictures];
}

export function giveBack(words: string): void {
  if (sent?.words === words && pictures.value.length === 0) pictures.value = sent.pictures;
}

/** Office programs put a picture of the text that they copy beside it: then the text is meant. */
export const hasPictures = (data: DataTransfer | null): boolean =>
  !['text/plain', 'text/html'].every((type) => data?.types.includes(type)) &&
  [...(data?.items ?? [])].some(({ kind, type }) => kind === 'file' && type.startsWith('image/'));

/** Adds what was pasted or dropped. Answers why some of it was not taken. */
export async function addPictures(data: DataTransfer): Promise<string | undefined> {
  const files = [...data.files].filter(({ type }) => type.startsWith('image/'));
  const good = files.filter(({ type, size }) => kinds.includes(type) && size <= largest);
  const read = await Promise.all(good.map(async (file) => ({ mediaType: file.type, data: await base64(file) })));
  const tooMany = setPictures([...pictures.value, ...read]);
  return good.length < files.length ? text('composer.pictureRefused') : tooMany;
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(reader.error?.message));
    reader.readAsDataURL(file);
  });
}
