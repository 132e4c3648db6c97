import { createHash } from 'node:crypto';

/**
 * Returns the version of a text: 16 characters that change whenever the text changes. The text uses "\n" and
 * has no byte order mark.
 */
export function textVersion(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 16);
}

/** Returns the version of a file that is not text: 16 characters that change whenever its bytes change. */
export function bytesVersion(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64url').slice(0, 16);
}
