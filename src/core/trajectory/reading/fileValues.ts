import type { ReadProblem, TrajectoryFile } from '../format';
import { readDamagedJson } from './damagedJson';
import { parseBoundedJson } from './json';
import { isRecord } from '../../text/parseJson';

/** A value in a file. `where`: "line 3"; "" for the only one. */
interface FileValue {
  readonly where: string;
  readonly value: unknown;
}

/** All values of a file: one, or one per line. */
interface FileValues {
  readonly values: readonly FileValue[];
  readonly problems: readonly ReadProblem[];
}

const valuesCache = new WeakMap<TrajectoryFile, FileValues>();

/**
 * Returns the content of the file, parsed once for all callers. If the file is truncated or damaged, returns what can be
 * read.
 */
export function valuesIn(file: TrajectoryFile): FileValues {
  const found = valuesCache.get(file) ?? readValues(file.text);
  valuesCache.set(file, found);
  return found;
}

/** Returns the first value that is an object or a list of objects, which identifies the format of the file. */
export const firstIn = (file: TrajectoryFile): unknown =>
  valuesIn(file).values.find(({ value }) => typeof value === 'object' && value !== null)?.value;

/** Returns the only value of a file that has exactly one, and the part of it that could not be read. */
export function documentIn(file: TrajectoryFile | undefined): {
  readonly value: unknown;
  readonly problems: readonly ReadProblem[];
} {
  const { values, problems } = file ? valuesIn(file) : { values: [], problems: [] };
  return {
    value: values[0]?.value,
    problems: problems.map(({ where, words }) => ({ where: where || file!.path, words })),
  };
}

function readValues(text: string): FileValues {
  const whole = parseBoundedJson(text);
  if ('value' in whole) return { values: [{ where: '', value: whole.value }], problems: [] };
  if (!inLines(text)) {
    const { value, problems } = readDamagedJson(text);
    return { values: value === undefined ? [] : [{ where: '', value }], problems };
  }
  const values: FileValue[] = [];
  const problems: ReadProblem[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[\s\0]*$/.test(line)) continue;
    const where = `line ${index + 1}`;
    const strict = parseBoundedJson(line);
    const { value, problems: faults } =
      'value' in strict ? { value: strict.value, problems: [] } : readDamagedJson(line);
    if (value !== undefined && !isEmpty(value)) values.push({ where, value });
    if (isEmpty(value) && faults.length > 0) problems.push({ where, words: 'It is not JSON, so it is skipped.' });
    else
      problems.push(
        ...faults.map(({ where: inside, words }) => ({ where: [where, inside].filter(Boolean).join(', '), words })),
      );
  }
  return { values, problems };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/**
 * True if each line is a separate value: one of the first lines is a complete, non-empty object. In a file with a
 * single value, lines are indented or end in the middle of it.
 */
function inLines(text: string): boolean {
  let from = 0;
  for (let count = 0; count < 100 && from < text.length; count++) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? undefined : end).trimEnd();
    const value = line.startsWith('{') ? parseBoundedJson(line) : undefined;
    if (value && 'value' in value && isRecord(value.value) && !isEmpty(value.value)) return true;
    if (end === -1 || (line !== '' && /^[[\]}\s]|[[{,]$/.test(line))) return false;
    from = end + 1;
  }
  return false;
}
