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
export async function gatherChunks(parts) {
  const gathering = new Gathering(parts);
  await gathering.writeScripts();
  gathering.writeHeldChunks();
  await gathering.writeOtherChunks();
  return gathering.written;
}

class Gathering {
  /** The `outputs` of everything that was written. */
  written = {};

  constructor({ outputs, root, folder, gathered, options }) {
    this.root = root;
    this.folder = folder;
    this.names = Object.keys(gathered);
    this.chunks = chunksOf(outputs, root);
    /** The file that contains a chunk, by chunk. */
    this.holders = holdersOf(this.chunks, gathered);
    this.numbers = new Map([...this.chunks.keys()].map((chunk, at) => [chunk, at]));
    this.common = { ...options, bundle: true, splitting: false, write: false, metafile: true, absWorkingDir: root };
  }

  fileOf(holder) {
    return path.join(this.folder, `${holder}.js`);
  }

  scriptOf(holder) {
    return path.join(this.folder, `${holder}.cjs`);
  }

  startsLate(chunk) {
    return this.holders.has(chunk) && this.chunks.get(chunk).names.some((name) => starting.test(name));
  }

  /** Two chunks may export the same name. */
  nameIn(chunk, name) {
    return `c${this.numbers.get(chunk)}_${name}`;
  }

  wantedOf(holder) {
    return wantedFrom(holder, this.chunks, this.holders);
  }

  /** The text of a chunk that another file contains. */
  importing(chunk) {
    const words = this.chunks.get(chunk).names.map((name) => `${this.nameIn(chunk, name)} as ${name}`);
    return `export { ${words.join(', ')} } from ${JSON.stringify(`./${this.holders.get(chunk)}.js`)};`;
  }

  /** Same for a chunk with deferred initialization: importing any part of it runs it. */
  startingAndImporting(chunk) {
    const { names } = this.chunks.get(chunk);
    return [
      'import { heldIn } from "./keptCode.js";',
      `const held = heldIn("${this.holders.get(chunk)}");`,
      ...names.filter((name) => starting.test(name)).map((name) => `held.${this.nameIn(chunk, name)}();`),
      `export const { ${names.map((name) => `${this.nameIn(chunk, name)}: ${name}`).join(', ')} } = held;`,
    ].join('\n');
  }

  elsewhere(outfile, isWithin, isHeld) {
    const importing = (chunk) => this.importing(chunk);
    return [chunksElsewhere({ chunks: this.chunks, importing, outfile, isWithin, isHeld })];
  }

  buildHolder(holder) {
    const words = this.wantedOf(holder).map((chunk) => {
      const names = this.chunks.get(chunk).names.map((name) => `${name} as ${this.nameIn(chunk, name)}`);
      return `export { ${names.join(', ')} } from ${JSON.stringify(`./${path.relative(this.folder, chunk)}`)};`;
    });
    const outfile = this.scriptOf(holder);
    return esbuild.build({
      ...this.common,
      format: 'cjs',
      define: { 'import.meta.url': '__address' },
      stdin: { contents: words.join('\n'), resolveDir: this.folder, sourcefile: `${holder}.js` },
      outfile,
      plugins: this.elsewhere(
        outfile,
        (chunk) => this.holders.get(chunk) === holder,
        (chunk) => this.holders.has(chunk),
      ),
    });
  }

  buildOther(chunk) {
    return esbuild.build({
      ...this.common,
      entryPoints: [chunk],
      outfile: chunk,
      plugins: this.elsewhere(
        chunk,
        (other) => other === chunk,
        // One that starts late is imported from its own file, which starts it.
        (other) => this.holders.has(other) && !this.startsLate(other),
      ),
    });
  }

  /** Replaces `import()` of a chunk that a script contains. */
  importHeld(chunk) {
    const names = this.chunks.get(chunk).names.map((name) => [name, this.nameIn(chunk, name)]);
    return `__importHeld("${this.holders.get(chunk)}",${JSON.stringify(names)})`;
  }

  asScript(text) {
    const body = exportedAtEnd(text)
      .replace(/\b__toESM\(require\("(node:[\w/]+)"\)(?:, ?1)?\)/g, (_all, name) => `require.builtin("${name}")`)
      .replace(/\bimport\((["'])([\w./:-]+)\1\)/g, (_all, _quote, name) => {
        const chunk = path.join(this.folder, name);
        return this.holders.has(chunk) ? this.importHeld(chunk) : `__import("${name}")`;
      })
      // Only regular expressions contain non-ASCII characters; a single one would double the script's size in memory.
      .replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `(function(exports,module,require,__address,__import,__importHeld){"use strict";${body}\n})`;
  }

  /** Writes the scripts, the files that name their parts, and keptCode.js. */
  async writeScripts() {
    const scripts = await Promise.all(this.names.map((holder) => this.buildHolder(holder)));
    const hash = createHash('sha256');
    for (const [at, holder] of this.names.entries()) {
      const { outputFiles, metafile } = scripts[at];
      for (const { path: file, contents, text } of outputFiles) {
        const isScript = file === this.scriptOf(holder);
        const script = isScript && this.asScript(text);
        if (isScript) hash.update(script);
        fs.writeFileSync(file, isScript ? script : contents);
      }
      Object.assign(this.written, metafile.outputs);
      this.writeNames(holder);
    }
    const keptCode = fs.readFileSync(path.join(this.root, 'scripts/build/keptCode.js'), 'utf8');
    const build = hash.digest('hex').slice(0, 16);
    fs.writeFileSync(path.join(this.folder, 'keptCode.js'), keptCode.replace('__BUILD__', build));
  }

  /** Importers of a part of a script import this file, which names the parts. */
  writeNames(holder) {
    const exported = this.wantedOf(holder)
      .filter((chunk) => !this.startsLate(chunk))
      .flatMap((chunk) => this.chunks.get(chunk).names.map((name) => this.nameIn(chunk, name)));
    const text = `import { heldIn } from "./keptCode.js";\nexport const { ${exported.join(', ')} } = heldIn("${holder}");\n`;
    this.write(this.fileOf(holder), text, exported, this.scriptOf(holder));
  }

  writeHeldChunks() {
    for (const [chunk, holder] of this.holders) {
      const text = `${this.startsLate(chunk) ? this.startingAndImporting(chunk) : this.importing(chunk)}\n`;
      fs.rmSync(`${chunk}.map`, { force: true });
      this.write(chunk, text, this.chunks.get(chunk).names, this.fileOf(holder));
    }
  }

  write(file, text, exported, imported) {
    fs.writeFileSync(file, text);
    const imports = [{ path: path.relative(this.root, imported), kind: 'import-statement' }];
    this.written[path.relative(this.root, file)] = { bytes: text.length, inputs: {}, exports: exported, imports };
  }

  async writeOtherChunks() {
    const others = [...this.chunks.keys()].filter(
      (chunk) => !this.holders.has(chunk) && this.chunks.get(chunk).loaded.some((loaded) => this.holders.has(loaded)),
    );
    // A chunk of which no export is imported is not needed; running it would waste time.
    const late = [...this.holders.keys()]
      .filter((chunk) => this.startsLate(chunk))
      .map((chunk) => path.basename(chunk, '.js'));
    const nothingOf = new RegExp(`import ?"\\./(?:${late.join('|')})\\.js";`, 'g');
    for (const { outputFiles, metafile } of await Promise.all(others.map((chunk) => this.buildOther(chunk)))) {
      for (const { path: file, text } of outputFiles) fs.writeFileSync(file, text.replace(nothingOf, ''));
      Object.assign(this.written, metafile.outputs);
    }
  }
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
