import { formatsOf } from './modelReplies';
import { judgedActions } from './judgedActions';
import { fileReaders } from './fileReaders';
import { editReaders } from './editReaders';
import { textReaders } from './textReaders';

/** A part of the product that reads a text from a model, a file or a server. */
export interface Reader {
  readonly name: string;
  /** Maximum number of characters: the product refuses or truncates longer texts. Absent: unlimited. */
  readonly most?: number;
  read(text: string): unknown;
}

/** ★ Every reader of a text from outside. */
export async function readers(): Promise<readonly Reader[]> {
  return [...formatsOf(), ...textReaders(), ...fileReaders(), ...editReaders(), ...(await judgedActions())];
}
