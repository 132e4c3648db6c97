// Fetches what a real VS Code needs, without using it:  node scripts/host/prepare.mjs
import { ensureChromium } from './chromium.mjs';
import { ensureTools } from './tools.mjs';

const [tools, chromium] = await Promise.all([ensureTools(), ensureChromium()]);
console.log(
  JSON.stringify({ node: tools.node, codeServer: tools.codeServer, chromium: chromium.executablePath }, null, 2),
);
