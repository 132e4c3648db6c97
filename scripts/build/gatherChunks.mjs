import * as esbuild from 'esbuild';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { chunksElsewhere, chunksOf, holdersOf, wantedFrom } from './chunks.mjs';

/**
 * Merges chunks that are loaded together into one file each: finding, reading and linking a file takes Node as long as
 * running it. `outputs`: from esbuild's metafile of a build with `splitting` that is on disk. `folder`: where its
 * chunks are. `gathered`: by name of the new file, the sources whose chunks go into it, with everything they import
 * statically; a chunk needed by several goes into the first. `options`: for esbuild. Chunks stay singletons: other
 * importers get a chunk from the file that contains it. Such a file is a script: keptCode.js runs it and keeps its code
 * cache of V8. Resolves to the `outputs` of everything that was written.
 */
export async function gatherChunks({ outputs, root, folder, gathered, options }) {
  const chunks = chunksOf(outputs, root);
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
  /** Same for a chunk with deferred initialization: importing any part of it runs it. */
  const startingAndImporting = (chunk) => {
    const { names } = chunks.get(chunk);
    return [
      'import { heldIn } from "./keptCode.js";',
      `const held = heldIn("${holders.get(chunk)}");`,
      ...names.filter((name) => starting.test(name)).map((name) => `held.${nameIn(chunk, name)}();`),
      `export const { ${names.map((name) => `${nameIn(chunk, name)}: ${name}`).join(', ')} } = held;`,
    ].join('\n');
  };

  const parts = { chunks, importing };
  const common = { ...options, bundle: true, splitting: false, write: false, metafile: true, absWorkingDir: root };
  const wantedOf = (holder) => wantedFrom(holder, chunks, holders);
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
      plugins: [
        chunksElsewhere({
          ...parts,
          outfile: scriptOf(holder),
          isWithin: (chunk) => holders.get(chunk) === holder,
          isHeld: (chunk) => holders.has(chunk),
        }),
      ],
    });
  };
  /** Replaces `import()` of a chunk that a script contains. */
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
      // Only regular expressions contain non-ASCII characters; a single one would double the script's size in memory.
      .replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `(function(exports,module,require,__address,__import,__importHeld){"use strict";${body}\n})`;
  };
  const buildOther = (chunk) =>
    esbuild.build({
      ...common,
      entryPoints: [chunk],
      outfile: chunk,
      plugins: [
        chunksElsewhere({
          ...parts,
          outfile: chunk,
          isWithin: (other) => other === chunk,
          // One that starts late is imported from its own file, which starts it.
          isHeld: (other) => holders.has(other) && !startsLate(other),
        }),
      ],
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
    // Importers of a part of it import this file, which names the parts.
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
  // A chunk of which no export is imported is not needed; running it would waste time.
  const late = [...holders.keys()].filter(startsLate).map((chunk) => path.basename(chunk, '.js'));
  const nothingOf = new RegExp(`import ?"\\./(?:${late.join('|')})\\.js";`, 'g');
  for (const { outputFiles, metafile } of await Promise.all(others.map(buildOther))) {
    for (const { path: file, text } of outputFiles) fs.writeFileSync(file, text.replace(nothingOf, ''));
    Object.assign(written, metafile.outputs);
  }
  return written;
}

/**
 * esbuild's name for a function that runs a module on first use, because it is required. The module's other exports
 * have no value before.
 */
const starting = /^init_/;

const exporting = /\bvar (\w+) ?= ?\{\};\s*__export\(\1, ?\{([^{}]*)\}\);\s*module\.exports ?= ?__toCommonJS\(\1\);/;
/** For Node, which reads these without running the file. */
const exportsForReaders = /\b0 ?&& ?\(module\.exports ?= ?\{[\w,\s]*\}\);/;

/**
 * Returns a script without the two getters that esbuild creates for each of several hundred names before the script
 * runs: its exports are assembled at its end. Only exports that may change after that keep a getter. An export that is
 * declared without a value and assigned once counts as assigned by then, and importers copy all exports, so no source
 * may export a variable that is assigned later: test/scripts/build.test.ts checks it.
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
