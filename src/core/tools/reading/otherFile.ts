import { FileProblem, type FileBytes, type Files } from '../../ports/files';
import type { Documents } from '../../ports/documents';
import type { ToolResult } from '../../ports/tool';
import { otherPictureFormat, pictureIn } from './picture';
import { withCommas } from '../../text/withCommas';

/**
 * Maximum size of an image, in bytes. Anthropic rejects images beyond 5 MB of base64 (3.75 MB as a file) or 8000
 * pixels, and then every later request of the session.
 */
const maxImageBytes = 3_900_000;
const maxSidePixels = 8000;
const maxDocumentBytes = 32 * 1024 * 1024;
const maxCharacters = 50_000;
const namesOther = /\.(?:pdf|png|jpe?g|gif|webp)$/i;

/** Page range of a document, from 1; all pages if absent. */
interface PageRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}
interface OtherFileParts {
  readonly files: Files;
  readonly documents?: Documents | undefined;
  readonly signal: AbortSignal;
}

/**
 * Returns the content of a file that `problem` says is not text: images are shown, PDF text is extracted. Rethrows
 * `problem` for any other file.
 */
export async function otherFile(
  path: string,
  problem: unknown,
  pages: PageRange,
  parts: OtherFileParts,
): Promise<ToolResult> {
  const isOther =
    problem instanceof FileProblem &&
    (problem.code === 'binary' || (problem.code === 'too_large' && namesOther.test(path)));
  if (!isOther) throw problem;
  const file = await parts.files.readBytes(path, maxDocumentBytes);
  if (isPdf(file.bytes)) return pdf(file, pages, parts);
  const picture = pictureIn(file.bytes);
  if (picture) return pictureResult(file, picture);
  const format = otherPictureFormat(file.bytes);
  if (format === undefined) throw problem;
  return {
    content: `${file.path} is a ${format} picture, which models do not accept. Convert it to PNG with a command, for example "magick", and read that.`,
    failed: true,
  };
}

/** True if the bytes begin like a PDF file. Some files have a few bytes before the marker. */
export const isPdf = (bytes: Uint8Array): boolean => String.fromCharCode(...bytes.subarray(0, 1024)).includes('%PDF-');

function pictureResult(
  { path, bytes, version }: FileBytes,
  { mediaType, width, height }: NonNullable<ReturnType<typeof pictureIn>>,
): ToolResult {
  const facts = `${path}: a picture, ${mediaType}, ${width} × ${height} pixels, ${sizeInWords(bytes.length)}.`;
  const smaller = 'Make a smaller copy with a command, for example "magick", and read that.';
  if (bytes.length > maxImageBytes)
    return {
      content: `${facts} It is not shown: model servers accept up to ${sizeInWords(maxImageBytes)}. ${smaller}`,
      failed: true,
    };
  if (Math.max(width, height) > maxSidePixels)
    return {
      content: `${facts} It is not shown: model servers accept up to ${maxSidePixels} pixels a side. ${smaller}`,
      failed: true,
    };
  return {
    content: `${facts} It is shown after the results.`,
    images: [{ mediaType, data: base64Of(bytes) }],
    details: { kind: 'read', path, version, fromLine: 1, toLine: 1, totalLines: 1, of: 'picture' },
  };
}

/** Formats a size in bytes: "840 bytes", "12 KB", "3.8 MB". */
function sizeInWords(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  if (bytes < 1_048_576) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

const pieceSize = 0x8000;

/** Encodes bytes as base64, in chunks because a call accepts a limited number of arguments. */
function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceSize)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceSize)));
  return btoa(pieces.join(''));
}

/** Returns the text of a PDF file, page by page. */
export async function pdf(
  { path, bytes, version }: FileBytes,
  { from = 1, to }: PageRange,
  { documents, signal }: OtherFileParts,
): Promise<ToolResult> {
  if (!documents)
    return {
      content: `${path} is a PDF file, which cannot be read here. A command can, for example "pdftotext".`,
      failed: true,
    };
  let text;
  try {
    text = await documents.pdfText(
      bytes,
      { from, ...(to !== undefined && { to }), maxCharacters: maxCharacters },
      signal,
    );
  } catch (problem) {
    if (signal.aborted) throw problem;
    return {
      content: `${path} is a PDF file that could not be read: ${(problem as Error).message}. A command may do better, for example "pdftotext".`,
      failed: true,
    };
  }
  const { pages, total, stopped } = text;
  if (from > total)
    return {
      content: `${path} has ${total} ${total === 1 ? 'page' : 'pages'}; there is no page ${from}.`,
      failed: true,
    };
  const last = from + pages.length - 1;
  const details = {
    kind: 'read' as const,
    path,
    version,
    fromLine: from,
    toLine: last,
    totalLines: total,
    of: 'pages' as const,
  };
  if (pages.every((page) => page.trim() === '')) {
    const scanned = `Pages ${from}-${last} of ${total} of ${path} contain no text: they are probably scanned. Make pictures of them with a command such as "pdftoppm -png -r 100" and read those, or use "ocrmypdf".`;
    return { content: scanned, failed: true };
  }
  const shown = pages.map(
    (page, index) =>
      `[page ${from + index}]\n${page.trim() === '' ? '[No text; it may be a picture.]' : page.trimEnd()}`,
  );
  const wanted = Math.min(to ?? total, total);
  const notes = [
    stopped === 'size' &&
      `Page ${last} may continue: only the first ${withCommas(maxCharacters)} characters are shown.`,
    stopped === 'time' && 'The rest took too long to read.',
    last < wanted && `Pages ${from}-${last} of ${total}. Continue at page ${last + 1}.`,
    last === wanted && wanted < total && `Pages ${from}-${last} of ${total}.`,
  ].filter(Boolean);
  return { content: [...shown, ...(notes.length > 0 ? [`[${notes.join(' ')}]`] : [])].join('\n\n'), details };
}
