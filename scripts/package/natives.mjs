// The two native parts: the terminal and ripgrep. Each package contains only those of its platform.
import fs from 'node:fs';
import path from 'node:path';
import { at } from '../repository.mjs';

/** VS Code's names of the platforms for which node-pty and ripgrep are prebuilt. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

const typesAndMaps = /\.(map|d\.ts|test\.js)$/;

/**
 * Copies the natives of `platform` to where dist/ looks for them: `folder`/dist/node_modules/node-pty and
 * `folder`/dist/bin.
 */
export function addNatives(folder, platform) {
  const from = at('node_modules/node-pty');
  const to = path.join(folder, 'dist/node_modules/node-pty');
  const copy = (name, filter) => fs.cpSync(path.join(from, name), path.join(to, name), { recursive: true, filter });
  copy('package.json');
  copy('LICENSE');
  copy('lib', (file) => !typesAndMaps.test(file));
  copy(`prebuilds/${platform}`, (file) => !file.endsWith('.pdb'));
  const helper = path.join(to, 'prebuilds', platform, 'spawn-helper');
  if (fs.existsSync(helper)) fs.chmodSync(helper, 0o755);
  const program = platform.startsWith('win32') ? 'rg.exe' : 'rg';
  const ripgrep = path.join(folder, 'dist/bin', platform, program);
  fs.mkdirSync(path.dirname(ripgrep), { recursive: true });
  fs.copyFileSync(at('node_modules/@vscode/ripgrep-universal/bin', platform, program), ripgrep);
  fs.chmodSync(ripgrep, 0o755);
}
