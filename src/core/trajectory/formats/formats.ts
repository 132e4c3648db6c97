import type { TrajectoryFile, TrajectoryFormat, WrittenFormat } from '../format';
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
 * ★ The trajectory formats, Waymark's own first. A new format takes one file and one line here. Formats that can be
 * written are selectable by name.
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

/** Those that can be written. */
export const writtenFormats: readonly WrittenFormat[] = formats.filter(
  (format): format is WrittenFormat => format.write !== undefined,
);

/** Returns the format of a file or of the files of a folder, or undefined if none recognizes them. */
export function formatOf(files: readonly TrajectoryFile[]): TrajectoryFormat | undefined {
  for (const file of files) {
    const found = formats.find(({ reader }) => reader?.recognises(file));
    if (found) return found;
  }
  // The content is unreadable, so only the name can identify the format.
  return formats.find(
    ({ reader, extension }) => reader && extension !== '' && files[0]?.path.toLowerCase().endsWith(extension),
  );
}

/** Returns the format of this name. Throws an `Error` with a message for people that lists the known names. */
export function formatNamed(name: string): WrittenFormat {
  const found = writtenFormats.find((format) => format.name === name);
  if (!found)
    throw new Error(
      `There is no format ${name} to write. Formats: ${writtenFormats.map((format) => format.name).join(', ')}.`,
    );
  return found;
}
