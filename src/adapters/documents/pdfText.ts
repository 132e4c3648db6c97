import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Documents, DocumentText } from '../../core/ports/documents';
import type { PdfMessage, PdfTask } from './pdfMessages';

const timeoutMs = 20_000;
/**
 * Maximum growth of the memory of this process while a file is read, in bytes: a small file can unpack to gigabytes.
 */
const maxMemory = 768 * 1024 * 1024;
const pollMs = 25;
/** Maximum number of pages to read. Pages without text cost time as well. */
const maxPages = 200;

/** Extracts the text of a PDF file in a worker, which is terminated if it takes too much time or memory. */
export const pdfText: Documents['pdfText'] = (bytes, { from, to, maxCharacters }, signal) => {
  const places = findPlaces();
  const last = Math.min(to ?? Infinity, from + maxPages - 1);
  const task: PdfTask = {
    library: pathToFileURL(places.library).href,
    bytes,
    from,
    ...(last !== Infinity && { to: last }),
    maxPageCharacters: maxCharacters,
  };
  return new Promise((resolve, reject) => {
    const worker = new Worker(places.worker, {
      workerData: task,
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const pages: string[] = [];
    let total: number | undefined;
    let characters = 0;
    let over = false;
    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      clearTimeout(limit);
      clearInterval(watch);
      signal.removeEventListener('abort', aborted);
      void worker.terminate();
      settle();
    };
    const answer = (stopped?: DocumentText['stopped']): void =>
      end(() => resolve({ pages, total: total ?? 0, ...(stopped && { stopped }) }));
    const fail = (words: string): void => end(() => reject(new Error(words)));
    const stopAt = (reason: 'time' | 'size', words: string): void => (pages.length > 0 ? answer(reason) : fail(words));
    const aborted = (): void => end(() => reject(signal.reason as Error));
    const limit = setTimeout(() => stopAt('time', `it was not read within ${timeoutMs / 1000} seconds`), timeoutMs);
    const before = process.memoryUsage.rss();
    const tooMuch = (): boolean => process.memoryUsage.rss() - before > maxMemory;
    const watch = setInterval(() => {
      if (tooMuch()) stopAt('size', 'it needs more memory than Waymark allows for one file');
    }, pollMs);
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) aborted();

    worker.on('message', (message: PdfMessage) => {
      switch (message.kind) {
        case 'opened':
          total = message.total;
          break;
        case 'page':
          pages.push(message.text);
          characters += message.text.length;
          if (characters >= maxCharacters) answer('size');
          break;
        case 'done':
          return answer();
        case 'failed':
          return fail(reasons[message.name] ?? `PDF.js reports "${message.message.slice(0, 200)}"`);
      }
    });
    worker.on('error', (error: Error & { code?: string }) =>
      stopAt(
        'size',
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'it needs more memory than Waymark allows for one file'
          : error.message,
      ),
    );
    worker.on('exit', () => fail('the PDF reader ended'));
  });
};

/** Explanations, by the names of PDF.js errors. */
const reasons: Readonly<Record<string, string>> = {
  PasswordException: 'it is password-protected',
  InvalidPDFException: 'it is damaged, or not a PDF file',
  FormatError: 'it is damaged',
};

/**
 * Finds the worker and PDF.js. Bundles are at different depths below the folder with the worker; PDF.js is shipped
 * beside it, or installed for tests.
 */
function findPlaces(): { readonly worker: string; readonly library: string } {
  const folders: string[] = [];
  for (
    let ancestor = path.dirname(fileURLToPath(import.meta.url));
    folders.at(-1) !== ancestor;
    ancestor = path.dirname(ancestor)
  )
    folders.push(ancestor);
  const find = (names: readonly string[]): string | undefined =>
    folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find((file) => fs.existsSync(file));
  const worker = find(['pdfWorker.js', 'pdfWorker.mjs']);
  const library = find(['pdf/pdfjs.mjs', 'node_modules/unpdf/dist/pdfjs.mjs']);
  if (worker === undefined || library === undefined)
    throw new Error('the PDF reader is missing from this installation');
  return { worker, library };
}
