import { isSettled, TaskResult } from '../../core/batch/taskResult';
import { wholeLines } from './jsonLines';

/** A result, and where its line begins in its file. */
export interface PlacedResult {
  readonly result: TaskResult;
  readonly start: number;
}

/** Every result in a file, also of tries that do not count. Lines that cannot be read are left out. */
export function* everyResultIn(file: string): Generator<PlacedResult> {
  for (const { text, start } of wholeLines(file)) {
    const result = parsed(text);
    if (result) yield { result, start };
  }
}

/**
 * The result of each task that is done: of several the last one, unless the task is to be done again. In little memory.
 */
export function* lastResultsIn(file: string): Generator<TaskResult> {
  const last = new Map<string, number>();
  for (const { result, start } of everyResultIn(file))
    if (isSettled(result)) last.set(result.id, start);
    else last.delete(result.id);
  for (const { result, start } of everyResultIn(file)) if (last.get(result.id) === start) yield result;
}

function parsed(text: string): TaskResult | undefined {
  try {
    return TaskResult.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
