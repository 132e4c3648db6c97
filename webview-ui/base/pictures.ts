import { signal } from '@preact/signals';
import type { Image } from '../../src/protocol/events/event';
import { text } from './text';

const kinds = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Maximum size in bytes; providers refuse larger images. */
const maxImageBytes = 5_000_000;
/** Maximum number of images; the host refuses a message with more. */
const maxImages = 8;

/** Images for the next message. */
export const pictures = signal<readonly Image[]>([]);
/** Images of the draft while another message is edited. */
export const setAsidePictures = signal(pictures.value);

let sent: { readonly words: string; readonly pictures: readonly Image[] } | undefined;

/** Replaces the images for the next message. Returns the reason if some were refused. */
export function setPictures(all: readonly Image[]): string | undefined {
  pictures.value = all.slice(0, maxImages);
  return all.length > maxImages ? text('composer.pictureRefused') : undefined;
}

/** Takes the images for a message with this text. If the message is returned, so are they. */
export function takePictures(words: string): Image[] {
  sent = { words, pictures: pictures.value };
  pictures.value = [];
  return [...sent.pictures];
}

export function giveBack(words: string): void {
  if (sent?.words === words && pictures.value.length === 0) pictures.value = sent.pictures;
}

/** Office programs also put an image of copied text on the clipboard; then only the text is used. */
export const hasPictures = (data: DataTransfer | null): boolean =>
  !['text/plain', 'text/html'].every((type) => data?.types.includes(type)) &&
  [...(data?.items ?? [])].some(({ kind, type }) => kind === 'file' && type.startsWith('image/'));

/** Adds pasted or dropped images. Returns the reason if some were refused. */
export async function addPictures(data: DataTransfer): Promise<string | undefined> {
  const files = [...data.files].filter(({ type }) => type.startsWith('image/'));
  const good = files.filter(({ type, size }) => kinds.includes(type) && size <= maxImageBytes);
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
