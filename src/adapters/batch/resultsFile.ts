import { isSettled, TaskResult } from '../../core/batch/taskResult';
import { wholeLines } from './durableLines';

/** A result and the offset of its line in the file. */
interface PlacedResult {
  readonly result: TaskResult;
  readonly start: number;
}

/** Yields every result in a file, including attempts that do not count. Unreadable lines are skipped. */
export function* everyResultIn(file: string): Generator<PlacedResult> {
  for (const { text, start } of wholeLines(file)) {
    const result = parseResult(text);
    if (result) yield { result, start };
  }
}

/** Yields the last result of each finished task, unless the task is to be redone. Uses little memory. */
export function* lastResultsIn(file: string): Generator<TaskResult> {
  const last = new Map<string, number>();
  for (const { result, start } of everyResultIn(file))
    if (isSettled(result)) last.set(result.id, start);
    else last.delete(result.id);
  for (const { result, start } of everyResultIn(file)) if (last.get(result.id) === start) yield result;
}

function parseResult(text: string): TaskResult | undefined {
  try {
    return TaskResult.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
