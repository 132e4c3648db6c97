import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Bundles `folder`/index.ts and every `folder`/*.test.ts for VS Code, which loads a suite with `require`. Returns the
 * absolute path of the entry, `outdir`/index.cjs. Throws if there are no tests.
 */
export async function bundleHostSuite({ root, folder, outdir }) {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort();
  if (files.length === 0) throw new Error(`There is no *.test.ts in ${folder}.`);
  const load = files.map((name) => `require(${JSON.stringify(`./${name.split(path.sep).join('/')}`)});`).join('\n');
  await esbuild.build({
    stdin: {
      contents: `import { runSuites } from './index';\nexport const run = () => runSuites(() => {\n${load}\n});\n`,
      resolveDir: folder,
      loader: 'ts',
      sourcefile: 'host-suite.ts',
    },
    absWorkingDir: root,
    outfile: path.join(outdir, 'suite.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'linked',
    logLevel: 'warning',
    external: ['vscode', 'mocha', 'node-pty', 'esbuild', 'playwright-core', '@vscode/ripgrep-universal'],
    define: { 'process.env.REPOSITORY': JSON.stringify(root), 'import.meta.url': '__suiteUrl' },
    banner: { js: "const __suiteUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  // Node keeps a file's source map only if that was enabled before it loaded the file.
  const entry = path.join(outdir, 'index.cjs');
  fs.writeFileSync(entry, "process.setSourceMapsEnabled(true);\nexports.run = () => require('./suite.cjs').run();\n");
  return entry;
}
