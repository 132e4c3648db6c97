import fs from 'node:fs';
import path from 'node:path';
import { at } from '../repository.mjs';

const sources = at('src') + path.sep;

/** A schema that a module of the sources creates when it runs; the choices of an enum may be needed at once. */
const made = /^((?:export )?const \w+(?:: [^=\n]+)? = )(?=z\.(?!enum\b)\w+\()/;
/** In formatted code, each statement begins and ends at the left margin. */
const endsStatement = /^\S.*;$|^\S.*;\s*\/\//;

/** Returns a module whose schemas are created, with all their parts, when one of them is needed. */
function withLaterSchemas(text) {
  let isWithin = false;
  const lines = text.split('\n').map((line) => {
    const begins = !isWithin && made.test(line);
    isWithin ||= begins;
    const ends = isWithin && endsStatement.test(line);
    if (ends) isWithin = false;
    const begun = begins ? line.replace(made, '$1z.later(() => ') : line;
    return ends ? begun.replace(/;(?=\s*(?:\/\/.*)?$)/, ');') : begun;
  });
  if (isWithin) throw new Error('A schema has no end at the margin.');
  return lines.join('\n');
}

/** esbuild plugin: gives the sources laterZod.js in place of zod; packages that need zod get zod itself. */
export const laterZod = {
  name: 'later-zod',
  setup(build) {
    build.onResolve({ filter: /^zod$/ }, ({ importer }) =>
      importer.startsWith(sources) ? { path: at('scripts/build/laterZod.js') } : undefined,
    );
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => {
      if (!file.startsWith(sources)) return undefined;
      const text = fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
      return text.includes("from 'zod'") ? { contents: withLaterSchemas(text), loader: 'ts' } : undefined;
    });
  },
};
