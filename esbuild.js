// Builds everything that is shipped: dist/extension.js and dist/cli.js (ES modules, each with its own chunks, so that
// heavy parts load on first use) and dist/webview/ (panel, styles, icons).
//   node esbuild.js [--meta]
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gatherChunks } from './scripts/build/gatherChunks.mjs';
import { mergeChunks } from './scripts/build/mergeChunks.mjs';
import { laterZod } from './scripts/build/laterZod.mjs';
import { plainFields } from './scripts/build/plainFields.mjs';
import { toolSchemas } from './scripts/build/toolSchemas.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const { version } = JSON.parse(fs.readFileSync(at('package.json'), 'utf8'));

// Bundled CommonJS packages still call `require` for Node's own modules. Most files never do, and creating it takes
// time in each of them.
const requireShim =
  "import { createRequire as __createRequire } from 'node:module'; let __required; const require = (name) => (__required ??= __createRequire(import.meta.url))(name);";

const node = {
  absWorkingDir: root,
  outdir: 'dist',
  entryPoints: {
    extension: 'src/extension/extension.ts',
    pdfWorker: 'src/adapters/documents/pdfWorker.ts',
  },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'linked',
  sourcesContent: false,
  chunkNames: 'chunks/[name]-[hash]',
  define: { 'process.env.WAYMARK_VERSION': JSON.stringify(version) },
  external: ['vscode', 'node-pty'],
  banner: { js: requireShim },
  metafile: true,
  logLevel: 'warning',
  // Importing a name that the module does not export.
  logOverride: { 'import-is-undefined': 'error' },
  plugins: [toolSchemas],
};

/**
 * Separate from the extension: what the command line loads together is in few files, which Node finds and reads sooner.
 */
const commandLine = {
  ...node,
  entryPoints: { cli: 'src/cli/waymark.ts' },
  chunkNames: 'cli/[name]-[hash]',
  plugins: [...node.plugins, laterZod],
};

/** What judges commands, in the order in which the extension loads it; see src/core/security/commandAnalysis.ts. */
export const commandAnalysis = [
  'src/core/shell/verdict/judgeEffect.ts',
  'src/core/shell/verdict/programFloor.ts',
  'src/core/shell/posix/judgeScript.ts',
  'src/core/shell/programs/files/archives.ts',
  'src/core/shell/programs/files/families.ts',
  'src/core/shell/programs/languages/families.ts',
  'src/core/shell/programs/services/families.ts',
  'src/core/shell/programs/javascript/families.ts',
  'src/core/shell/programs/python/families.ts',
  'node_modules/unbash/dist/parser.js',
  'src/core/shell/programs/families.ts',
  'src/core/shell/assessCommand.ts',
  'src/core/security/scripts/assessWithScripts.ts',
  'src/core/shell/onlyReads.ts',
];

/**
 * Files of the command line and what each contains: what every command needs, what a run starts with, what reads skills
 * and instructions, and what the first command needs.
 */
const gathered = {
  program: ['src/cli/main.ts'],
  run: [
    'src/cli/run/run.ts',
    'src/cli/run/continueCommand.ts',
    'src/adapters/models/compatibleModel.ts',
    'src/adapters/models/chat/chatModel.ts',
    'src/adapters/models/endpoint/learnedRules.ts',
    'src/adapters/models/models.ts',
    'src/core/model/headerValues.ts',
    'src/core/model/providers/rulesFor.ts',
    'src/core/model/advice.ts',
    'src/core/secrets/secrets.ts',
    'src/core/skills/listSkills.ts',
    'src/core/tools/native/runCommand.ts',
    'node_modules/openai/core/streaming.mjs',
  ],
  skills: ['src/core/skills/readSkill.ts', 'src/core/skills/skillsPrompt.ts'],
  command: commandAnalysis,
};

/**
 * What the window consists of, in the order in which src/extension/window/loadWindow.ts loads it, after that file itself.
 */
export const windowParts = [
  'src/extension/window/loadWindow.ts',
  'src/protocol/events/event.ts',
  'src/core/tools/toolsets.ts',
  'src/core/security/analyzers.ts',
  'src/core/session/sessionAgent.ts',
  'src/core/session/openSession.ts',
  'src/adapters/sandbox/findSandbox.ts',
  'src/adapters/checkpoints/recording/sessionCheckpoints.ts',
  'src/adapters/sessions/sessions.ts',
  'src/extension/editor/editorFiles.ts',
  'src/extension/models/modelService.ts',
  'src/extension/sessions/openSessions.ts',
  'src/extension/review/windowReview.ts',
  'src/extension/panel/panelPlace.ts',
  'src/extension/window/waymarkWindow.ts',
];

/** BullMQ and ioredis, for code that works with a queue; not shipped with the extension. */
const queue = {
  ...node,
  entryPoints: { queue: 'src/adapters/queue/taskQueue.ts' },
  splitting: false,
};

export const webview = {
  absWorkingDir: at('webview-ui'),
  entryPoints: {
    panel: 'main.tsx',
    inspector: 'inspector/main.tsx',
    // Loaded by these two on first use.
    layout: 'layout/layoutScript.ts',
    colours: 'layout/colours.ts',
  },
  outdir: at('dist/webview'),
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  alias: {
    react: 'preact/compat',
    'react-dom': 'preact/compat',
    'react/jsx-runtime': 'preact/jsx-runtime',
    'punycode.js': at('webview-ui/markdown/hostNames.ts'),
  },
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
  metafile: true,
  logLevel: 'warning',
  plugins: [plainFields],
};

/** esbuild options of everything that is built; the architecture test reads the same. */
export const bundles = [node, commandLine, queue, webview];

export async function buildAll() {
  fs.rmSync(at('dist'), { recursive: true, force: true });
  // Node reads the nearest package.json to determine a file's module type; the extension's own is long and would be
  // read at each start.
  fs.mkdirSync(at('dist'));
  fs.writeFileSync(at('dist/package.json'), '{ "type": "module" }\n');
  // Loaded when a PowerShell command is judged.
  fs.mkdirSync(at('dist/wasm'), { recursive: true });
  for (const name of ['tree-sitter.js', 'tree-sitter.wasm', 'tree-sitter-powershell.wasm'])
    fs.copyFileSync(
      at('node_modules/@vscode/tree-sitter-wasm/wasm', name),
      at('dist/wasm', name.replace(/\.js$/, '.cjs')),
    );
  // Loaded by the worker that reads a PDF file.
  fs.mkdirSync(at('dist/pdf'), { recursive: true });
  fs.copyFileSync(at('node_modules/unpdf/dist/pdfjs.mjs'), at('dist/pdf/pdfjs.mjs'));
  const results = [];
  for (const options of bundles) results.push(await esbuild.build(options));
  const extension = results[bundles.indexOf(node)].metafile;
  const { outputs } = results[bundles.indexOf(commandLine)].metafile;
  const { format, platform, target, minifySyntax, minifyWhitespace, sourcemap, sourcesContent, external } = node;
  const options = { format, platform, target, minifySyntax, minifyWhitespace, sourcemap, sourcesContent, external };
  Object.assign(outputs, await gatherChunks({ outputs, root, folder: at('dist/cli'), gathered, options }));
  extension.outputs = await mergeChunks({
    outputs: extension.outputs,
    root,
    folder: at('dist/chunks'),
    start: node.entryPoints.extension,
    parts: windowParts,
    laterParts: commandAnalysis,
    separate: [node.entryPoints.pdfWorker],
    options,
  });
  return results.map((result) => result.metafile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const metafiles = await buildAll();
  if (process.argv.includes('--meta')) {
    for (const { outputs } of metafiles)
      for (const [file, { bytes }] of Object.entries(outputs))
        if (!file.endsWith('.map')) console.log(`${String(bytes).padStart(9)}  ${file}`);
  }
}
