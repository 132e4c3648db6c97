import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hasScreen } from '../host/desktop.mjs';
import { startServer } from '../host/server.mjs';
import { THEMES } from '../host/settings.mjs';
import { packVsix } from '../package/vsix.mjs';

/**
 * Serves `folder` in a real VS Code with the packaged Waymark until the process ends, then removes server and folder.
 */
export async function serveExample(folder, { trust }) {
  process.once('exit', () => fs.rmSync(path.dirname(folder), { recursive: true, force: true }));
  const server = await startServer({ ...(await exampleServer(folder)), trust });
  console.log(
    `\nVS Code with Waymark is at\n\n    ${server.folderUrl}\n\non a copy of the example in ${folder}, deleted when this ends (Ctrl-C).`,
  );
  console.log(
    hasScreen() && openBrowser(server.folderUrl)
      ? 'A browser opens. Click the Waymark icon in the activity bar and choose the tutorial model.'
      : `Open that address in a browser on this machine; from another one, first run: ssh -L ${new URL(server.url).port}:${server.authority} <this machine>`,
  );
  await new Promise(() => {
    setInterval(() => {}, 1 << 30);
  });
}

/** Options of a server with Waymark as a user would install it. Trust is off: the folder is our own example. */
export async function exampleServer(folder, settings = {}) {
  const vsix = await packVsix({ target: `${process.platform}-${process.arch}` });
  return {
    workspace: folder,
    extensions: [vsix],
    settings: { 'workbench.colorTheme': THEMES.dark.setting, ...settings },
  };
}

function openBrowser(url) {
  const [command, ...args] = { darwin: ['open', url], win32: ['explorer', url] }[process.platform] ?? ['xdg-open', url];
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  child.once('error', () => {});
  child.unref();
  return child.pid !== undefined;
}
