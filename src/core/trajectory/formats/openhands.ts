import type { History } from '../../agent/projection';
import type { ReadProblem, ReadTrajectory, TrajectoryFile, TrajectoryFormat } from '../format';
import { keyOf, unit, withKept, type Unit } from '../kept';
import { documentIn, firstIn } from '../reading/fileValues';
import { isObject, textIn, type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { startOf, written } from '../writing';
import { baseState } from './openhandsState';
import { eventsOf, idFor } from './openhandsEvents';
import { OpenHandsReader } from './openhandsReader';

const name = 'openhands';

/** The folder in which the OpenHands SDK keeps a conversation: its state, and a file for each event. */
export const openhands: TrajectoryFormat = {
  name, label: 'OpenHands conversation', extension: '',
  reader: {
    recognises: file => /(?:^|\/)(?:events\/event-\d+-[^/]+|base_state)\.json$/.test(file.path) || /^(?:SystemPrompt|Message|Action|Observation)Event$/.test(textIn(firstIn(file), 'kind') ?? ''),
    read,
  },
  write(history, { session }) {
    const units = written(history, name, each => unitsOf(each, session));
    const state = units.find(({ part }) => part === 'document')?.value ?? {};
    const folder = (textIn(state, 'id') ?? idFor(session, 0, 'conversation')).replaceAll('-', '');
    const events = units.filter(({ part }) => part !== 'document').map(({ value }, index) => ({ path: `${folder}/events/event-${String(index).padStart(5, '0')}-${safe(textIn(value, 'id') ?? idFor(session, index, 'file'))}.json`, text: JSON.stringify(value) }));
    return [{ path: `${folder}/base_state.json`, text: JSON.stringify(state) }, ...events];
  },
};

/** An id of a foreign file as a part of a file's name. */
const safe = (id: string): string => id.replace(/[^\w-]+/g, '-').slice(0, 80);

const unitsOf = (history: History, session: string): Unit[] => (startOf(history) ? [unit(0, baseState(history, session), 'document'), ...eventsOf(history, session)] : []);

/** Problems of one of several files, by its name. */
const placed = (file: TrajectoryFile | undefined, problems: readonly ReadProblem[]): ReadProblem[] => problems.map(({ where, words }) => ({ where: where === file?.path ? where : `${file?.path ?? ''}, ${where}`, words }));

function read(files: readonly TrajectoryFile[]): ReadTrajectory {
  const builder = new LogBuilder();
  const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const state = files.find(({ path }) => fileOf(path) === 'base_state.json');
  const known = documentIn(state);
  const base = isObject(known.value) ? known.value : undefined;
  builder.problems.push(...placed(state, known.problems));
  if (state && !base) builder.problem(state.path, 'It is not an object, so model, folder and cost are not known.');
  const events: { place: string; value: JsonObject }[] = [];
  const numberOf = (path: string): number => Number(/event-(\d+)-/.exec(fileOf(path))?.[1] ?? Infinity);
  for (const file of files.filter(file => file !== state).sort((a, b) => numberOf(a.path) - numberOf(b.path) || (a.path < b.path ? -1 : 1))) {
    const { value, problems } = documentIn(file);
    if (isObject(value) && Object.keys(value).length > 0) {
      events.push({ place: file.path, value });
      builder.problems.push(...placed(file, problems));
    } else builder.problem(file.path, `It is not ${problems.length > 0 ? 'JSON' : 'an object'}, so it is left out.`);
  }
  if (events.length === 0) {
    builder.problem(files[0]?.path ?? '', 'There is no event.');
    return { events: [], problems: builder.problems };
  }
  new OpenHandsReader(builder, base).read(events);
  if (base) builder.originals.set(keyOf(0, 'document'), base);
  return { events: withKept(builder, history => unitsOf(history, '')), problems: builder.problems };
}

