import fs from 'node:fs';
import path from 'node:path';

const root = process.env['REPOSITORY']!;

/**
 * Returns the tests named in a table cell, as `test/FILE`: “TITLE”, “TITLE”. A title may be part of the full title, or
 * the template that it is made from.
 */
export function testsNamedIn(cell: string): { readonly file: string; readonly title: string }[] {
  const groups = [...cell.matchAll(/`(test\/[^`]+)`: ((?:“[^”]+”(?:, )?)+)/g)];
  return groups.flatMap(([, file, titles]) =>
    [...titles!.matchAll(/“([^”]+)”/g)].map(([, title]) => ({ file: file!, title: title! })),
  );
}

/** Returns messages about tests in the cell that do not exist. */
export function goneTests(cell: string): string[] {
  return testsNamedIn(cell).flatMap(({ file, title }) => {
    const place = path.join(root, file);
    if (!fs.existsSync(place)) return [`There is no file ${file}.`];
    return fs.readFileSync(place, 'utf8').includes(title) ? [] : [`${file} has no test “${title}”.`];
  });
}
