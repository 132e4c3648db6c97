import type { SdkHttpError } from '@modelcontextprotocol/client';
import { truncate } from '../../protocol/plain/truncate';

/** Maximum length of a server's answer in an error, in characters. */
const maxAnswer = 300;

/** Returns whether a server answered a request with an HTTP status that refuses it. */
export const isRefusal = (error: unknown): error is SdkHttpError =>
  error instanceof Error && 'statusText' in error && 'data' in error;

/** Returns an error in words for people if it is a refusal: the library quotes the whole answer, which may be a page of HTML. */
export function withoutPage(error: Error): Error {
  if (!isRefusal(error)) return error;
  const { status, statusText, data } = error;
  const text = typeof data.text === 'string' ? data.text.slice(0, 10_000) : '';
  const isPage = /^\s*<(?:!doctype|html|\?xml)/i.test(text);
  const said = (isPage ? text.replace(/<[^<>]{0,1000}>/g, ' ') : text).replace(/\s+/g, ' ').trim();
  const answer = `It answered with HTTP ${[status, statusText].filter(Boolean).join(' ')}${said && `: ${truncate(said, maxAnswer)}`}`;
  return new Error(answer.endsWith('.') ? answer : `${answer}.`, { cause: error });
}
