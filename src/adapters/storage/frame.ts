import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The end of a log line, inside its JSON object: `,"frame":"HASH.SEAL.CRC"}`. HASH is the SHA-256 of the previous
 * line's hash and this line's own text, so that removing or inserting a line is noticed. SEAL is an HMAC of HASH with a
 * key of this machine, or empty. CRC is the CRC-32 of the line up to itself.
 */
export interface Frame {
  /** The line's own text: its JSON object without the frame and the closing brace. */
  readonly content: Buffer;
  readonly hash: string;
  readonly seal: string;
}

const ending = /,"frame":"([\w-]{43})\.([\w-]{22}|)\.([0-9a-f]{8})"\}$/;
const maxEndingLength = 87;
/** Length of the CRC and what closes the object. */
const unchecked = 10;

/**
 * Returns the line for a JSON object, with its newline, and the hash on which the next line builds. `previous` is ""
 * for the first line.
 */
export function framedLine(
  object: string,
  previous: string,
  key: KeyObject | undefined,
): { line: string; hash: string } {
  const content = object.slice(0, -1);
  const hash = chainedHash(content, previous);
  const checked = `${content},"frame":"${hash}.${key ? sealOf(hash, key) : ''}.`;
  return { line: `${checked}${crc32(checked).toString(16).padStart(8, '0')}"}\n`, hash };
}

/** Returns undefined if the line (without its newline) has no frame or was changed. */
export function readFrame(line: Buffer): Frame | undefined {
  const found = ending.exec(line.toString('latin1', Math.max(0, line.length - maxEndingLength)));
  if (!found || crc32(line.subarray(0, -unchecked)) !== Number.parseInt(found[3]!, 16)) return undefined;
  return { content: line.subarray(0, line.length - found[0].length), hash: found[1]!, seal: found[2]! };
}

export const follows = ({ content, hash }: Frame, previous: string): boolean => chainedHash(content, previous) === hash;

/** Returns whether this machine wrote the line. */
export const isSealed = ({ hash, seal }: Frame, key: KeyObject | undefined): boolean =>
  key !== undefined && seal === sealOf(hash, key);

const chainedHash = (content: string | Buffer, previous: string): string =>
  createHash('sha256').update(previous).update(content).digest('base64url');

/** Returns the seal of a hash, which only this machine can compute. */
export const sealOf = (hash: string, key: KeyObject): string =>
  createHmac('sha256', key).update(hash).digest('base64url').slice(0, 22);
