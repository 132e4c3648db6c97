import type { History } from '../../log/projection';
import type { ReadProblem, ReadTrajectory, TrajectoryFile, TrajectoryFormat } from '../format';
import { originalKey, unit, withForeignRemainder, type Unit } from '../foreignRemainder';
import { documentIn, firstIn, valuesIn } from '../reading/fileValues';
import { listIn, textIn, type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { startOf, foreignParts } from '../writing';
import { baseState } from './openhandsState';
import { eventsOf, idFor } from './openhandsEvents';
import { isEvent, OpenHandsReader, type PlacedEvent } from './openhandsReader';
import { isRecord } from '../../text/isRecord';

const name = 'openhands';

/**
 * The folder in which the OpenHands SDK stores a conversation: its state, and one file per event. Also reads one event
 * per line (`events.jsonl`), a list of events, and benchmark results, whose lines each contain a `history`.
 */
export const openhands: TrajectoryFormat = {
  name,
  label: 'OpenHands conversation',
  extension: '',
  keepsResults: true,
  reader: {
    recognises: (file) =>
      /(?:^|\/)(?:events\/event-\d+-[^/]+|base_state)\.json$/.test(file.path) || holdsEvents(firstIn(file)),
    read: (files, run = 0) => read(files, run),
  },
  write(history, { session }) {
    const units = foreignParts(history, name, (each) => unitsOf(each, session));
    const state = units.find(({ part }) => part === 'document')?.value ?? {};
    const folder = (textIn(state, 'id') ?? idFor(session, 0, 'conversation')).replaceAll('-', '');
    const events = units
      .filter(({ part }) => part !== 'document')
      .map(({ value }, index) => ({
        path: `${folder}/events/event-${String(index).padStart(5, '0')}-${safe(textIn(value, 'id') ?? idFor(session, index, 'file'))}.json`,
        text: JSON.stringify(value),
      }));
    return [{ path: `${folder}/base_state.json`, text: JSON.stringify(state) }, ...events];
  },
};

/** Makes an id of a foreign file safe for use in a file name. */
const safe = (id: string): string => id.replace(/[^\w-]+/g, '-').slice(0, 80);

const unitsOf = (history: History, session: string): Unit[] =>
  startOf(history) ? [unit(0, baseState(history, session), 'document'), ...eventsOf(history, session)] : [];

/** Prefixes the problems of one of several files with its name. */
const placed = (file: TrajectoryFile | undefined, problems: readonly ReadProblem[]): ReadProblem[] =>
  problems.map(({ where, words }) => ({
    where: where === file?.path ? where : `${file?.path ?? ''}, ${where}`,
    words,
  }));

function holdsEvents(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEvent);
  return isEvent(value) || listIn(value, 'history')?.some(isEvent) === true;
}

function read(files: readonly TrajectoryFile[], run: number): ReadTrajectory {
  const builder = new LogBuilder();
  const state = files.find(({ path }) => baseName(path) === 'base_state.json');
  const document = documentIn(state);
  const base = isRecord(document.value) ? document.value : undefined;
  builder.problems.push(...placed(state, document.problems));
  if (state && !base) builder.problem(state.path, 'It is not an object, so model, folder and cost are unknown.');
  const runs = runsIn(files.filter((file) => file !== state).sort(inOrder), builder);
  const events = runs[run] ?? [];
  if (events.length === 0) {
    builder.problem(files[0]?.path ?? '', 'It contains no events.');
    return { events: [], problems: builder.problems, runs: runs.length };
  }
  new OpenHandsReader(builder, base).read(events);
  if (base) builder.originals.set(originalKey(0, 'document'), base);
  return {
    events: withForeignRemainder(builder, (history) => unitsOf(history, '')),
    problems: builder.problems,
    runs: runs.length,
  };
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const eventNumber = (path: string): number => Number(/event-(\d+)-/.exec(baseName(path))?.[1] ?? Infinity);
const inOrder = (a: TrajectoryFile, b: TrajectoryFile): number =>
  eventNumber(a.path) - eventNumber(b.path) || (a.path < b.path ? -1 : 1);

/**
 * Returns the events of each run. All files of a conversation are one run, and so are the lines of a file; each
 * `history` is a separate run.
 */
function runsIn(files: readonly TrajectoryFile[], builder: LogBuilder): PlacedEvent[][] {
  const events: PlacedEvent[] = [];
  const histories: PlacedEvent[][] = [];
  for (const file of files) {
    const { values, problems } = valuesIn(file);
    const isWhole = values.length === 1 && values[0]!.where === '';
    const each = values.flatMap(({ where, value }) =>
      Array.isArray(value)
        ? value.map((one: unknown, index) => ({ where: `[${index}]`, value: one }))
        : [{ where, value }],
    );
    const read = each.filter(({ value }) => isRecord(value) && Object.keys(value).length > 0);
    for (const { where, value } of read) {
      const place = isWhole && where === '' ? file.path : where;
      const history = isEvent(value) ? undefined : listIn(value, 'history');
      if (history) histories.push(historyIn(history, place, builder));
      else events.push({ place, value: value as JsonObject });
    }
    if (read.length > 0) builder.problems.push(...placed(file, problems));
    else builder.problem(file.path, `It is not ${problems.length > 0 ? 'JSON' : 'an object'}, so it is skipped.`);
    for (const { where, value } of each)
      if (read.length > 0 && !isRecord(value)) builder.problem(where, 'It is not an event, so it is skipped.');
  }
  return events.length > 0 || histories.length === 0 ? [events, ...histories] : histories;
}

function historyIn(history: readonly unknown[], place: string, builder: LogBuilder): PlacedEvent[] {
  return history.flatMap((value, index): PlacedEvent[] => {
    const where = `${place}, history[${index}]`;
    if (isRecord(value)) return [{ place: where, value }];
    builder.problem(where, 'It is not an event, so it is skipped.');
    return [];
  });
}
