// The diagrams of docs/architecture: which folder imports which, read from the sources.
import fs from 'node:fs';
import path from 'node:path';
import { at, root } from '../repository.mjs';

const parts = ['src/protocol', 'src/core', 'src/adapters', 'src/extension', 'src/cli', 'webview-ui'];

/** Returns Mermaid diagrams by the name of their table. */
export function floorDrawings() {
  const files = parts.flatMap(sourcesIn);
  const imports = files.flatMap(importsOf);
  const partOf = (file) => parts.find((part) => file.startsWith(`${part}/`));
  return {
    parts: drawing(imports, partOf),
    floorsOfCore: drawing(imports, folderIn('src/core')),
    floorsOfAdapters: drawing(imports, folderIn('src/adapters')),
    floorsOfExtension: drawing(imports, folderIn('src/extension')),
  };
}

const sourcesIn = (part) =>
  fs
    .readdirSync(at(part), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => `${part}/${name.split(path.sep).join('/')}`);

/** Returns the files of the repository that a file imports, including types. */
function importsOf(file) {
  const text = fs.readFileSync(at(file), 'utf8');
  const named = [...text.matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)].map(([, name]) => name);
  return named.map((name) => ({ from: file, to: path.posix.join(path.posix.dirname(file), name) }));
}

/** Returns the folder of a part that contains a file; none for a file at the top of the part. */
const folderIn = (part) => (file) => {
  if (!file.startsWith(`${part}/`)) return undefined;
  const [folder, ...rest] = file.slice(part.length + 1).split('/');
  return rest.length > 0 ? folder : undefined;
};

/** Draws an arrow for each import between groups. Omits transitive ones, so that the diagram stays readable. */
function drawing(imports, groupOf) {
  const next = new Map();
  for (const { from, to } of imports) {
    const [above, below] = [groupOf(from), groupOf(to)];
    if (above === undefined || below === undefined || above === below) continue;
    next.set(above, (next.get(above) ?? new Set()).add(below));
  }
  const reaches = (from, to, without, seen = new Set()) =>
    [...(next.get(from) ?? [])].some((each) => {
      if (from === without && each === to) return false;
      if (each === to) return true;
      if (seen.has(each)) return false;
      seen.add(each);
      return reaches(each, to, without, seen);
    });
  const arrows = [...next].flatMap(([above, belows]) =>
    [...belows].filter((below) => !reaches(above, below, above)).map((below) => `  ${id(above)} --> ${id(below)}`),
  );
  const names = [...new Set([...next].flatMap(([above, belows]) => [above, ...belows]))].sort();
  const nodes = names.map((name) => `  ${id(name)}["${name}"]`);
  return ['```mermaid', 'flowchart TD', ...nodes, ...arrows.sort(), '```'].join('\n');
}

const id = (name) => name.replace(/\W/g, '_');

if (process.argv[1] && path.resolve(process.argv[1]) === path.join(root, 'scripts/tables/floors.mjs'))
  for (const [name, text] of Object.entries(floorDrawings())) console.log(`${name}\n${text}\n`);
