import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Puts chunks that are loaded together into one file each: to find, read and link a file takes Node as long as to run
 * it. `outputs`: those of esbuild's metafile for a build with `splitting` that lies on disk. `folder`: where its chunks
 * are. `gathered`: by the name of a file to come, the sources whose chunks, with all that those import at once, go into
 * it; what several would hold goes into the first. `options`: for esbuild. Chunks stay singletons: whoever else imports
 * one gets it from the file that holds it. Resolves to the `outputs` of all that was written.
 */
export async function gatherChunks({ outputs, root, folder, gathered, options }) {
  const place = (output) => path.resolve(root, output);
  const chunks = new Map();
  for (const [output, { imports, exports: names, entryPoint }] of Object.entries(outputs)) {
    if (!output.endsWith('.js')) continue;
    const loaded = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
    chunks.set(place(output), { source: entryPoint, names, loaded: loaded.map((each) => place(each.path)) });
  }
  const holders = holdersOf(chunks, gathered);
  const numbers = new Map([...chunks.keys()].map((chunk, at) => [chunk, at]));
  const fileOf = (holder) => path.join(folder, `${holder}.js`);
  /** Two chunks may export the same name. */
  const nameIn = (chunk, name) => `c${numbers.get(chunk)}_${name}`;
  const importing = (chunk) => {
    const words = chunks.get(chunk).names.map((name) => `${nameIn(chunk, name)} as ${name}`);
    return `export { ${words.join(', ')} } from ${JSON.stringify(`./${holders.get(chunk)}.js`)};`;
  };

  /** esbuild plugin: `isWithin` says which chunks become part of what is built; all others stay where they are. */
  const chunksElsewhere = (isWithin) => ({
    name: 'chunks-elsewhere',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path: spelled, resolveDir, kind, namespace }) => {
        const wanted = path.resolve(resolveDir, spelled);
        const stays = { path: `./${path.relative(folder, wanted)}`, external: true };
        if (namespace === 'held' || !chunks.has(wanted)) return stays;
        if (isWithin(wanted)) return { path: wanted };
        // Who imports it later finds its file, which says who holds it.
        return holders.has(wanted) && kind === 'import-statement' ? { path: wanted, namespace: 'held' } : stays;
      });
      build.onLoad({ filter: /./, namespace: 'held' }, ({ path: chunk }) => ({
        contents: importing(chunk),
        resolveDir: folder,
      }));
    },
  });

  const common = { ...options, bundle: true, splitting: false, write: false, metafile: true, absWorkingDir: root };
  const buildHolder = (holder) => {
    const held = [...chunks.keys()].filter((chunk) => holders.get(chunk) === holder);
    const words = wantedFrom(held, chunks, holders).map((chunk) => {
      const names = chunks.get(chunk).names.map((name) => `${name} as ${nameIn(chunk, name)}`);
      return `export { ${names.join(', ')} } from ${JSON.stringify(`./${path.relative(folder, chunk)}`)};`;
    });
    return esbuild.build({
      ...common,
      stdin: { contents: words.join('\n'), resolveDir: folder, sourcefile: `${holder}.js` },
      outfile: fileOf(holder),
      plugins: [chunksElsewhere((chunk) => holders.get(chunk) === holder)],
    });
  };
  const buildOther = (chunk) =>
    esbuild.build({
      ...common,
      entryPoints: [chunk],
      outfile: chunk,
      plugins: [chunksElsewhere((other) => other === chunk)],
    });
  const others = [...chunks.keys()].filter(
    (chunk) => !holders.has(chunk) && chunks.get(chunk).loaded.some((loaded) => holders.has(loaded)),
  );
  const results = await Promise.all([...Object.keys(gathered).map(buildHolder), ...others.map(buildOther)]);
  const written = {};
  for (const [chunk, holder] of holders) {
    const text = `${importing(chunk)}\n`;
    fs.writeFileSync(chunk, text);
    fs.rmSync(`${chunk}.map`, { force: true });
    const imports = [{ path: path.relative(root, fileOf(holder)), kind: 'import-statement' }];
    written[path.relative(root, chunk)] = { bytes: text.length, inputs: {}, exports: chunks.get(chunk).names, imports };
  }
  for (const { outputFiles, metafile } of results) {
    for (const { path: file, contents } of outputFiles) fs.writeFileSync(file, contents);
    Object.assign(written, metafile.outputs);
  }
  return written;
}

/** By each chunk that is gathered, the name of the file that holds it. */
function holdersOf(chunks, gathered) {
  const holders = new Map();
  for (const [holder, sources] of Object.entries(gathered)) {
    const visit = (chunk) => {
      if (holders.has(chunk)) return;
      holders.set(chunk, holder);
      chunks.get(chunk).loaded.forEach(visit);
    };
    for (const source of sources) {
      const found = [...chunks].find(([, chunk]) => chunk.source === source);
      if (!found) throw new Error(`${source} has no chunk of its own, so it cannot be gathered.`);
      visit(found[0]);
    }
  }
  return holders;
}

/** Those of `held` that somebody outside may import: whoever is imported later, and what chunks elsewhere import. */
function wantedFrom(held, chunks, holders) {
  const holder = holders.get(held[0]);
  const outside = [...chunks].filter(([chunk]) => holders.get(chunk) !== holder);
  const imported = new Set(outside.flatMap(([, { loaded }]) => loaded));
  return held.filter((chunk) => imported.has(chunk) || chunks.get(chunk).source !== undefined);
}
