import { listFiles, PackageManager } from '@vscode/vsce';
import fs from 'node:fs';
import path from 'node:path';
import { must } from '../host/processes.mjs';
import { at, root } from '../repository.mjs';
import { addNatives } from './natives.mjs';

/**
 * Packs the build into `outdir`/waymark-<version>-<target>.vsix and returns its absolute path. `target` is one of
 * PLATFORMS, or `universal`: no natives, so its terminal is a pipe and its search is VS Code's ripgrep. Throws if vsce
 * prints a warning.
 */
export async function packVsix({ target, outdir = at('out/packages') }) {
  fs.mkdirSync(outdir, { recursive: true });
  const folder = fs.mkdtempSync(path.join(outdir, 'staged-'));
  try {
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    for (const file of files) fs.cpSync(at(file), path.join(folder, file));
    const manifest = JSON.parse(fs.readFileSync(at('package.json'), 'utf8'));
    // Needed only in a clone; the one dependency is included in dist/.
    for (const key of ['private', 'vsce', 'scripts', 'devDependencies', 'dependencies']) delete manifest[key];
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
    if (target !== 'universal') addNatives(folder, target);
    const packagePath = path.join(outdir, `${manifest.name}-${manifest.version}-${target}.vsix`);
    fs.writeFileSync(path.join(folder, '.vscodeignore'), '# Everything here is shipped.\n');
    const options = [
      '--no-dependencies',
      '--no-rewrite-relative-links',
      '--allow-missing-repository',
      '--out',
      packagePath,
      ...(target === 'universal' ? [] : ['--target', target]),
    ];
    const said = await must(process.execPath, [at('node_modules/@vscode/vsce/vsce'), 'package', ...options], {
      cwd: folder,
    });
    // It is bundled; vsce counts the parts that are loaded on first use.
    const warnings = said
      .split('\n')
      .filter((line) => line.includes('WARNING') && !line.includes('you should bundle your extension'));
    if (warnings.length > 0) throw new Error(`vsce warns about ${path.basename(packagePath)}:\n${warnings.join('\n')}`);
    return packagePath;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
