import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of what was built: this module is part of it. */
const ownFolder = path.dirname(fileURLToPath(import.meta.url));

/** Why a part of Waymark could not be loaded, and what to do; undefined for errors of other kinds. */
export function whyNotLoaded(error: Error): string | undefined {
  const { code, path: file = '' } = error as NodeJS.ErrnoException;
  if (code === 'EMFILE' || code === 'ENFILE')
    return `Too many files are open (${code}), so that Waymark could not load or read all that it needs. Raise the limit, for example with "ulimit -n 1024", and try again.`;
  // Whoever loads parts stands in the stack; not so where text that a person gave is wrong.
  const isCutOff = error instanceof SyntaxError && /\bnode:internal\/modules\/esm\//.test(error.stack ?? '');
  const isOwnPart = file.startsWith(ownFolder) || code === 'ERR_MODULE_NOT_FOUND' || isCutOff;
  if (!isOwnPart) return undefined;
  return `A part of Waymark could not be loaded (${error.message.split('\n')[0]}). Install Waymark again, and try again.`;
}
