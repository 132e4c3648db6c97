import type { IncomingHttpHeaders } from 'node:http';
import { ModelProblem, type ModelProblemKind } from '../../../core/ports/model';
import { windowAdvice, type Advice } from '../../../core/model/advice';
import { isContextOverflow } from './contextOverflow';
import { readErrorBody, type ErrorBody } from './errorBody';
import { retryAfterMs } from './retryAfter';

/** Server and model that a problem is about. */
export interface Place {
  readonly host: string;
  readonly model: string;
  /** Words what the user can do about a problem; as in a window if absent. */
  readonly advice?: Advice;
  /** Masks the key. */
  mask(text: string): string;
}

export interface Failure {
  /** Undefined for an error inside an answer of status 200. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body?: ErrorBody;
}

/** Converts an answer other than 200, or an error inside a stream, into a problem for the user and for `retry`. */
export function problemOf(failure: Failure, place: Place, now = Date.now()): ModelProblem {
  const body = failure.body ?? readErrorBody(failure.text);
  const status = failure.status ?? body.status ?? statusOfCode(body.code);
  const wait = retryAfterMs(failure.headers, body.all, now);
  const kind = problemKind(status, body, wait);
  const id = [failure.headers['x-request-id'] ?? failure.headers['request-id']].flat()[0];
  const { what, next } = sentences(kind, status, place, id !== undefined);
  const answered = failure.status === undefined ? errorInAnswer(body) : `answered ${failure.status}`;
  const why =
    `${place.host} ${answered}${body.said ? `: ${body.said}` : ' without saying why'}`.replace(
      /(?<![.\s])[.\s]*$/,
      '.',
    ) + (id ? ` (Request ${id}.)` : '');
  return new ModelProblem(
    kind,
    place.mask(what),
    place.mask(why),
    place.mask(next),
    kind === 'rate_limit' || kind === 'server' ? wait : undefined,
  );
}

/** Names a status only if the server wrote it into its error. */
const errorInAnswer = ({ status }: ErrorBody): string =>
  `sent ${status === undefined ? 'an error' : `error ${status}`} in its answer`;

function problemKind(status: number | undefined, { all, code }: ErrorBody, wait: number | undefined): ModelProblemKind {
  if (status === 401 || /invalid_api_key|api.?key not valid|(invalid|incorrect) api.?key/i.test(all))
    return 'authentication';
  // Some providers refuse a chat that is too long with a bare 400 or 413.
  if (status === 413 || (status === 400 && all.trim() === '') || isContextOverflow(all)) return 'context_overflow';
  // "Quota" with a retry time is a rate limit; without one it means that the balance is used up.
  const money =
    /insufficient.?(quota|balance|credit|funds)|exceeded your current quota|billing|credit balance|out of credits|payment required/i.test(
      all,
    );
  if (status === 402 || code.includes('insufficient_quota') || (money && wait === undefined && status !== 404))
    return 'quota';
  if (status === 403) return 'authentication';
  if (
    status === 404 ||
    status === 405 ||
    (status === 400 && /model_not_found|model.{0,80}(does not exist|not found|is not available)/i.test(all))
  )
    return 'not_found';
  if (status === 429) return 'rate_limit';
  if (status === 407) return 'network';
  if (status === undefined || status >= 500 || status === 408 || status === 409 || status === 425) return 'server';
  return 'invalid_request';
}

function statusOfCode(code: string): number | undefined {
  if (/rate_?limit/i.test(code)) return 429;
  if (/overloaded/i.test(code)) return 529;
  if (/invalid_request/i.test(code)) return 400;
  if (/authentication|permission/i.test(code)) return 401;
  return undefined;
}

interface Sentences {
  readonly what: string;
  readonly next: string;
}

function sentences(
  kind: ModelProblemKind,
  status: number | undefined,
  { host, model, advice = windowAdvice }: Place,
  hasRequestNumber: boolean,
): Sentences {
  if (status === 407)
    return { what: 'A proxy between this machine and the model server requires a sign-in.', next: advice.setProxy };
  if (status !== undefined && status >= 300 && status < 400) {
    return {
      what: 'The model server redirects to another address.',
      next: `Correct ${advice.address}, if you trust that address with the key.`,
    };
  }
  switch (kind) {
    case 'authentication':
      return status === 403
        ? {
            what: `The key is not allowed to use the model “${model}”.`,
            next: `${advice.chooseModel} Or: ${advice.setKey}`,
          }
        : { what: 'The model server did not accept the key.', next: advice.setKey };
    case 'context_overflow':
      return {
        what: `The conversation is longer than the model “${model}” can read.`,
        next: advice.shortenConversation,
      };
    case 'quota':
      return {
        what: `The account at ${host} has no credit left.`,
        next: 'Add credit or raise the spending limit on the billing page of the provider, then continue.',
      };
    case 'not_found':
      return {
        what: `The model “${model}” was not found.`,
        next: `Correct ${advice.modelName}, or ${advice.address}: most addresses end in /v1.`,
      };
    case 'rate_limit':
      return { what: `${host} reports that the rate limit is reached.`, next: 'Wait a moment and continue.' };
    case 'server':
      return { what: 'The model server failed.', next: 'Continue in a moment; nothing is lost.' };
    default:
      return {
        what: 'The model server refused the request.',
        next: hasRequestNumber
          ? 'Try another model, or report this to the provider with the request number.'
          : 'Try another model, or remove options that this server may not know.',
      };
  }
}
