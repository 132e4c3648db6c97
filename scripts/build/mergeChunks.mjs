import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { chunkOf, chunksElsewhere, chunksOf, holdersOf, wantedFrom, withSlashes } from './chunks.mjs';

/**
 * Merges the chunks of the extension that are loaded together into one module each. VS Code asks a thread of its own
 * about every import of a module, so finding one takes longer there than running it.
 *
 * `outputs`: from esbuild's metafile of a build with `splitting` that is on disk. `folder`: where its chunks are. `start`:
 * the source of the entry point, which stays as it is; what it imports statically goes into start.js. `parts`: sources
 * that are imported dynamically one after the other, each of which gets what it imports statically and no earlier one
 * has. `laterParts`: the same, but they are not always loaded, so they leave out what others need without them.
 * `separate`: sources of other entry points, whose chunks stay as they are. `options`: for esbuild. Chunks stay
 * singletons. Resolves to the `outputs` that are then on disk.
 */
export async function mergeChunks({ outputs, root, folder, start, parts, laterParts, separate, options }) {
  const chunks = chunksOf(outputs, root);
  const stays = new Set(separate.flatMap((source) => [...withAllImports(chunkOf(source, chunks), chunks)]));
  const gathered = Object.fromEntries([start, ...parts, ...laterParts].map((source) => [source, [source]]));
  const holders = holdersOf(chunks, gathered, (chunk) => path.dirname(chunk) === folder && !stays.has(chunk));
  leaveShared(holders, chunks, new Set(laterParts));
  const numbers = new Map([...chunks.keys()].map((chunk, at) => [chunk, at]));
  const fileOf = (holder) => (holder === start ? path.join(folder, 'start.js') : chunkOf(holder, chunks));
  const relativeTo = (from, file) => `./${withSlashes(path.relative(path.dirname(from), file))}`;
  /** How esbuild's metafile names a file. */
  const outputOf = (file) => withSlashes(path.relative(root, file));
  /** Two chunks may export the same name, and another file may only know the names of the original chunk. */
  const nameIn = (chunk, name) => (fileOf(holders.get(chunk)) === chunk ? name : `c${numbers.get(chunk)}_${name}`);
  const exportsOf = (chunk, from, renamed) =>
    `export { ${chunks.get(chunk).names.map(renamed).join(', ')} } from ${JSON.stringify(from)};`;
  const importing = (chunk, importer) =>
    exportsOf(chunk, relativeTo(importer, fileOf(holders.get(chunk))), (name) => `${nameIn(chunk, name)} as ${name}`);

  /** Only import statements are bundled: what is imported dynamically stays a module that loads on use. */
  const elsewhere = (outfile, contains) =>
    chunksElsewhere({
      chunks,
      outfile,
      isWithin: (chunk, kind) => kind === 'import-statement' && contains(chunk),
      isHeld: (chunk) => holders.has(chunk),
      importing,
    });
  const common = { ...options, bundle: true, splitting: false, write: false, metafile: true, absWorkingDir: root };
  const buildHolder = (holder) => {
    const outfile = fileOf(holder);
    const contents = wantedFrom(holder, chunks, holders)
      .map((chunk) => exportsOf(chunk, relativeTo(outfile, chunk), (name) => `${name} as ${nameIn(chunk, name)}`))
      .join('\n');
    return esbuild.build({
      ...common,
      stdin: { contents, resolveDir: folder, sourcefile: `parts of ${path.basename(outfile)}` },
      outfile,
      plugins: [elsewhere(outfile, (chunk) => holders.get(chunk) === holder)],
    });
  };
  const buildOther = (chunk) =>
    esbuild.build({
      ...common,
      entryPoints: [chunk],
      outfile: chunk,
      plugins: [elsewhere(chunk, (other) => other === chunk)],
    });
  const isOther = ([chunk, { loaded }]) => !holders.has(chunk) && loaded.some((each) => holders.has(each));
  const others = [...chunks].filter(isOther).map(([chunk]) => chunk);
  const built = await Promise.all([...Object.keys(gathered).map(buildHolder), ...others.map(buildOther)]);

  const left = { ...outputs };
  const remove = (file) => {
    fs.rmSync(file, { force: true });
    delete left[outputOf(file)];
  };
  for (const chunk of holders.keys()) {
    remove(chunk);
    remove(`${chunk}.map`);
    const { source, names } = chunks.get(chunk);
    if (source === undefined || fileOf(holders.get(chunk)) === chunk) continue;
    const text = `${importing(chunk, chunk)}\n`;
    fs.writeFileSync(chunk, text);
    const imports = [{ path: outputOf(fileOf(holders.get(chunk))), kind: 'import-statement' }];
    left[outputOf(chunk)] = { bytes: text.length, inputs: {}, exports: names, imports, entryPoint: source };
  }
  for (const { outputFiles, metafile } of built) {
    for (const { path: file, contents } of outputFiles) fs.writeFileSync(file, contents);
    for (const [output, facts] of Object.entries(metafile.outputs))
      left[output] = { ...facts, imports: facts.imports.map((each) => asOutput(each, output)) };
  }
  return left;
}

/** How much more a chunk may load than before, as a share. */
const mostMore = 0.2;

/**
 * Takes chunks out of these holders for the sake of chunks outside of all holders: importing a small part of a holder
 * must not load all of it. What is in other holders does not count, because it is loaded before.
 */
function leaveShared(holders, chunks, laterParts) {
  const isLater = (chunk) => laterParts.has(holders.get(chunk));
  const isThere = (chunk) => holders.has(chunk) && !isLater(chunk);
  const bytesOf = (some) =>
    [...some].filter((chunk) => !isThere(chunk)).reduce((sum, chunk) => sum + chunks.get(chunk).bytes, 0);
  for (const outside of [...chunks.keys()].filter((chunk) => !holders.has(chunk))) {
    const needed = withAllImports(outside, chunks);
    const parts = new Set([...needed].filter(isLater).map((chunk) => holders.get(chunk)));
    const loaded = new Set();
    for (const chunk of chunks.keys()) if (parts.has(holders.get(chunk))) withAllImports(chunk, chunks, loaded);
    const more = bytesOf([...loaded].filter((chunk) => !needed.has(chunk)));
    if (more > mostMore * bytesOf(needed)) for (const chunk of [...needed].filter(isLater)) holders.delete(chunk);
  }
}

/** Adds a chunk and everything that it imports statically to `found`, and returns it. */
function withAllImports(chunk, chunks, found = new Set()) {
  const isNew = !found.has(chunk);
  found.add(chunk);
  if (isNew) for (const loaded of chunks.get(chunk).loaded) withAllImports(loaded, chunks, found);
  return found;
}

/** Another chunk is no external file to those who read the outputs. */
const asOutput = ({ path: spelled, kind, external }, importer) =>
  external && spelled.startsWith('.')
    ? { path: path.posix.join(path.posix.dirname(importer), spelled), kind }
    : { path: spelled, kind, ...(external && { external }) };
