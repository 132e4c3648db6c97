// Runs in a worker thread: a PDF file can keep its parser busy forever, and then the worker is terminated from outside.
import { parentPort, workerData } from 'node:worker_threads';
import type { PdfMessage, PdfTask } from './pdfMessages';

/** The part of PDF.js that is used. */
interface PdfLibrary {
  readonly VerbosityLevel: { readonly ERRORS: number };
  getDocument(options: Readonly<Record<string, unknown>>): { readonly promise: Promise<PdfDocument> };
}
interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
}
interface PdfPage {
  streamTextContent(): ReadableStream<{ readonly items: readonly PdfItem[] }>;
  cleanup(): void;
}
interface PdfItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

const send = (message: PdfMessage): void => parentPort!.postMessage(message);

async function readPdf({ library, bytes, from, to, maxPageCharacters }: PdfTask): Promise<void> {
  // In the extension host of VS Code this is "utility", which PDF.js mistakes for a browser.
  Object.defineProperty(process, 'type', { value: undefined });
  const { getDocument, VerbosityLevel } = (await import(library)) as PdfLibrary;
  const document = await getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    enableXfa: false,
  }).promise;
  send({ kind: 'opened', total: document.numPages });
  const last = Math.min(to ?? document.numPages, document.numPages);
  for (let number = from; number <= last; number++) {
    const page = await document.getPage(number);
    send({ kind: 'page', text: await pageText(page, maxPageCharacters) });
    page.cleanup();
  }
  send({ kind: 'done' });
}

/** The text of a page, with a line break where PDF.js sees the end of a line. */
async function pageText(page: PdfPage, most: number): Promise<string> {
  const reader = page.streamTextContent().getReader();
  let text = '';
  while (text.length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const { str = '', hasEOL = false } of value.items) text += hasEOL ? `${str}\n` : str;
  }
  await reader.cancel(new Error('There is enough text.')).catch(() => undefined);
  return text.slice(0, most);
}

await readPdf(workerData as PdfTask).catch((error: unknown) => {
  const { name = '', message = String(error) } = error as Error;
  send({ kind: 'failed', name, message });
});
