import type { BatchTask } from './batchTask';
import { PythonRandom } from './pythonRandom';

/** Selects tasks of a dataset, with the options of mini-swe-agent and Hermes Agent. */
export interface TaskSelection {
  /** A Python slice: "0:5", "10:", "-3:" or "::2". */
  readonly slice?: string;
  /** A regular expression that must match the start of an id. */
  readonly filter?: string;
  readonly shuffle?: boolean;
  /** Seed for `shuffle`. Defaults to 42. */
  readonly seed?: number;
  /** Maximum number of tasks, taken from the start of the dataset. */
  readonly maxSamples?: number;
}

/** Default seed of mini-swe-agent. */
const defaultSeed = 42;

/** Returns the selected tasks in the order in which they start. Throws an `Error` with a message for people. */
export function selectTasks(tasks: readonly BatchTask[], selection: TaskSelection): BatchTask[] {
  const { slice, filter, shuffle = false, seed = defaultSeed, maxSamples } = selection;
  const first = maxSamples === undefined ? [...tasks] : tasks.slice(0, maxSamples);
  const ordered = shuffle ? new PythonRandom(seed).shuffled(first.sort(byId)) : first;
  const fitting = filter === undefined ? ordered : ordered.filter(taskMatcher(filter));
  return slice === undefined ? fitting : pythonSlice(fitting, slice);
}

const byId = (a: BatchTask, b: BatchTask): number => (a.id < b.id ? -1 : Number(a.id > b.id));

function taskMatcher(filter: string): (task: BatchTask) => boolean {
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^(?:${filter})`, 'u');
  } catch (error) {
    throw new Error(`--filter is not a regular expression: ${(error as Error).message}`, { cause: error });
  }
  return ({ id }) => pattern.test(id);
}

/** Same as `items[a:b:c]` in Python. */
export function pythonSlice<Item>(items: readonly Item[], spec: string): Item[] {
  const parts = spec.split(':').map((part) => part.trim());
  const isSlice = parts.length >= 2 && parts.length <= 3 && parts.every((part) => /^(-?\d+)?$/.test(part));
  const numbers = parts.map((part) => (part === '' ? undefined : Number(part)));
  const [from, to, step = 1] = numbers;
  if (!isSlice || step === 0) throw new Error(`--slice ${spec} is not a slice. Write it like 0:5, 10: or ::2.`);
  const end = items.length;
  const place = (requested: number | undefined, usual: number, least: number, most: number): number => {
    if (requested === undefined) return usual;
    return Math.min(Math.max(requested < 0 ? requested + end : requested, least), most);
  };
  const chosen: Item[] = [];
  if (step > 0) {
    const last = place(to, end, 0, end);
    for (let at = place(from, 0, 0, end); at < last; at += step) chosen.push(items[at]!);
  } else {
    const last = place(to, -1, -1, end - 1);
    for (let at = place(from, end - 1, -1, end - 1); at > last; at += step) chosen.push(items[at]!);
  }
  return chosen;
}
