import type { Action, Event, Foreign } from '../../protocol/events/event';
import type { History } from '../log/projection';
import { isPictureData } from '../secrets/masking';
import { secrets } from '../secrets/secrets';
import { type InPieces, runToEnd } from '../text/slices';
import { maxNesting } from './reading/json';

/**
 * Returns the log in a form that may leave the machine: without secrets known to this process and without anything that
 * looks like one.
 */
export const maskedHistory = (history: History): Event[] => runToEnd(maskedHistoryInPieces(history));

/** Does the same, and yields after each event. */
export function* maskedHistoryInPieces(history: History): InPieces<Event[]> {
  const masked: Event[] = [];
  for (const event of history) {
    masked.push(withValidArguments(maskedEvent(event), event));
    yield;
  }
  return masked;
}

/** Values of a foreign file are stored by path; their name is the last string in it. */
function maskedEvent(event: Event): Event {
  const { foreign } = event;
  const clean = maskStrings(event, secrets.mask) as Event;
  if (!foreign) return clean;
  const named = Object.entries(foreign).map(([part, changes]) => [
    part,
    changes.map(([path, ...values]) => [
      maskStrings(path, secrets.mask),
      ...values.map((value) => maskStrings(value, secrets.mask, nameIn(path))),
    ]),
  ]);
  return { ...clean, foreign: Object.fromEntries(named) as Foreign };
}

const nameIn = (path: readonly (string | number)[]): string =>
  String(path.findLast((step) => typeof step === 'string') ?? '');

const secretName = /key|token|secret|passw|passphrase|credential/i;

/**
 * Masks every string in a value, including keys. Returns the same value if nothing was masked. Image data is kept;
 * anything nested deeper than `left` is dropped.
 */
function maskStrings(value: unknown, mask: (text: string) => string, name = '', left = maxNesting + 50): unknown {
  if (typeof value === 'string') {
    if (name === 'data' && isPictureData(value)) return value;
    return secretName.test(name) ? maskNamed(name, value, mask) : mask(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return '[nested too deeply to be shown]';
  if (Array.isArray(value)) {
    let list: unknown[] | undefined;
    for (const [index, part] of (value as unknown[]).entries()) {
      const clean = maskStrings(part, mask, name, left - 1);
      if (clean !== part) (list ??= [...(value as unknown[])])[index] = clean;
    }
    return list ?? value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, part] of Object.entries(value)) {
    const clean = maskStrings(part, mask, key, left - 1);
    const cleanKey = mask(key);
    if (clean === part && cleanKey === key) continue;
    copy ??= { ...value };
    if (cleanKey !== key) delete copy[key];
    copy[cleanKey] = clean;
  }
  return copy ?? value;
}

/** Masks the value of a name such as "apiKey" together with the name. */
function maskNamed(name: string, value: string, mask: (text: string) => string): string {
  const before = `${name}: `;
  const together = mask(before + value);
  return mask(together.startsWith(before) ? together.slice(before.length) : value);
}

/** Removes the model's own spelling of the call. */
const inOwnWords = ({ called: _called, ...action }: Action): Action => ({
  ...action,
  rawInput: JSON.stringify(action.input),
});

/**
 * Arguments in which something was masked are serialized again from their parsed value, so that they stay valid JSON.
 */
function withValidArguments(event: Event, before: Event): Event {
  if (event.type !== 'agent_response' || before.type !== 'agent_response' || event === before) return event;
  return {
    ...event,
    actions: event.actions.map((action, index): Action => {
      if (action.rawInput === undefined || action.rawInput === before.actions[index]?.rawInput) return action;
      try {
        JSON.parse(action.rawInput);
      } catch {
        if (action.problem === undefined) return inOwnWords(action);
      }
      return action;
    }),
  };
}
