import path from 'node:path';
import { at } from '../repository.mjs';

const sources = at('src') + path.sep;

/** esbuild plugin: the sources get laterZod.js in place of zod; packages that need zod get zod itself. */
export const laterZod = {
  name: 'later-zod',
  setup(build) {
    build.onResolve({ filter: /^zod$/ }, ({ importer }) =>
      importer.startsWith(sources) ? { path: at('scripts/build/laterZod.js') } : undefined,
    );
  },
};
