import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import ts from 'typescript';
import {
  arrowsOf,
  arrowsUpwards,
  circlesAmong,
  crowdedFolders,
  fragmentsAmong,
  functionsIn,
  type MeasuredFunction,
  moduleState,
} from './support/floors';

const root = process.env.REPOSITORY!;

/**
 * Allowed imports of each part: other parts, and packages. `types` lists parts that may only be imported as types, so
 * that none of their code is bundled.
 */
const parts: Record<string, { parts: string[]; types?: string[]; packages: RegExp }> = {
  'src/protocol': { parts: [], packages: /^zod$/ },
  'src/core': {
    parts: ['src/protocol'],
    packages: /^(zod|unbash|yaml|diff|fastest-levenshtein|jsonrepair|p-graph|@huggingface\/jinja)$/,
  },
  'src/adapters': {
    parts: ['src/protocol', 'src/core'],
    packages:
      /^(node:.+|zod|openai(\/.+)?|@modelcontextprotocol\/client|node-pty|@xterm\/headless|ignore|diff|htmlparser2|https?-proxy-agent|bullmq|ioredis|@vscode\/(ripgrep-universal|tree-sitter-wasm))$/,
  },
  'src/extension': {
    parts: ['src/protocol', 'src/core', 'src/adapters'],
    types: ['api'],
    packages: /^(node:.+|vscode|zod|diff)$/,
  },
  'src/cli': { parts: ['src/protocol', 'src/core', 'src/adapters'], packages: /^(node:.+|zod|commander)$/ },
  'webview-ui': {
    // Pure functions on protocol data; nothing else of the protocol is bundled into a view.
    parts: ['src/protocol/plain'],
    types: ['src/protocol', 'src/core'],
    packages:
      /^(preact(\/.+)?|@preact\/signals|virtua|markdown-it|dompurify|highlight\.js(\/.+)?|ansi_up|@dagrejs\/dagre|@vscode\/codicons\/.+)$/,
  },
};

/** Folders in layers: each may import the ones before it. Files beside them are entry points that nothing imports. */
const floors: Record<string, readonly string[]> = {
  'src/protocol': ['events', 'plain', 'inspector', 'panel'],
  'src/core': [
    'text',
    'log',
    'changes',
    'risk',
    'ports',
    'secrets',
    'settings',
    'model',
    'skills',
    'tools',
    'hooks',
    'mcp',
    'profiles',
    'condense',
    'shell',
    'security',
    'context',
    'agent',
    'session',
    'trajectory',
    'batch',
  ],
  'src/adapters': [
    'storage',
    'processes',
    'net',
    'secrets',
    'files',
    'search',
    'git',
    'scripts',
    'documents',
    'sandbox',
    'checkpoints',
    'terminal',
    'skills',
    'hooks',
    'log',
    'models',
    'mcp',
    'provenance',
    'sessions',
    'queue',
    'batch',
  ],
  'src/cli': ['output', 'consent', 'run', 'commands', 'batch'],
  'src/extension': [
    'common',
    'editor',
    'contributed',
    'hooks',
    'mcp',
    'skills',
    'models',
    'sessions',
    'review',
    'consent',
    'provenance',
    'context',
    'inspector',
    'batch',
    'panel',
    'api',
    'window',
  ],
  'webview-ui': [
    'base',
    'state',
    'parts',
    'layout',
    'markdown',
    'calls',
    'steps',
    'cards/approval',
    'cards',
    'composer',
    'panel',
    'inspector/state',
    'inspector/charts',
    'inspector',
  ],
};

/** Allowed module variables: their value is legitimately one per process. */
const knownModuleState = [
  // VS Code calls `deactivate` without arguments, so this variable identifies the window.
  'src/extension/extension.ts: started',
  // Reason why stdout, of which a process has only one, accepts no more output.
  'src/cli/output/output.ts: unread',
  // What the terminal, of which a process has only one, shows on its last line.
  'src/cli/output/output.ts: passing',
  'src/cli/output/output.ts: isInLine',
  'src/cli/output/output.ts: asking',
];

/** Too heavy for activation: these load on first use. */
const heavy =
  /node_modules\/(openai|@modelcontextprotocol\/client|@xterm\/headless|diff|unbash|yaml|picomatch|jsonrepair|p-graph|node-pty|@huggingface\/jinja)\//;
/** There are 9: parts that tests reach without VS Code or a browser, and separate subjects. */
const mostFragments = 11;
/** A reader can survey this many lines; the longest function has 91. */
const MOST_LINES = 100;
/** A reader can follow this; the hardest function has 30. */
const HARDEST = 30;
/** What one turn of the thread that all extensions share may load while the model answers; some 20 ms of it. */
const MAX_START_BYTES = 115_000;

interface Import {
  file: string;
  from: string;
  typeOnly: boolean;
  named: string[];
  /** Imported dynamically by `import()` on first use. */
  isOnUse?: true;
}

const filesOf = (part: string): string[] =>
  fs
    .readdirSync(path.join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => path.join(part, name));

const scriptFiles = (): string[] =>
  ['scripts', 'bench'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => path.join(folder, name)),
  );

/** Returns every import of a file: static, re-exported and dynamic. */
function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(
    file,
    fs.readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Import[] = [];
  const add = (from: ts.Node | undefined, typeOnly: boolean, named: string[] = []): void => {
    if (from && ts.isStringLiteralLike(from)) found.push({ file, from: from.text, typeOnly, named });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      add(
        node.moduleSpecifier,
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
        bindings && ts.isNamedImports(bindings)
          ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
          : [],
      );
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node))
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    else if (
      ts.isCallExpression(node) &&
      (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText(source) === 'require')
    ) {
      add(node.arguments[0], false);
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) Object.assign(found.at(-1) ?? {}, { isOnUse: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const inside = (target: string, folders: readonly string[]): boolean =>
  folders.some((folder) => target.startsWith(`${folder}/`));

describe('architecture', () => {
  for (const [part, { parts: known, types = [], packages }] of Object.entries(parts)) {
    it(`${part} imports only allowed parts`, () => {
      const files = filesOf(part);
      assert.ok(files.length > 0, `${part} has no files, so nothing was checked`);
      const wrong = files.flatMap(importsOf).filter(({ file, from, typeOnly }) => {
        if (!from.startsWith('.')) return !packages.test(from);
        const target = path.join(path.dirname(file), from);
        return !inside(target, [part, ...known, ...(typeOnly ? types : [])]);
      });
      assert.deepEqual(
        wrong.map(({ file, from, typeOnly }) => `${file} → ${from}${typeOnly ? ' (type)' : ''}`),
        [],
      );
    });
  }

  for (const [part, folders] of Object.entries(floors)) {
    describe(`the floors of ${part}`, () => {
      const files = filesOf(part);
      const arrows = arrowsOf(files, importsOf);

      it('import only floors that come before them', () => {
        assert.ok(arrows.length > 0, 'no import was found, so nothing was checked');
        assert.deepEqual(arrowsUpwards(part, folders, arrows), []);
      });

      it('have no import cycles', () => {
        assert.deepEqual(circlesAmong(files, arrows), []);
      });

      it('are listed in AGENTS.md', () => {
        const told = fs.readFileSync(path.join(root, 'AGENTS.md'), 'utf8').split('\n');
        assert.ok(told.includes(`- \`${part}\`: ${folders.join(' · ')}`), `AGENTS.md tells other floors of ${part}.`);
      });
    });
  }

  it('no folder has more than the allowed number of entries', () => {
    // The root contains files that tools look for there. Installed and generated files have no prescribed layout, and
    // the folders of a fixture are individually named cases.
    const isLeftOut = (folder: string): boolean =>
      ['.git', 'dist', 'out'].includes(folder) || /(^|\/)(node_modules|fixtures)$/.test(folder);
    assert.deepEqual(crowdedFolders(root, isLeftOut), []);
  });

  it('no condition chooses among more than three values in one expression', () => {
    // The formatter starts each branch of a nested conditional expression on its own line.
    const chain = /(?:^\s*[?:] .*\n){5}/m;
    const isChained = (lines: string): boolean => (lines.match(/^\s*\? /gm) ?? []).length >= 3;
    const found = Object.keys(parts)
      .flatMap(filesOf)
      .filter((file) => {
        const source = fs.readFileSync(path.join(root, file), 'utf8');
        return (source.match(new RegExp(chain.source, 'gm')) ?? []).some(isChained);
      });
    assert.deepEqual(found, []);
  });

  describe('functions', () => {
    const functions: MeasuredFunction[] = [];
    before(() => {
      for (const file of [...Object.keys(parts).flatMap(filesOf), ...scriptFiles()])
        functions.push(...functionsIn(file, fs.readFileSync(path.join(root, file), 'utf8')));
    });

    it(`have at most ${MOST_LINES} lines`, () => {
      const found = functions.filter(({ lines }) => lines > MOST_LINES);
      assert.ok(functions.length > 10_000);
      assert.deepEqual(
        found,
        [],
        'Find the subjects in it, and give each a function, component or class with its name.',
      );
    });

    it(`have a cognitive complexity of at most ${HARDEST}`, () => {
      const found = functions.filter(({ hardness }) => hardness > HARDEST);
      assert.deepEqual(found, [], 'Give a name to what is nested deepest, and to each case of a long chain.');
    });
  });

  it('no name is exported from src for two different things', () => {
    const files = new Map<string, string[]>();
    for (const file of filesOf('src'))
      for (const [, name] of fs
        .readFileSync(path.join(root, file), 'utf8')
        .matchAll(/^export (?:abstract |async )?(?:function\*?|const|class|interface|type) (\w+)/gm))
        files.set(name!, [...new Set([...(files.get(name!) ?? []), file])]);
    const twice = [...files].filter(([, places]) => places.length > 1);
    assert.ok(files.size > 3000, `${files.size}`);
    assert.deepEqual(twice, []);
  });

  it('no class extends another one, except errors', () => {
    const bases = new Map<string, string>();
    for (const file of Object.keys(parts).flatMap(filesOf))
      for (const [, name, base] of fs
        .readFileSync(path.join(root, file), 'utf8')
        .matchAll(/^(?:export )?(?:abstract )?class (\w+)(?:<[^{]*>)? extends ([\w.]+)/gm))
        bases.set(name!, base!);
    const isError = (name: string | undefined): boolean =>
      name === 'Error' || (name !== undefined && isError(bases.get(name)));
    assert.ok(bases.size > 0);
    assert.deepEqual(
      [...bases.keys()].filter((name) => !isError(name)),
      [],
      'Give it the other object as a field.',
    );
  });

  it('few files are fragments of the only file that imports them', () => {
    const files = Object.keys(parts).flatMap(filesOf);
    const imports = files.flatMap(importsOf);
    const arrows = arrowsOf(files, importsOf);
    const loaded = new Set(
      imports.filter(({ isOnUse }) => isOnUse).map(({ file, from }) => path.join(path.dirname(file), from)),
    );
    const found = fragmentsAmong({
      texts: new Map(files.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')])),
      arrows,
      partOf: (file) => Object.keys(parts).find((part) => file.startsWith(`${part}/`))!,
      isLoadedOnUse: (file) => loaded.has(file.replace(/\.tsx?$/, '')),
    });
    // Some are separate so that tests reach them without VS Code or a browser. Others belong in their importers.
    assert.ok(found.length <= mostFragments, found.join('\n'));
  });

  it('only the listed modules of the extension and the command line keep state', () => {
    const found = ['src/extension', 'src/cli']
      .flatMap(filesOf)
      .flatMap((file) => moduleState(file, fs.readFileSync(path.join(root, file), 'utf8')));
    assert.deepEqual(found, knownModuleState);
  });

  it('package.json lists every imported package', () => {
    const { dependencies, devDependencies } = JSON.parse(
      fs.readFileSync(path.join(root, 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
    const packageOf = (from: string): string =>
      from
        .split('/')
        .slice(0, from.startsWith('@') ? 2 : 1)
        .join('/');
    const used = Object.keys(parts)
      .flatMap(filesOf)
      .flatMap(importsOf)
      .map(({ from }) => from)
      .filter((from) => !/^(\.|node:|vscode$)/.test(from))
      .map(packageOf);
    assert.deepEqual(
      [...new Set(used)].filter((name) => !dependencies[name] && !devDependencies[name]),
      [],
    );
  });

  it('code of a run does not import the 7 MB of language data', () => {
    const files = ['src/protocol', 'src/core', 'src/adapters', 'src/cli'].flatMap(filesOf);
    const needsData = /\.toLocale(?:Date|Time)?String\(|\bIntl\./;
    assert.deepEqual(
      files.filter((file) => needsData.test(fs.readFileSync(file, 'utf8'))),
      [],
    );
  });

  it('the code that judges commands is loaded in pieces, whoever needs it first', () => {
    const judges = /\bimport\('[^']*\/(onlyReads|commandShape|mayRun|explainCommand|explainWithScripts)'\)/;
    // The command line has it in one file.
    const loader = 'src/core/security/commandAnalysis.ts';
    const files = ['src/core', 'src/adapters', 'src/extension']
      .flatMap(filesOf)
      .filter((file) => file !== loader)
      .map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')] as const)
      .filter(([, text]) => judges.test(text));
    assert.ok(files.length > 4);
    assert.deepEqual(
      files.filter(([, text]) => !text.includes('await loadCommandAnalysis();')).map(([file]) => file),
      [],
    );
  });

  it('zod is always imported as a namespace', () => {
    const named = [...Object.keys(parts), 'test']
      .flatMap(filesOf)
      .flatMap(importsOf)
      .filter(({ from, named: names }) => from === 'zod' && names.length > 0);
    assert.deepEqual(
      named.map(({ file }) => file),
      [],
    );
  });

  describe('loading at startup', () => {
    let metafile: esbuild.Metafile;

    before(async function () {
      this.timeout(60_000);
      const { bundles } = (await import(pathToFileURL(path.join(root, 'esbuild.js')).href)) as {
        bundles: esbuild.BuildOptions[];
      };
      const isOfNode = ({ entryPoints = {} }: esbuild.BuildOptions): boolean =>
        'extension' in entryPoints || 'cli' in entryPoints;
      const built = await Promise.all(
        bundles.filter(isOfNode).map((options) => esbuild.build({ ...options, write: false, metafile: true })),
      );
      metafile = {
        inputs: Object.assign({}, ...built.map(({ metafile: { inputs } = {} }) => inputs)),
        outputs: Object.assign({}, ...built.map(({ metafile: { outputs } = {} }) => outputs)),
      };
    });

    /** Returns an entry point and everything that it imports statically, except what is in `there`. */
    function startOf(entry: string, there = new Set<string>()): { bytes: number; inputs: string[] } {
      const seen = new Set<string>();
      const visit = (output: string): void => {
        if (there.has(output)) return;
        there.add(output);
        seen.add(output);
        for (const { path: next, kind, external } of metafile.outputs[output]!.imports)
          if (kind === 'import-statement' && !external) visit(next);
      };
      visit(entry);
      const outputs = [...seen].map((name) => metafile.outputs[name]!);
      return {
        bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
        inputs: outputs.flatMap(({ inputs }) => Object.keys(inputs)),
      };
    }

    it('queue code is in a separate bundle', () => {
      const isOfQueue = (input: string): boolean =>
        /node_modules\/(bullmq|ioredis)\/|src\/adapters\/queue\//.test(input);
      assert.deepEqual(Object.keys(metafile.inputs).filter(isOfQueue), []);
    });

    for (const entry of ['extension', 'cli']) {
      it(`the ${entry} loads heavy packages only when needed`, () => {
        const { inputs } = startOf(`dist/${entry}.js`);
        assert.ok(inputs.length > 0);
        assert.deepEqual(
          inputs.filter((input) => heavy.test(input)),
          [],
        );
      });
    }

    it(`the extension starts with at most ${MAX_START_BYTES} bytes`, () => {
      const { bytes } = startOf('dist/extension.js');
      assert.ok(bytes <= MAX_START_BYTES, `${bytes} bytes`);
    });
  });
});
