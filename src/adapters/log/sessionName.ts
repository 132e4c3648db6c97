import path from 'node:path';
import { logName } from './eventLog';

/** Returns the name of the session of a log in the logs of others: that of its own folder, else that of the file. */
export const sessionName = (file: string): string =>
  path.basename(file) === logName
    ? path.basename(path.dirname(file))
    : path.basename(file).replace(/(\.waymark)?\.jsonl$/, '');
