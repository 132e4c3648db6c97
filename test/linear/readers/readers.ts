import { formatsOf } from './modelReplies';
import { judgedActions } from './judgedActions';
import { fileReaders } from './fileReaders';
import { editReaders } from './editReaders';
import { textReaders } from './textReaders';

/** Something of the product that reads a text which a model, a file or a server made. */
export interface Reader {
  readonly name: string;
  /** It is never given more characters than this: the product refuses or cuts longer ones. Absent: it has no bound. */
  readonly most?: number;
  read(text: string): unknown;
}

/** ★ Every reader of a text that others made. */
export async function readers(): Promise<readonly Reader[]> {
  return [...formatsOf(), ...textReaders(), ...fileReaders(), ...editReaders(), ...(await judgedActions())];
}
