import type { TrajectoryFile, TrajectoryFormat } from '../format';
import { atif } from './atif';
import { html } from './html';
import { mini } from './mini';
import { openai } from './openai';
import { openhands } from './openhands';
import { requestLog } from './requestLog';
import { sharegpt } from './sharegpt';
import { sweAgent } from './sweAgent';
import { waymark } from './waymark';

/**
 * ★ The trajectory formats, Waymark's own first. A new one is one file and one line here;
 * what it writes can be asked for by its name.
 */
export const formats: readonly TrajectoryFormat[] = [
  waymark,
  mini,
  sharegpt,
  openhands,
  atif,
  openai,
  html,
  sweAgent,
  requestLog,
];

/** The format that a file or the files of a folder are in; undefined where none knows them. */
export function formatOf(files: readonly TrajectoryFile[]): TrajectoryFormat | undefined {
  for (const file of files) {
    const found = formats.find(({ reader }) => reader?.recognises(file));
    if (found) return found;
  }
  // What is in it says nothing any more; its name may.
  return formats.find(
    ({ reader, extension }) => reader && extension !== '' && files[0]?.path.toLowerCase().endsWith(extension),
  );
}

/** Throws an `Error` for a person, with the names there are. */
export function formatNamed(name: string): TrajectoryFormat {
  const found = formats.find((format) => format.name === name && format.write);
  if (!found)
    throw new Error(
      `There is no format ${name} to write. Formats: ${formats
        .filter(({ write }) => write)
        .map((format) => format.name)
        .join(', ')}.`,
    );
  return found;
}
