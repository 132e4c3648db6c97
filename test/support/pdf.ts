import { deflateSync } from 'node:zlib';

interface PdfOptions {
  /** Compresses page contents, as nearly all programs do. */
  readonly packed?: boolean;
  /** Replaces the contents of the first page; already compressed. */
  readonly firstPage?: Buffer;
  /** Further entries of the catalog, such as a script. */
  readonly catalogue?: string;
  /** Further entries of the trailer, such as a password. */
  readonly trailer?: string;
}

/**
 * Returns a PDF file whose pages show lines of text. A page without lines is blank, as a scanned page is for a text
 * extractor.
 */
export function pdfOf(
  pages: readonly (readonly string[])[],
  { packed = true, firstPage, catalogue = '', trailer = '' }: PdfOptions = {},
): Buffer {
  const objects: Buffer[] = [];
  const add = (text: string): void => void objects.push(Buffer.from(text, 'latin1'));
  const numberOfPage = (index: number): number => 4 + index * 2;
  add(`<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`);
  add(
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${numberOfPage(index)} 0 R`).join(' ')}] /Count ${pages.length} >>`,
  );
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  for (const [index, lines] of pages.entries()) {
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${numberOfPage(index) + 1} 0 R >>`,
    );
    const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
    const contents = Buffer.from(lines.length === 0 ? '' : `BT /F1 12 Tf 14 TL 72 770 Td\n${shown}\nET`, 'latin1');
    if (index === 0 && firstPage) objects.push(stream(firstPage, { deflated: true }));
    else objects.push(stream(packed ? deflateSync(contents) : contents, { deflated: packed }));
  }
  return file(objects, trailer);
}

const stream = (bytes: Buffer, { deflated }: { readonly deflated: boolean }): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length}${deflated ? ' /Filter /FlateDecode' : ''} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);

function file(objects: readonly Buffer[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(length());
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
  }
  const start = length();
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
      'latin1',
    ),
  );
  return Buffer.concat(parts);
}
