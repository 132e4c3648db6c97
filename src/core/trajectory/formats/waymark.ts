import { Event } from '../../../protocol/events/event';
import type { History } from '../../log/projection';
import type { ReadProblem, ReadTrajectory, TrajectoryFile, WrittenFormat } from '../format';
import { maskedHistoryInPieces } from '../maskedHistory';
import { numberIn, parseBoundedJson, textIn } from '../reading/json';
import { isRecord } from '../../text/parseJson';

/**
 * The log that Waymark writes: a header, then one event per line. Files on this disk are read by adapters/eventLog,
 * which also checks their integrity. This reads any text, such as a part of a log or a damaged one, and ignores the
 * framing of each line.
 */
export const waymark: WrittenFormat = {
  name: 'waymark',
  label: 'Waymark log',
  extension: '.waymark.jsonl',
  keepsResults: true,
  reader: {
    recognises: ({ path, text }) =>
      /^\s*\{\s*"waymark"\s*:/.test(text) || (/\.waymark\.jsonl$/i.test(path) && /^\s*\{/.test(text)),
    read: (files) => read(files[0]),
  },
  *write(history, { session, problems = [] }) {
    const lines = [JSON.stringify({ waymark: 1 })];
    for (const event of yield* maskedHistoryInPieces([...history, ...warningOf(history, problems)])) {
      lines.push(JSON.stringify(event));
      yield;
    }
    return [{ path: `${session}.waymark.jsonl`, text: `${lines.join('\n')}\n` }];
  },
};

/** A copy has consistent lines even if the source was damaged, so it records the problems of the source. */
const warningOf = (history: History, problems: readonly string[]): Event[] =>
  problems.length === 0
    ? []
    : [
        {
          seq: history.length,
          at: history.at(-1)?.at ?? 0,
          type: 'notice',
          level: 'warning',
          text: `Parts of the original log may be inaccurate. ${problems.slice(0, 20).join(' ')}`,
        },
      ];

function read(file: TrajectoryFile | undefined): ReadTrajectory {
  const events: Event[] = [];
  const problems: ReadProblem[] = [];
  for (const [index, line] of (file?.text ?? '').split('\n').entries()) {
    const where = `line ${index + 1}`;
    if (line.trim() === '') continue;
    const value = parseBoundedJson(line);
    if ('problem' in value) {
      problems.push({ where, words: `It is not JSON (${value.problem}), so it is skipped.` });
      continue;
    }
    if (index === 0 && isRecord(value.value) && 'waymark' in value.value) {
      if (isRecord(value.value['fork']) || isRecord(value.value['parent']))
        problems.push({
          where,
          words:
            'This session was forked from another one. Events before the fork are in that session’s log, not in this file.',
        });
      continue;
    }
    const event = Event.safeParse(value.value);
    if (event.success) events.push(event.data);
    else {
      const { path = [], message = '' } = event.error.issues[0] ?? {};
      problems.push({ where, words: `${lineSubject(value.value)} does not fit: ${path.join('.')} ${message}`.trim() });
    }
  }
  const numbered = renumber(events);
  if (numbered !== events && problems.length === 0)
    problems.push({
      where: file?.path ?? '',
      words: 'Its events are not numbered from 0 without gaps; some may be missing.',
    });
  return { events: numbered, problems };
}

const lineSubject = (value: unknown): string => {
  const type = textIn(value, 'type');
  return type === undefined
    ? 'The line contains no event and'
    : `The event ${type} (${numberIn(value, 'seq') ?? 'without a number'})`;
};

/** Renumbers events from 0 without gaps, including references. Returns the same list if nothing changes. */
function renumber(events: Event[]): Event[] {
  if (events.every(({ seq }, index) => seq === index)) return events;
  const places = new Map(events.map(({ seq }, index) => [seq, index]));
  /** Returns the first event at or after a number, searching backwards from the reply. */
  const placeOf = (wanted: number, before: number): number => {
    let place = before;
    while (place > 0 && events[place - 1]!.seq >= wanted) place--;
    return place;
  };
  return events.map((event, index): Event => {
    if (event.type === 'agent_response') return { ...event, seq: index, readUpTo: placeOf(event.readUpTo, index) };
    if (event.type === 'condensation')
      return { ...event, seq: index, forgotten: event.forgotten.flatMap((seq) => places.get(seq) ?? []) };
    return { ...event, seq: index };
  });
}
