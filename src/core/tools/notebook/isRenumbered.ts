import { readNotebook } from './notebookCells';

/**
 * Whether a change of a notebook's text gave cells other numbers, so that what the model read of it names other cells
 * now. False for any other file.
 */
export function isRenumbered(path: string, before: string | null, after: string | null): boolean {
  if (!path.endsWith('.ipynb') || before === null || after === null) return false;
  const [old, now] = [sourcesIn(before), sourcesIn(after)];
  // What is no notebook before or afterwards has no numbers to go by.
  if (!old || !now || old.length !== now.length) return true;
  const left = new Set(now);
  return old.some((source, index) => source !== now[index] && left.has(source));
}

const sourcesIn = (text: string): string[] | undefined => readNotebook(text)?.cells.map(({ source }) => source);
