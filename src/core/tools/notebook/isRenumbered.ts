import { readNotebook } from './notebookCells';

/**
 * True if a change renumbered the cells of a notebook, so that cell numbers that the model read are outdated. False for
 * any other file.
 */
export function isRenumbered(path: string, before: string | null, after: string | null): boolean {
  if (!path.endsWith('.ipynb') || before === null || after === null) return false;
  const [old, now] = [sourcesIn(before), sourcesIn(after)];
  // A text that is not a notebook before or after has no cell numbers.
  if (!old || !now || old.length !== now.length) return true;
  const left = new Set(now);
  return old.some((source, index) => source !== now[index] && left.has(source));
}

const sourcesIn = (text: string): string[] | undefined => readNotebook(text)?.cells.map(({ source }) => source);
