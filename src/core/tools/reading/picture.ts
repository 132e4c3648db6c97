/** An image that model providers accept, as identified by its first bytes. */
interface Picture {
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns undefined if the bytes are not a supported image, or are damaged. A single rejected image makes the provider
 * reject the whole conversation.
 */
export function pictureIn(bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readers
    .map((read) => readSafely(read, view))
    .find((picture) => picture !== undefined && picture.width > 0 && picture.height > 0);
}

/** Returns the name of an image format that providers do not accept, or undefined if the bytes are none of these. */
export function otherPictureFormat(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith('BM')) return 'BMP';
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'TIFF';
  if (head.startsWith('\0\0\x01\0')) return 'ICO';
  if (head.startsWith('8BPS')) return 'Photoshop';
  if (/^.{4}ftypavi[fs]/s.test(head)) return 'AVIF';
  if (/^.{4}ftyp(?:hei[cx]|mif1|msf1)/s.test(head)) return 'HEIC';
  return undefined;
}

type Reader = (view: DataView) => Picture | undefined;

const textAt = (view: DataView, at: number, length: number): string =>
  String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));

const png: Reader = (view) => {
  if (textAt(view, 0, 8) !== '\x89PNG\r\n\x1a\n' || textAt(view, 12, 4) !== 'IHDR') return undefined;
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
};

const gif: Reader = (view) => {
  if (!/^GIF8[79]a$/.test(textAt(view, 0, 6))) return undefined;
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
};

/** The size is in the first start-of-frame segment. Earlier segments contain other data, such as previews. */
const jpeg: Reader = (view) => {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFill = marker === 0xff;
    if (isFill) {
      at += 1;
      continue;
    }
    const beginsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (beginsFrame) return { mediaType: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
};

/** Three encodings: lossy, lossless, and extended with a canvas. */
const webp: Reader = (view) => {
  if (textAt(view, 0, 4) !== 'RIFF' || textAt(view, 8, 4) !== 'WEBP') return undefined;
  const sized = (width: number, height: number): Picture => ({ mediaType: 'image/webp', width, height });
  const threeBytes = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (textAt(view, 12, 4)) {
    case 'VP8 ':
      return sized(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return sized((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized(threeBytes(24) + 1, threeBytes(27) + 1);
    default:
      return undefined;
  }
};

const readers: readonly Reader[] = [png, jpeg, gif, webp];

function readSafely(read: Reader, view: DataView): Picture | undefined {
  try {
    return read(view);
  } catch {
    return undefined; // truncated before the size
  }
}
