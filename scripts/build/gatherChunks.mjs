import * as esbuild from 'esbuild';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Puts chunks that are loaded together into one file each: to find, read and link a file takes Node as long as to run
 * it. `outputs`: those of esbuild's metafile for a build with `splitting` that lies on disk. `folder`: where its chunks
 * are. `gathered`: by the name of a file to come, the sources whose chunks, with all that those import at once, go into
 * it; what several would hold goes into the first. `options`: for esbuild. Chunks stay singletons: whoever else imports
 * one gets it from the file that holds it. Such a file is a script: keptCode.js runs it, and keeps what V8 compiled of
 * it. Resolves to the `outputs` of all that was written.
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
  const startsLate = (chunk) => holders.has(chunk) && chunks.get(chunk).names.some((name) => starting.test(name));
  const numbers = new Map([...chunks.keys()].map((chunk, at) => [chunk, at]));
  const fileOf = (holder) => path.join(folder, `${holder}.js`);
  const scriptOf = (holder) => path.join(folder, `${holder}.cjs`);
  /** Two chunks may export the same name. */
  const nameIn = (chunk, name) => `c${numbers.get(chunk)}_${name}`;
  const importing = (chunk) => {
    const words = chunks.get(chunk).names.map((name) => `${nameIn(chunk, name)} as ${name}`);
    return `export { ${words.join(', ')} } from ${JSON.stringify(`./${holders.get(chunk)}.js`)};`;
  };
  /** The same for a chunk that is run when it is first needed: whoever imports a part of it needs it. */
  const startingAndImporting = (chunk) => {
    const { names } = chunks.get(chunk);
    return [
      'import { heldIn } from "./keptCode.js";',
      `const held = heldIn("${holders.get(chunk)}");`,
      ...names.filter((name) => starting.test(name)).map((name) => `held.${nameIn(chunk, name)}();`),
      `export const { ${names.map((name) => `${nameIn(chunk, name)}: ${name}`).join(', ')} } = held;`,
    ].join('\n');
  };

  /** esbuild plugin: `isWithin` says which chunks become part of what is built; all others stay where they are. */
  const chunksElsewhere = (isWithin, isModule = false) => ({
    name: 'chunks-elsewhere',
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path: spelled, resolveDir, kind, namespace }) => {
        const wanted = path.resolve(resolveDir, spelled);
        const stays = { path: `./${path.relative(folder, wanted)}`, external: true };
        if (namespace === 'held' || !chunks.has(wanted)) return stays;
        if (isWithin(wanted)) return { path: wanted };
        if (isModule && startsLate(wanted)) return stays;
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
  const wantedOf = (holder) => {
    const held = [...chunks.keys()].filter((chunk) => holders.get(chunk) === holder);
    return wantedFrom(held, chunks, holders);
  };
  const buildHolder = (holder) => {
    const words = wantedOf(holder).map((chunk) => {
      const names = chunks.get(chunk).names.map((name) => `${name} as ${nameIn(chunk, name)}`);
      return `export { ${names.join(', ')} } from ${JSON.stringify(`./${path.relative(folder, chunk)}`)};`;
    });
    return esbuild.build({
      ...common,
      format: 'cjs',
      define: { 'import.meta.url': '__address' },
      stdin: { contents: words.join('\n'), resolveDir: folder, sourcefile: `${holder}.js` },
      outfile: scriptOf(holder),
      plugins: [chunksElsewhere((chunk) => holders.get(chunk) === holder)],
    });
  };
  /** In place of `import()` of a chunk that a script holds. */
  const importHeld = (chunk) => {
    const names = chunks.get(chunk).names.map((name) => [name, nameIn(chunk, name)]);
    return `__importHeld("${holders.get(chunk)}",${JSON.stringify(names)})`;
  };
  const asScript = (text) => {
    const body = exportedAtEnd(text)
      .replace(/\b__toESM\(require\("(node:[\w/]+)"\)(?:, ?1)?\)/g, (_all, name) => `require.builtin("${name}")`)
      .replace(/\bimport\((["'])([\w./:-]+)\1\)/g, (_all, _quote, name) => {
        const chunk = path.join(folder, name);
        return holders.has(chunk) ? importHeld(chunk) : `__import("${name}")`;
      })
      // Beyond ASCII there are signs only in regular expressions; a script with one of them takes twice the room.
      .replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `(function(exports,module,require,__address,__import,__importHeld){"use strict";${body}\n})`;
  };
  const buildOther = (chunk) =>
    esbuild.build({
      ...common,
      entryPoints: [chunk],
      outfile: chunk,
      plugins: [chunksElsewhere((other) => other === chunk, true)],
    });
  const others = [...chunks.keys()].filter(
    (chunk) => !holders.has(chunk) && chunks.get(chunk).loaded.some((loaded) => holders.has(loaded)),
  );
  const names = Object.keys(gathered);
  const scripts = await Promise.all(names.map(buildHolder));
  const written = {};
  const hash = createHash('sha256');
  for (const [at, holder] of names.entries()) {
    const { outputFiles, metafile } = scripts[at];
    for (const { path: file, contents, text } of outputFiles) {
      const isScript = file === scriptOf(holder);
      const script = isScript && asScript(text);
      if (isScript) hash.update(script);
      fs.writeFileSync(file, isScript ? script : contents);
    }
    Object.assign(written, metafile.outputs);
    // Whoever imports a part of it imports this file, which says what the parts are called.
    const exported = wantedOf(holder)
      .filter((chunk) => !startsLate(chunk))
      .flatMap((chunk) => chunks.get(chunk).names.map((name) => nameIn(chunk, name)));
    const text = `import { heldIn } from "./keptCode.js";\nexport const { ${exported.join(', ')} } = heldIn("${holder}");\n`;
    fs.writeFileSync(fileOf(holder), text);
    const script = { path: path.relative(root, scriptOf(holder)), kind: 'import-statement' };
    written[path.relative(root, fileOf(holder))] = {
      bytes: text.length,
      inputs: {},
      exports: exported,
      imports: [script],
    };
  }
  const keptCode = fs.readFileSync(path.join(root, 'scripts/build/keptCode.js'), 'utf8');
  fs.writeFileSync(path.join(folder, 'keptCode.js'), keptCode.replace('__BUILD__', hash.digest('hex').slice(0, 16)));
  for (const [chunk, holder] of holders) {
    const text = `${startsLate(chunk) ? startingAndImporting(chunk) : importing(chunk)}\n`;
    fs.writeFileSync(chunk, text);
    fs.rmSync(`${chunk}.map`, { force: true });
    const imports = [{ path: path.relative(root, fileOf(holder)), kind: 'import-statement' }];
    written[path.relative(root, chunk)] = { bytes: text.length, inputs: {}, exports: chunks.get(chunk).names, imports };
  }
  // Whoever imports no name of a chunk does not need it: its start would cost for nothing.
  const late = [...holders.keys()].filter(startsLate).map((chunk) => path.basename(chunk, '.js'));
  const nothingOf = new RegExp(`import ?"\\./(?:${late.join('|')})\\.js";`, 'g');
  for (const { outputFiles, metafile } of await Promise.all(others.map(buildOther))) {
    for (const { path: file, text } of outputFiles) fs.writeFileSync(file, text.replace(nothingOf, ''));
    Object.assign(written, metafile.outputs);
  }
  return written;
}

/**
 * What esbuild calls a function that runs a module when it is first needed, because somebody requires it. What else
 * the module exports has no value before.
 */
const starting = /^init_/;

const exporting = /\bvar (\w+) ?= ?\{\};\s*__export\(\1, ?\{([^{}]*)\}\);\s*module\.exports ?= ?__toCommonJS\(\1\);/;
/** For Node, where it reads a file without running it. */
const exportsForReaders = /\b0 ?&& ?\(module\.exports ?= ?\{[\w,\s]*\}\);/;

/**
 * A script without the two getters that esbuild makes for each of some hundred names before the script is run: what it
 * exports is put together at its end. Only what may change after that keeps a getter.
 */
function exportedAtEnd(text) {
  const [found, , list] = exporting.exec(text) ?? [];
  if (found === undefined) throw new Error('esbuild writes the exports of a script in other words now.');
  const rest = text.replace(found, '').replace(exportsForReaders, '');
  const late = new Set(Array.from(list.matchAll(/\b(c\d+)_init_/g), ([, chunk]) => chunk));
  const assigned = new Map();
  for (const [, name] of rest.matchAll(/(?<![\w$.])([\w$]+) ?(?:(?:[-+*/%&|^?<>]{1,3})?=(?![=>])|\+\+|--)/g))
    assigned.set(name, (assigned.get(name) ?? 0) + 1);
  const isKnown = (name, value) =>
    !late.has(name.split('_')[0]) && /^[\w$]+$/.test(value) && (assigned.get(value) ?? 0) < 2;
  const members = Array.from(list.matchAll(/(\w+): ?\(\) ?=> ?([\w$.]+)/g), ([, name, value]) =>
    isKnown(name, value) ? `${name}:${value}` : `get ${name}(){return ${value}}`,
  );
  const isWhole = members.length === list.split('=>').length - 1;
  if (!isWhole) throw new Error('Not all exports of a script were understood.');
  return `${rest}\nmodule.exports={${members.join(',')}};`;
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
