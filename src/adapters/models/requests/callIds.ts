import { createHash } from 'node:crypto';
import type { WireRules } from '../../../core/model/providers/provider';

const fits: Record<WireRules['callIds'], RegExp> = {
  any: /^[\w-]{1,40}$/,
  word: /^[\w-]{1,40}$/,
  nine: /^[a-zA-Z0-9]{9}$/,
};

/** True if the server being asked, named by `origin`, sent the message; also if its origin is unknown. */
export const isFromOrigin = (message: { readonly origin?: string }, origin: string): boolean =>
  message.origin === undefined || message.origin === origin;

/**
 * Converts the id of a tool call to what a provider accepts. The result is deterministic, so a call and its result
 * still match; nine letters and digits suit every provider. `own`: true if the server being asked created the id.
 */
export function fitCallId(id: string, rule: WireRules['callIds'], { own }: { readonly own: boolean }): string {
  if (fits[rule].test(id) || (rule === 'any' && own)) return id;
  const hash = createHash('sha256').update(id).digest();
  return Array.from({ length: 9 }, (_, at) => letters[hash[at]! % letters.length]).join('');
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
