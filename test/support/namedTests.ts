import fs from 'node:fs';
import path from 'node:path';

const root = process.env['REPOSITORY']!;

/**
 * The tests that a cell of a table names, as `test/FILE`: “TITLE”, “TITLE”. A title may be a part
 * of one, or the template it is made from.
 */
export function testsNamedIn(cell: string): { readonly file: string; readonly title: string }[] {
  const groups = [...cell.matchAll(/`(test\/[^`]+)`: ((?:“[^”]+”(?:, )?)+)/g)];
  return groups.flatMap(([, file, titles]) =>
    [...titles!.matchAll(/“([^”]+)”/g)].map(([, title]) => ({ file: file!, title: title! })),
  );
}

/** Those of them that are gone, in words. */
export function goneTests(cell: string): string[] {
  return testsNamedIn(cell).flatMap(({ file, title }) => {
    const place = path.join(root, file);
    if (!fs.existsSync(place)) return [`There is no file ${file}.`];
    return fs.readFileSync(place, 'utf8').includes(title) ? [] : [`${file} has no test “${title}”.`];
  });
}
