import fs from 'node:fs';
import { readFrame } from './frame';

/** The lines of a framed log that are not what was written, from 1; a line that is cut off at the end is not among them. */
export function brokenLines(file: string): number[] {
  const bytes = fs.readFileSync(file);
  const broken: number[] = [];
  for (let at = 0, end, line = 1; (end = bytes.indexOf(10, at)) !== -1; at = end + 1, line++)
    if (!readFrame(bytes.subarray(at, end))) broken.push(line);
  return broken;
}
