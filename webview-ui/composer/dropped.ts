import { post } from '../base/host';
import { isLongPaste, pastes, setPastes } from '../base/pastes';
import { addPictures, hasPictures } from '../base/pictures';
import { text } from '../base/text';
import { draftProblem } from './draft';

/** Maximum size, in bytes, of a dropped file that is read as text. */
const maxDroppedBytes = 500_000;

const dropTypes: readonly string[] = ['application/vnd.code.uri-list', 'text/uri-list', 'Files'];
export const canDrop = (data: DataTransfer | null): boolean => dropTypes.some((type) => data?.types.includes(type));

export function onDrop(event: DragEvent): void {
  const { dataTransfer: data } = event;
  const addresses = addressesIn(data);
  if (addresses.length > 0) {
    event.preventDefault();
    post({ type: 'attach', uris: addresses });
  } else if (data && data.files.length > 0 && !hasPictures(data)) {
    event.preventDefault();
    void takeFiles(data).catch(tellProblem);
  } else takePicturesIn(event, data);
}

export function onPaste(event: ClipboardEvent): void {
  const words = event.clipboardData?.getData('text/plain') ?? '';
  if (!isLongPaste(words)) return takePicturesIn(event, event.clipboardData);
  event.preventDefault();
  setPastes([...pastes.value, words]);
}

/** Returns the URIs of dropped files, in the formats of the Explorer and other programs. */
const addressesIn = (data: DataTransfer | null): string[] =>
  (data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '')
    .split(/\r?\n/)
    .filter((line) => /^(?:file|vscode-remote):/.test(line));

/** Files that are not images and have no local URI are added as pasted text. */
async function takeFiles(data: DataTransfer): Promise<void> {
  const others = [...data.files].filter(({ type, size }) => !type.startsWith('image/') && size <= maxDroppedBytes);
  const read = await Promise.all(others.map((file) => file.text()));
  const texts = read.filter((words) => words !== '' && !words.includes('\0'));
  if (texts.length > 0) setPastes([...pastes.value, ...texts]);
  if (texts.length < data.files.length) draftProblem.value = text('composer.dropRefused');
}

/** Extracts images from pasted or dropped data; everything else is handled as usual. */
function takePicturesIn(event: Event, data: DataTransfer | null): void {
  if (!data || !hasPictures(data)) return;
  event.preventDefault();
  void addPictures(data).then((refused) => {
    draftProblem.value = refused;
  }, tellProblem);
}

const tellProblem = (thrown: unknown): void => {
  draftProblem.value = String(thrown);
};
