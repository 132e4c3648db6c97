// Draws media/icon.png, the extension's icon in the marketplace, from the outline in media/icon.svg.
//   node scripts/package/icon.mjs
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../host/browser.mjs';

const media = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../media');
const outline = fs
  .readFileSync(path.join(media, 'icon.svg'), 'utf8')
  .replace(/<\/?svg[^>]*>/g, '')
  .trim();
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">
  <defs><linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#1d5c63"/><stop offset="1" stop-color="#123a45"/></linearGradient></defs>
  <rect width="256" height="256" rx="56" fill="url(#ground)"/>
  <path d="M0 214c52-30 96 8 142-10c40-16 70-34 114-14v10a56 56 0 0 1-56 56H56a56 56 0 0 1-56-42z" fill="#0e2f38"/>
  <g transform="translate(26 20) scale(8.5)" fill="none" stroke="#f4e9d0" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round">${outline.replace('<path d="M5 5', '<path fill="#e2a33c" stroke="#e2a33c" d="M5 5')}</g>
</svg>`;
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.setContent(
  `<style>html, body { margin: 0; background: transparent } svg { display: block }</style>${picture}`,
);
await page.screenshot({ path: path.join(media, 'icon.png'), omitBackground: true });
await browser.close();
