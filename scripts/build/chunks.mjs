// What the two builds that merge chunks of esbuild know about them.
import path from 'node:path';

/**
 * Returns the chunks of a build with `splitting`, by absolute path: `source` of an entry point or dynamic import, `names`
 * of exports, size in `bytes`, and paths of the chunks `loaded` statically. `outputs`: from esbuild's metafile.
 */
export function chunksOf(outputs, root) {
  const place = (output) => path.resolve(root, output);
  const chunks = new Map();
  for (const [output, { imports, exports: names, entryPoint, bytes }] of Object.entries(outputs)) {
    if (!output.endsWith('.js')) continue;
    const loaded = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
    chunks.set(place(output), { source: entryPoint, names, bytes, loaded: loaded.map((each) => place(each.path)) });
  }
  return chunks;
}

/** Returns the chunk of a source. Throws if it has none. */
export function chunkOf(source, chunks) {
  const found = [...chunks].find(([, chunk]) => chunk.source === source);
  if (!found) throw new Error(`${source} has no chunk of its own, so it cannot be gathered.`);
  return found[0];
}

/**
 * Maps each gathered chunk to the name of the file that contains it. `gathered`: by that name, the sources whose chunks
 * go into it, with everything they import statically; a chunk needed by several goes into the first.
 */
export function holdersOf(chunks, gathered, mayBeHeld = () => true) {
  const holders = new Map();
  for (const [holder, sources] of Object.entries(gathered)) {
    const seen = new Set();
    const visit = (chunk) => {
      if (holders.has(chunk) || seen.has(chunk)) return;
      seen.add(chunk);
      if (mayBeHeld(chunk)) holders.set(chunk, holder);
      chunks.get(chunk).loaded.forEach(visit);
    };
    for (const source of sources) visit(chunkOf(source, chunks));
  }
  return holders;
}

/** Returns the chunks of a holder that may be imported from outside: dynamically, or by chunks elsewhere. */
export function wantedFrom(holder, chunks, holders) {
  const held = [...chunks.keys()].filter((chunk) => holders.get(chunk) === holder);
  const outside = [...chunks].filter(([chunk]) => holders.get(chunk) !== holder);
  const imported = new Set(outside.flatMap(([, { loaded }]) => loaded));
  return held.filter((chunk) => imported.has(chunk) || chunks.get(chunk).source !== undefined);
}

/**
 * esbuild plugin for a build of `outfile` out of chunks: bundles the chunks that `isWithin` accepts, given the kind of
 * import, and leaves all others where they are. Import statements of a chunk that `isHeld` accepts get the module that
 * `importing` writes, which names the file that contains the chunk.
 */
export const chunksElsewhere = ({ chunks, outfile, isWithin, isHeld, importing }) => ({
  name: 'chunks-elsewhere',
  setup(build) {
    const folder = path.dirname(outfile);
    build.onResolve({ filter: /^\.\.?\// }, ({ path: specifier, resolveDir, kind, namespace }) => {
      if (namespace === 'held') return { path: specifier, external: true };
      const wanted = path.resolve(resolveDir, specifier);
      const isChunk = chunks.has(wanted);
      if (isChunk && isWithin(wanted, kind)) return { path: wanted };
      if (isChunk && kind === 'import-statement' && isHeld(wanted)) return { path: wanted, namespace: 'held' };
      return { path: `./${withSlashes(path.relative(folder, wanted))}`, external: true };
    });
    build.onLoad({ filter: /./, namespace: 'held' }, ({ path: chunk }) => ({
      contents: importing(chunk, outfile),
      resolveDir: folder,
    }));
  },
});

/** Changes the separators of a path to those that imports and esbuild's metafile use. */
export const withSlashes = (file) => file.replaceAll(path.sep, '/');
