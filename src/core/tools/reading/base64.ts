const pieceSize = 0x8000;

/** Bytes as base64, in pieces: a call takes only so many arguments. */
export function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceSize)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceSize)));
  return btoa(pieces.join(''));
}
