import type { Event, Foreign } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { ReadOptions } from './format';
import { type JsonObject } from './reading/json';
import { isRecord } from '../text/parseJson';
import { type InPieces, runToEnd } from '../text/slices';

type Path = (string | number)[];
type Change = [Path] | [Path, unknown];

/**
 * A part of a foreign file: a message, a step, or the enclosing document. `seq` is the log event that represents it.
 */
export interface Unit {
  readonly seq: number;
  /** Distinguishes the parts if one event represents several; "" for the only part. */
  readonly part: string;
  readonly value: JsonObject;
}

export const unit = (seq: number, value: JsonObject, part = ''): Unit => ({ seq, part, value });

/** Returns the changes that turn `from` into `to`. */
function differences(from: unknown, to: unknown): Change[] {
  const found: Change[] = [];
  const path: Path = [];
  const compareField = (key: string | number, before: unknown, after: unknown): void => {
    path.push(key);
    compare(before, after);
    path.pop();
  };
  const compare = (before: unknown, after: unknown): void => {
    if (Object.is(before, after)) return;
    if (isRecord(before) && isRecord(after)) {
      for (const key of Object.keys(after)) {
        if (Object.hasOwn(before, key)) compareField(key, before[key], after[key]);
        else found.push([[...path, key], after[key]]);
      }
      for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) found.push([[...path, key]]);
    } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
      after.forEach((item, index) => compareField(index, before[index], item));
    else found.push([[...path], after]);
  };
  compare(from, to);
  return found;
}

/** Returns a copy of the value with a change applied, or undefined if all of it is removed. */
function withChange(value: unknown, [[key, ...rest], ...news]: Change): unknown {
  if (key === undefined) return news[0];
  const fields = copyOf(value);
  if (rest.length === 0 && news.length === 0) delete fields[key];
  else fields[key] = withChange(Object.hasOwn(fields, key) ? fields[key] : undefined, [rest, ...news] as Change);
  return fields;
}

/** Returns a shallow copy of a record or a list, which is changed by its indices. Any other value becomes a record. */
function copyOf(value: unknown): JsonObject {
  if (Array.isArray(value)) return [...(value as unknown[])] as unknown as JsonObject;
  return isRecord(value) ? { ...value } : {};
}

/** Result of reading a file, with the source of each part. */
interface Origins {
  readonly events: readonly Event[];
  /** Original parts of the file, by `originalKey`. */
  readonly originals: ReadonlyMap<string, unknown>;
  /** Parts without an event, by index in the list of parts. */
  readonly others: ReadonlyMap<number, unknown>;
  readonly options: ReadOptions;
}

/**
 * Attaches to each event what the file contains beyond it. `write` renders the events in the file's format. A part that
 * it would write and the file lacks is recorded as absent. Returns the events unchanged if they are only displayed.
 */
export const withForeignRemainder = (
  origins: Origins,
  write: (history: History) => InPieces<readonly Unit[]>,
): readonly Event[] => runToEnd(foreignRemainderInPieces(origins, write));

/** Does the same in pieces. */
export function* foreignRemainderInPieces(
  { events, originals, others, options }: Origins,
  write: (history: History) => InPieces<readonly Unit[]>,
): InPieces<readonly Event[]> {
  if (options.forDisplay) return events;
  const kept = new Map<number, Foreign>(
    others.size > 0 ? [[0, { [other]: [...others].map(([index, value]): Change => [[index], value]) }]] : [],
  );
  for (const { seq, part, value } of yield* write(events)) {
    const original = originals.get(originalKey(seq, part));
    const changes: Change[] = original === undefined ? [[[]]] : differences(value, original);
    if (changes.length > 0) kept.set(seq, { ...kept.get(seq), [part]: changes });
    yield;
  }
  return events.map((event) => (kept.has(event.seq) ? { ...event, foreign: kept.get(event.seq)! } : event));
}

/** Key under which the first event stores parts without an event. */
const other = 'other';

export const originalKey = (seq: number, part = ''): string => `${seq}/${part}`;

/**
 * Restores the parts as they were in the file that the log was read from. `format` is the format to write; parts stored
 * from another format are ignored.
 */
export function restoreForeign(history: History, format: string, units: readonly Unit[]): Unit[] {
  const started = history.find((event) => event.type === 'task_started');
  if (started?.origin !== format) return [...units];
  const bySeq = new Map(history.flatMap(({ seq, foreign }) => (foreign ? [[seq, foreign] as const] : [])));
  const restoredUnits = units.flatMap((each) => {
    const value = (bySeq.get(each.seq)?.[each.part] ?? []).reduce<unknown>(
      (made, change) => withChange(made, change as Change),
      each.value,
    );
    return isRecord(value) ? [{ ...each, value }] : [];
  });
  const [document, listed] = [
    restoredUnits.filter(({ part }) => part === 'document'),
    restoredUnits.filter(({ part }) => part !== 'document'),
  ];
  for (const [path, value] of bySeq.get(started.seq)?.[other] ?? [])
    if (typeof path[0] === 'number') listed.splice(path[0], 0, { seq: -1, part: other, value: value as JsonObject });
  return [...document, ...listed];
}
