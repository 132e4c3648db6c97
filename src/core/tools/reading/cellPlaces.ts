/** The lines of the file, from 1, that a cell takes. */
export interface CellPlace {
  readonly from: number;
  readonly to: number;
}

/** Where the cells of a notebook stand in its JSON. The text is JSON; of an object with "cells" twice the places do not count. */
export function placesOfCells(text: string): CellPlace[] {
  const places: CellPlace[] = [];
  let [line, depth, cellFrom] = [1, 0, 0];
  let key = '';
  let inCells = false;
  for (const { 0: token } of text.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[{}[\]\n]/g)) {
    if (token === '\n') line++;
    else if (token.startsWith('"')) {
      if (depth === 1) key = token;
    } else if (token === '{' || token === '[') {
      depth++;
      if (depth === 2) inCells = token === '[' && key === '"cells"';
      if (depth === 3 && inCells) cellFrom = line;
    } else {
      if (depth === 3 && inCells) places.push({ from: cellFrom, to: line });
      depth--;
    }
  }
  return places;
}
