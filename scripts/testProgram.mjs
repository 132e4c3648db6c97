import * as esbuild from 'esbuild';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { at, root } from './repository.mjs';

const requireShim =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** Bundles a test program into its own folder and runs it with this process's arguments. */
export async function runTestProgram(entryPoint) {
  fs.mkdirSync(at('out'), { recursive: true });
  const out = fs.mkdtempSync(at('out', `${path.basename(entryPoint, '.ts')}-`));
  process.once('exit', () => fs.rmSync(out, { recursive: true, force: true }));
  const program = path.join(out, 'main.mjs');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['node-pty', '@vscode/ripgrep-universal'],
    banner: { js: requireShim },
    define: { 'process.env.REPOSITORY': JSON.stringify(root) },
    logLevel: 'warning',
  });
  const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 130)));
}
